/**
 * One mail. Its row says to whom and about what; worker/wording.ts says it; worker/mailer.ts sends it. (decisions:
 * section 4.)
 */
import type { Task, WithPgClient } from "graphile-worker";
import type { Log } from "../../log.ts";
import { approvalToken } from "../../secrets/approval-token.ts";
import { open } from "../../secrets/seal.ts";
import type { Mailer } from "../mailer.ts";
import { record } from "../record.ts";
import { type Unsent, word } from "../wording.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      send_mail: { organisationId: string; mailId: string };
    }
  }
}

/**
 * @param sealing the key that tokens of links are sealed under, or made from
 * @param baseUrl where the links lead
 */
export function sendMail(mailer: Mailer, sealing: Buffer, baseUrl: string, log: Log): Task<"send_mail"> {
  return async ({ organisationId, mailId }, { withPgClient }) => {
    const unsent = await withPgClient(async (db) => {
      const { rows } = await db.query<{ mail: (Unsent & { tokenSealed: string | null }) | null }>(
        "select jobs.claim_mail($1, $2) as mail",
        [organisationId, mailId],
      );
      return rows[0]?.mail;
    });
    if (!unsent) return; // sent already, or withdrawn
    const token = unsent.tokenSealed
      ? open(sealing, "invitation-token", Buffer.from(unsent.tokenSealed, "hex"))
      : unsent.kind === "approval"
        ? await linkApproval(organisationId, unsent.data.approvalId, sealing, withPgClient)
        : undefined;
    const wording = word(unsent, baseUrl, token);
    const where = await mailer.send({ id: mailId, to: unsent.recipient, ...wording });
    await record(withPgClient, (db) => db.query("select jobs.record_mail($1, $2)", [organisationId, mailId]));
    log.info({ mailId, kind: unsent.kind, where }, "mail sent");
  };
}

/** Answers the token of a card's link, once it opens the card. */
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
