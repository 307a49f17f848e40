/**
 * A visit to an endpoint: what is due there is posted, as many at a time as the endpoint's share allows, until nothing
 * is due or the visit's turn is over; then what remains is for another visit, behind all that wait. What to post, how
 * many, the ladder, the count and the disabling live in sql/jobs; a receiver that fails is an outcome that is recorded,
 * and a throw is our own fault. (Part 6.)
 */
import { createSecretKey } from "node:crypto";
import type { Task } from "graphile-worker";
import { deliveryHeaders, type SigningKeys, signingKeys } from "../../delivery/headers.ts";
import type { Poster } from "../../delivery/post.ts";
import { open } from "../../secrets/seal.ts";
import type { Claim, Ledger, Made } from "../ledger.ts";

declare global {
  namespace GraphileWorker {
    interface Tasks {
      visit_endpoint: { organisationId: string; endpointId: string };
    }
  }
}

/** After this long a visit gives its place to the next that waits. */
const turnMs = 500;

export type VisitSettings = {
  ledger: Ledger;
  poster: Poster;
  /** The key that webhook secrets are sealed under. */
  sealing: Buffer;
  /** Ends the turn of every visit. */
  stopping: AbortSignal;
};

export function visitEndpoint({ ledger, poster, sealing, stopping }: VisitSettings): Task<"visit_endpoint"> {
  const sealingKey = createSecretKey(sealing);

  return async ({ organisationId, endpointId }, { abortSignal }) => {
    const turnEnds = performance.now() + turnMs;
    let underWay = 0;
    let handedOver = false;
    let opened: { sealed: Buffer; keys: SigningKeys } | undefined;

    /** Opened once a visit, and again when the secret was rotated meanwhile. */
    function keysIn(sealed: Buffer): SigningKeys {
      if (!opened?.sealed.equals(sealed)) {
        opened = { sealed, keys: signingKeys(open(sealingKey, "webhook-secret", sealed)) };
      }
      return opened.keys;
    }

    async function attempt({ deliveryId, claimId, url, secretSealed, event, body }: Claim): Promise<Made> {
      const headers = deliveryHeaders({ deliveryId, event, body, keys: keysIn(secretSealed), at: new Date() });
      return { deliveryId, claimId, ...(await poster.post({ url, headers, body }, abortSignal)) };
    }

    async function goOn(made?: Made): Promise<void> {
      const more = performance.now() < turnEnds && !stopping.aborted;
      // Once when the turn ends, so that nothing waits for the slowest of what is under way; and once more when that has
      // ended, since the visit that came in between may have found the share of a troubled endpoint used.
      const handOver = !more && (!handedOver || underWay === 0);
      handedOver ||= handOver;
      const claims = await ledger.attend({ organisationId, endpointId, made, more, handOver });
      underWay += claims.length;
      await Promise.all(
        claims.map(async (claim) => {
          const outcome = await attempt(claim).finally(() => {
            underWay -= 1;
          });
          await goOn(outcome);
        }),
      );
    }

    await goOn();
  };
}
