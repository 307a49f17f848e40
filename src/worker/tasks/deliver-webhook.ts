/**
 * One attempt at one delivery. What to post, the ladder, the count and the disabling live in sql/jobs/attempts.sql; a
 * receiver that fails is an outcome that is recorded, and a throw is our own fault. (Part 6.)
 */
import type { Task } from "graphile-worker";
import { deliveryHeaders } from "../../delivery/headers.ts";
import type { Poster } from "../../delivery/post.ts";
import { open } from "../../secrets/seal.ts";
import { record } from "../record.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      deliver_webhook: { organisationId: string; deliveryId: string };
    }
  }
}

type Claim = { claimId: string; url: string; secretSealed: string; event: string; body: string };

/** @param sealing the key that webhook secrets are sealed under */
export function deliverWebhook(poster: Poster, sealing: Buffer): Task<"deliver_webhook"> {
  return async ({ organisationId, deliveryId }, { withPgClient, abortSignal }) => {
    const claim = await withPgClient(async (db) => {
      const { rows } = await db.query<{ claim: Claim | null }>("select jobs.claim_attempt($1, $2) as claim", [
        organisationId,
        deliveryId,
      ]);
      return rows[0]?.claim;
    });
    if (!claim) return; // ended meanwhile, held by a pause, not yet due, or its endpoint is gone

    const started = new Date();
    const secret = open(sealing, "webhook-secret", Buffer.from(claim.secretSealed, "hex"));
    const headers = deliveryHeaders({ deliveryId, event: claim.event, body: claim.body, secret, at: started });
    const outcome = await poster.post({ url: claim.url, headers, body: claim.body }, abortSignal);

    await record(withPgClient, (db) =>
      db.query("select jobs.record_attempt($1, $2, $3, $4, $5, $6, $7)", [
        organisationId,
        deliveryId,
        claim.claimId,
        started,
        Math.round(outcome.durationMs),
        outcome.statusCode,
        outcome.failure,
      ]),
    );
  };
}
