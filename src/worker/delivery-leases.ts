/**
 * Groups what the delivery jobs of this process write and request into single calls of jobs.lease_deliveries. One job does not
 * wait for others; a hundred jobs share one commit. Two processes may call at the same time: SQL locks the endpoints.
 */

import type { WithClient } from "../database/connections/worker-pool.ts";
import { isOutage } from "../database/outage.ts";
import type { Outcome } from "../delivery/post.ts";
import { record } from "./record.ts";

export type Endpoint = { organisationId: string; endpointId: string };

/** The right to make one attempt. `secretSealed` is sealed as in app.webhook_endpoints. */
export type Lease = {
  deliveryId: string;
  leaseId: string;
  url: string;
  secretSealed: Buffer;
  event: string;
  body: string;
  /** The number of the attempt: 1 for the first. */
  attempt: number;
};

/** A delivery whose last attempt failed: it gets no retry. */
export type FailedDelivery = Endpoint & Pick<Lease, "deliveryId" | "event" | "attempt">;

export type Attempt = Outcome & Pick<Lease, "deliveryId" | "leaseId">;

export type Request = Endpoint & {
  /** An attempt to record. */
  attempt?: Attempt | undefined;
  /** Leases due deliveries of the endpoint, within its share. */
  wantsMore: boolean;
  /** Queues another job for the endpoint if deliveries remain due. It runs after all others that wait. */
  requeue: boolean;
};

export type DeliveryLeases = {
  /**
   * Records the attempt and returns the new leases; none unless the request wants more.
   *
   * @throws Error after a long outage or a rejected statement. Only the outcome is lost: the delivery is attempted again.
   */
  exchange(request: Request): Promise<Lease[]>;
};

type Waiting = Request & { resolve(leases: Lease[]): void; reject(error: unknown): void };

/** Outcomes wait this long after the last statement, so that they share one. The first request of a job does not wait. */
const gatherMs = 5;

/** With this many requests the next statement is sent at once. */
const fullBatch = 25;

/** Limit of one statement: in a larger one, losing the statement costs more than the size saves. */
const maxRequests = 200;

/** Two statements in flight, so that the database always has one to execute under load. */
const maxInFlight = 2;

const statement = {
  name: "lease_deliveries",
  text: `select endpoint_id as "endpointId", delivery_id as "deliveryId", lease_id as "leaseId", url,
    secret_sealed as "secretSealed", event, body, attempt from jobs.lease_deliveries($1, $2, true)`,
};

/** @param onFailed gets each delivery that an outcome ended as failed */
export function openDeliveryLeases(
  withClient: WithClient,
  onFailed: (failed: FailedDelivery) => void = () => {},
): DeliveryLeases {
  let waiting: Waiting[] = [];
  let gathering = false;
  let inFlight = 0;
  let timer: NodeJS.Timeout | undefined;
  let sentAt = 0;

  function schedule(): void {
    if (waiting.length === 0 || gathering || inFlight >= maxInFlight) return;
    const wait = sentAt + gatherMs - performance.now();
    const idle = inFlight === 0;
    if (waiting.length >= fullBatch || (idle && (wait <= 0 || waiting.some(({ attempt }) => !attempt)))) gather();
    else if (idle) timer ??= setTimeout(gather, wait);
  }

  function gather(): void {
    clearTimeout(timer);
    timer = undefined;
    gathering = true;
    setImmediate(send); // includes requests made later in this turn of the event loop
  }

  async function send(): Promise<void> {
    gathering = false;
    inFlight += 1;
    const batch = waiting.slice(0, maxRequests);
    waiting = waiting.slice(maxRequests);
    schedule();
    await settle(batch);
    sentAt = performance.now();
    inFlight -= 1;
    schedule();
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const leases = await execute(batch);
      const receivers = new Map(
        batch.filter(({ wantsMore }) => wantsMore).map((request) => [request.endpointId, request]),
      );
      for (const request of batch) {
        const { endpointId } = request;
        request.resolve(receivers.get(endpointId) === request ? (leases.get(endpointId) ?? []) : []);
      }
    } catch (error) {
      // One rejected request must not fail the others, so each is sent alone. An outage fails all of them.
      if (batch.length > 1 && !isOutage(error)) for (const request of batch) await settle([request]);
      else for (const request of batch) request.reject(error);
    }
  }

  async function execute(batch: Waiting[]): Promise<Map<string, Lease[]>> {
    const endpoints = new Map<string, Request>();
    for (const { organisationId, endpointId, wantsMore, requeue } of batch) {
      const same = endpoints.get(endpointId);
      endpoints.set(endpointId, {
        organisationId,
        endpointId,
        wantsMore: wantsMore || same?.wantsMore === true,
        requeue: requeue || same?.requeue === true,
      });
    }
    const outcomes = batch.flatMap(({ organisationId, endpointId, attempt }) =>
      attempt ? [{ organisationId, endpointId, ...attempt }] : [],
    );
    const values = [JSON.stringify([...endpoints.values()]), JSON.stringify(outcomes)];
    const { rows } = await record(withClient, (db) => db.query<Lease & Endpoint>({ ...statement, values }));
    const [failed, leased] = [rows.filter(({ leaseId }) => !leaseId), rows.filter(({ leaseId }) => leaseId)];
    for (const { endpointId, deliveryId, event, attempt } of failed) {
      const organisationId = endpoints.get(endpointId)?.organisationId ?? "";
      onFailed({ organisationId, endpointId, deliveryId, event, attempt });
    }
    return Map.groupBy(leased, ({ endpointId }) => endpointId);
  }

  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...request, resolve, reject });
        schedule();
      }),
  };
}
