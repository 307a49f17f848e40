/** Sends one mail from its row in app.mails. (docs/specification/service.md#mail) */
import type { Task, WithPgClient } from "graphile-worker";
import type { Log } from "../../log.ts";
import { approvalToken } from "../../secrets/approval-token.ts";
import { keysFor, type MasterKey } from "../../secrets/master-key.ts";
import { openWith } from "../../secrets/seal.ts";
import { type Unsent, word } from "../mail-content.ts";
import type { Mailer } from "../mailer.ts";
import { record } from "../record.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      send_mail: { organisationId: string; mailId: string };
    }
  }
}

/** Its name is logged. Resending the invitation makes a new link. */
class TokenLost extends Error {
  override name = "TokenLost";
}

/**
 * @param key opens the sealed tokens of invitations and derives the tokens of approvals
 * @param baseUrl base of the links in mails
 */
export function sendMail(mailer: Mailer, key: MasterKey, baseUrl: string, log: Log): Task<"send_mail"> {
  function opened(tokenSealed: Buffer): string {
    const token = openWith(keysFor("invitation-token", key), "invitation-token", tokenSealed);
    if (token === undefined) throw new TokenLost("The link of a mail is sealed under another master key.");
    return token;
  }

  return async ({ organisationId, mailId }, { withPgClient }) => {
    const unsent = await withPgClient(async (db) => {
      const { rows } = await db.query<{ mail: (Unsent & { tokenSealed: string | null }) | null }>(
        "select jobs.lease_mail($1, $2) as mail",
        [organisationId, mailId],
      );
      return rows[0]?.mail;
    });
    if (!unsent) return; // already sent, or withdrawn
    const token = unsent.tokenSealed
      ? opened(Buffer.from(unsent.tokenSealed, "hex"))
      : unsent.kind === "approval"
        ? await linkApproval(organisationId, unsent.data.approvalId, key.sealing, withPgClient)
        : undefined;
    const wording = word(unsent, baseUrl, token);
    const where = await mailer.send({ id: mailId, to: unsent.recipient, ...wording });
    await record(withPgClient, (db) => db.query("select jobs.record_mail($1, $2)", [organisationId, mailId]));
    log.info({ mailId, kind: unsent.kind, where }, "mail sent");
  };
}

/** Stores the digest of an approval's token, then returns the token. */
async function linkApproval(
  organisationId: string,
  approvalId: string,
  sealing: Buffer,
  withPgClient: WithPgClient,
): Promise<string> {
  const { text, digest } = approvalToken(sealing, approvalId);
  await withPgClient((db) => db.query("select jobs.link_approval($1, $2, $3)", [organisationId, approvalId, digest]));
  return text;
}
