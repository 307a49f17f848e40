/**
 * The job that sends the due deliveries of one endpoint, in parallel up to the endpoint's share. After 0.5 s the worker
 * requeues the endpoint, so that one endpoint cannot starve others. Shares, retry schedule and disabling: sql/jobs. A failing receiver is an outcome;
 * an exception is a bug of Botstead. (docs/specification/deliveries.md#attempts)
 */
import { createSecretKey } from "node:crypto";
import { deliveryHeaders, type SigningKeys, signingKeys } from "../delivery/headers.ts";
import { isDelivered, type Outcome, type Poster } from "../delivery/post.ts";
import type { Log } from "../log.ts";
import { openWith } from "../secrets/seal.ts";
import type { Attempt, DeliveryLeases, Endpoint, Lease } from "./delivery-leases.ts";
import type { Signers } from "./signers.ts";

/** Nothing is sent without a signature. The delivery waits for a new secret. (docs/specification/deliveries.md#retries) */
export const unopened: Outcome = { statusCode: null, failure: "secret", retryAfterSeconds: null, durationMs: 0 };

/** After this time no more deliveries are leased. */
const leaseTimeMs = 500;

export type DeliverySettings = {
  /** Records outcomes and leases further deliveries. */
  leases: DeliveryLeases;
  /** Leases the first deliveries of a job, on another connection. So they do not wait for outcomes of other endpoints. */
  firstLeases: DeliveryLeases;
  poster: Poster;
  /** The key that webhook secrets are sealed under. */
  sealing: Buffer;
  signers: Signers;
  /** Once aborted, no more deliveries are leased. */
  stopping: AbortSignal;
  log: Log;
};

declare global {
  namespace GraphileWorker {
    interface Tasks {
      deliver_to_endpoint: Endpoint;
    }
  }
}

/** @param job its signal aborts the attempts */
export type Deliver = (endpoint: Endpoint, job?: { abortSignal?: AbortSignal | undefined }) => Promise<void>;

export function openDeliver(settings: DeliverySettings): Deliver {
  const { leases, firstLeases, poster, signers, stopping, log } = settings;
  const sealingKey = createSecretKey(settings.sealing);
  /**
   * Outcomes that are not recorded yet, by attempt. A crash of the database can lose a lease, and an outage can be longer
   * than a lease. If this process leases the delivery again, it records this outcome instead of posting twice.
   */
  const unrecorded = new Map<string, Promise<Outcome>>();

  return async ({ organisationId, endpointId }, { abortSignal } = {}) => {
    const leaseUntil = performance.now() + leaseTimeMs;
    let inFlight = 0;
    let requeued = false;
    let opened: { sealed: Buffer; keys: SigningKeys | undefined } | undefined;

    /** Opens the secret once, and again after a rotation. Undefined if it is sealed under another master key. */
    function keysIn(sealed: Buffer): SigningKeys | undefined {
      if (!opened?.sealed.equals(sealed)) {
        const secret = openWith([sealingKey], "webhook-secret", sealed);
        opened = { sealed, keys: secret === undefined ? undefined : signingKeys(secret) };
      }
      return opened.keys;
    }

    async function post({ deliveryId, url, event, body }: Lease, keys: SigningKeys): Promise<Outcome> {
      const headers = deliveryHeaders({ deliveryId, event, body, keys, privateKeys: signers.keys(), at: new Date() });
      return poster.post({ url, headers, body }, abortSignal);
    }

    function note({ deliveryId, url, event, attempt }: Lease, outcome: Outcome): Outcome {
      const { statusCode, failure, durationMs } = outcome;
      const host = URL.parse(url)?.host;
      const line = { organisationId, endpointId, deliveryId, event, attempt, host, statusCode, failure, durationMs };
      if (isDelivered(outcome)) log.debug(line, "delivered");
      else log.info(line, "delivery attempt failed");
      return outcome;
    }

    async function makeAttempt(lease: Lease): Promise<Attempt> {
      const { deliveryId, leaseId } = lease;
      const keys = keysIn(lease.secretSealed);
      // Not in `unrecorded`: a lease after a rotation must be attempted, and nothing was posted before.
      if (!keys) return { deliveryId, leaseId, ...note(lease, unopened) };
      const outcome = unrecorded.get(nameOf(lease)) ?? post(lease, keys).then((made) => note(lease, made));
      unrecorded.set(nameOf(lease), outcome);
      return { deliveryId, leaseId, ...(await outcome) };
    }

    function forget(lease: Lease): void {
      if (keysIn(lease.secretSealed)) unrecorded.delete(nameOf(lease));
    }

    async function exchange(attempt?: Attempt): Promise<Lease[]> {
      const wantsMore = performance.now() < leaseUntil && !stopping.aborted;
      // Requeues when the time is over, so that due deliveries don't wait for the slowest attempt. Requeues again after
      // the last attempt: a job in between may have found the share of a degraded endpoint in use.
      const requeue = !wantsMore && (!requeued || inFlight === 0);
      requeued ||= requeue;
      return (attempt ? leases : firstLeases).exchange({ organisationId, endpointId, attempt, wantsMore, requeue });
    }

    async function attemptAll(due: Lease[]): Promise<void> {
      inFlight += due.length;
      await Promise.all(
        due.map(async (lease) => {
          const made = makeAttempt(lease).finally(() => {
            inFlight -= 1;
          });
          await attemptAll(await made.then(exchange).finally(() => forget(lease)));
        }),
      );
    }

    await attemptAll(await exchange());
  };
}

const nameOf = ({ deliveryId, attempt }: Lease): string => `${deliveryId} ${attempt}`;
