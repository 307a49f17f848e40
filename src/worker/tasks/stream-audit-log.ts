/**
 * Sends the next part of an organisation's audit log. One job is one attempt; recording its outcome queues the next job.
 * Order, retries and disabling: sql/jobs/audit_streams.sql. (docs/specification/audit-log.md#stream)
 */
import { createSecretKey } from "node:crypto";
import type { Task } from "graphile-worker";
import { deliveryHeaders, signingKeys } from "../../delivery/headers.ts";
import { isDelivered, type Poster } from "../../delivery/post.ts";
import type { Log } from "../../log.ts";
import { openWith } from "../../secrets/seal.ts";
import { unopened } from "../deliver.ts";
import { record } from "../record.ts";
import type { Signers } from "../signers.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      stream_audit_log: { organisationId: string };
    }
  }
}

type Part = { leaseId: string; partId: string; url: string; secretSealed: Buffer; body: string };

/** @param settings.sealing the key that secrets are sealed under */
export function streamAuditLog(settings: {
  poster: Poster;
  sealing: Buffer;
  signers: Signers;
  log: Log;
}): Task<"stream_audit_log"> {
  const { poster, signers, log } = settings;
  const sealingKey = createSecretKey(settings.sealing);

  return async ({ organisationId }, { withPgClient, abortSignal }) => {
    const part = await withPgClient(async (db) => {
      const { rows } = await db.query<Part>(
        `select lease_id as "leaseId", part_id as "partId", url, secret_sealed as "secretSealed", body
         from jobs.lease_audit_part($1)`,
        [organisationId],
      );
      return rows[0];
    });
    if (!part) return; // nothing to send, not due, or another worker sends it
    const { leaseId, partId, url, body } = part;
    const secret = openWith([sealingKey], "webhook-secret", part.secretSealed);
    const sign = (keys: string) =>
      deliveryHeaders({
        deliveryId: partId,
        event: "audit.entries",
        body,
        keys: signingKeys(keys),
        privateKeys: signers.keys(),
        at: new Date(),
      });
    const outcome =
      secret === undefined ? unopened : await poster.post({ url, headers: sign(secret), body }, abortSignal);
    const { statusCode, failure, durationMs } = outcome;
    const line = { organisationId, partId, host: URL.parse(url)?.host, statusCode, failure, durationMs };
    if (isDelivered(outcome)) log.debug(line, "part of an audit log sent");
    else log.info(line, "sending a part of an audit log failed, will retry");
    const state = await record(withPgClient, async (db) => {
      const { rows } = await db.query<{ state: string | null }>("select jobs.record_audit_part($1, $2, $3) as state", [
        organisationId,
        leaseId,
        JSON.stringify(outcome),
      ]);
      return rows[0]?.state;
    });
    if (state === "disabled") log.warn({ organisationId }, "the stream of an audit log is disabled");
  };
}
