/** What `botstead migrate --lost-master-key` replaces and says. (docs/backups.md#a-lost-master-key) */
import { withSession } from "../database/connections/session.ts";
import { type Losses, type LostSecret, replaceLost } from "../database/lost-secrets.ts";
import { urlAs } from "../database/urls.ts";
import { pathIn } from "../secrets/master-key.ts";
import { printError } from "../terminal.ts";
import { commandLineUser, type Place } from "./database.ts";
import { printList } from "./output.ts";

const say = (sentence: string) => void printError(`${sentence}\n`);

export const beforeLoss = `This replaces the passwords of all logins of the database. Without the former master key, these are lost:
- secrets of webhook endpoints and hooks: their organisations must rotate them
- keys that sign deliveries: the next worker creates one
- links of unsent invitations: their mails get new links
- the key that signs checkpoints of the audit log: witnesses need the new public key
If the former key is found later, botstead master-key rotate brings the secrets back.`;

export async function replaceLostKey({ adminUrl, key, config }: Place): Promise<void> {
  const losses = await withSession(urlAs("owner", adminUrl, key), commandLineUser(), (owner) =>
    replaceLost(owner, key),
  );
  printList(losses.secrets, columns, {});
  for (const sentence of sentencesOf(losses)) say(sentence);
  say(
    `The master key is now ${config.masterKey ? "MASTER_KEY" : `in ${pathIn(config.dataDir)}`}. Keep a copy elsewhere.`,
  );
}

const columns = ({ kind, id, host, organisationId, organisation }: LostSecret): string[] => [
  kind,
  id,
  host ?? "",
  organisationId,
  organisation,
];

/** What is lost, then what to do. */
function sentencesOf({ secrets, renewedInvitations, withdrawnKeys }: Losses): string[] {
  if (secrets.length === 0 && renewedInvitations === 0 && withdrawnKeys === 0)
    return ["The master key opens every secret."];
  const lost = [
    `Secrets of webhook endpoints and hooks that are lost: ${secrets.length}.`,
    `Signing keys that are withdrawn: ${withdrawnKeys}. Unsent invitations with a new link: ${renewedInvitations}.`,
  ];
  if (secrets.length > 0) {
    lost.push(
      "Ask the organisations to rotate these secrets: POST /webhooks/{id}/rotate, POST /hooks/{id}/rotate, or in the portal.",
      "Until then deliveries to these endpoints wait, and posts to these hooks get 503. botstead status names them.",
    );
  }
  return [...lost, "Print the secrets of each process again, then start the processes."];
}
