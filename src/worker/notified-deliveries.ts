/**
 * Delivers at once what the database notifies this worker of: deliveries to endpoints where nothing else is due. They skip
 * the job queue. (sql/jobs/notified_deliveries.sql, docs/decisions/0024-deliveries.md)
 */
import { randomBytes } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { Client, Notification } from "pg";
import { faultOf, type Log } from "../log.ts";
import type { Deliver } from "./deliver.ts";
import type { DeliveryLeases, Endpoint, Lease } from "./delivery-leases.ts";

/** Endpoints of further notifications get a job. Half as many as jobs, so that hanging receivers add no more than that. */
const maxNotified = 100;

type Notified = Endpoint & { deliveryId: string };

const statement = {
  name: "lease_notified_deliveries",
  text: `select delivery_id as "deliveryId", lease_id as "leaseId", url, secret_sealed as "secretSealed", event, body, attempt
    from jobs.lease_notified_deliveries($1, $2, $3)`,
};

export type NotifiedDeliveries = {
  /** Listens on a new connection, which shows the worker pool alive. */
  begin(client: Client, pool: string): Promise<void>;
  /** Marks the worker pool as alive; call it every 10 seconds. Until stop, the worker is notified of deliveries. */
  register(client: Client, pool: string): Promise<void>;
  /** Queues a job for each further notification, waits for attempts under way, and aborts them after the stop time-out. */
  stop(): Promise<void>;
};

export type NotifiedSettings = {
  deliver: Deliver;
  leases: DeliveryLeases;
  stopTimeoutMs: number;
  log: Log;
};

export function openNotifiedDeliveries({ deliver, leases, stopTimeoutMs, log }: NotifiedSettings): NotifiedDeliveries {
  const channel = `deliveries_${randomBytes(16).toString("hex")}`;
  const aborted = new AbortController();
  const underWay = new Set<Promise<void>>();
  let current: { client: Client; pool: string } | undefined;
  let waiting: Notified[] = [];
  let delivering = 0;
  let isLeasing = false;
  let stopping = false;

  async function register(client: Client, pool: string): Promise<void> {
    await client.query("select jobs.register_worker_pool($1, $2)", [pool, stopping ? null : channel]);
  }

  function receive(client: Client, { channel: from, payload = "" }: Notification): void {
    if (from !== channel) return;
    const [organisationId = "", endpointId = "", deliveryId = ""] = payload.split(" ");
    if (stopping || delivering + waiting.length >= maxNotified) {
      track(leases.exchange({ organisationId, endpointId, wantsMore: false, requeue: true, first: true }));
      return;
    }
    waiting.push({ organisationId, endpointId, deliveryId });
    if (!isLeasing) track(leaseWaiting(client));
  }

  /** One statement at a time: notifications that arrive meanwhile share the next one. */
  async function leaseWaiting(client: Client): Promise<void> {
    isLeasing = true;
    await turn(); // further notifications of the same transaction
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      delivering += batch.length;
      const leased = await lease(client, batch);
      for (const { deliveryId, ...endpoint } of batch) {
        const granted = leased.get(deliveryId);
        track(
          deliver(endpoint, aborted.signal, granted && [granted]).finally(() => {
            delivering -= 1;
          }),
        );
      }
    }
    isLeasing = false;
  }

  /** After an error, leases all due deliveries of the endpoints as a job does, which waits for the database. */
  async function lease(client: Client, batch: Notified[]): Promise<Map<string, Lease>> {
    const values = (["organisationId", "endpointId", "deliveryId"] as const).map((id) => batch.map((each) => each[id]));
    try {
      const { rows } = await client.query<Lease>({ ...statement, values });
      return new Map(rows.map((each) => [each.deliveryId, each]));
    } catch (error) {
      log.warn({ error: faultOf(error) }, "leasing notified deliveries failed, will lease all that is due there");
      return new Map();
    }
  }

  function track(work: Promise<unknown>): void {
    const tracked = work
      .then(
        () => {},
        (error) =>
          log.error({ error: faultOf(error) }, "notified delivery failed, maintenance will queue its endpoint"),
      )
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  return {
    async begin(client, pool) {
      current = { client, pool };
      client.on("notification", (message) => receive(client, message));
      await client.query(`listen ${channel}`);
      await register(client, pool);
    },
    register,
    async stop() {
      stopping = true;
      const timer = setTimeout(() => aborted.abort(), stopTimeoutMs);
      if (current) await register(current.client, current.pool).catch(() => {}); // the connection is lost
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(timer);
    },
  };
}
