/**
 * One mail. Its row says to whom and about what; the words are here. (decisions: section 4.)
 */
import type { Task } from "graphile-worker";
import type { Log } from "../../log.ts";
import type { Mail, Mailer } from "../mailer.ts";
import { record } from "../record.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      send_mail: { organisationId: string; mailId: string };
    }
  }
}

type Unsent = { kind: "welcome"; recipient: string; data: { organisation: string } };

export function sendMail(mailer: Mailer, log: Log): Task<"send_mail"> {
  return async ({ organisationId, mailId }, { withPgClient }) => {
    const unsent = await withPgClient(async (db) => {
      const { rows } = await db.query<{ mail: Unsent | null }>("select jobs.claim_mail($1, $2) as mail", [
        organisationId,
        mailId,
      ]);
      return rows[0]?.mail;
    });
    if (!unsent) return; // sent already
    const where = await mailer.send(word(mailId, unsent));
    await record(withPgClient, (db) => db.query("select jobs.record_mail($1, $2)", [organisationId, mailId]));
    log.info({ mailId, kind: unsent.kind, where }, "mail sent");
  };
}

function word(id: string, { recipient, data }: Unsent): Mail {
  return {
    id,
    to: recipient,
    subject: `You own ${data.organisation} on Botstead`,
    text: [
      "Hello,",
      "",
      `the organisation ${data.organisation} was set up on Botstead, and you are its owner.`,
      "Whoever set it up can give you its first API key.",
      "",
    ].join("\n"),
  };
}
