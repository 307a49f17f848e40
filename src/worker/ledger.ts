/**
 * What the visits of this process say to the database, and what they are given: in one statement (jobs.attend) goes all
 * that came up while the last one was under way. So a single visit never waits to be company, and a hundred cost one
 * commit. The database decides; two processes that ask at once do no harm.
 */
import { isOutage } from "../database/outage.ts";
import type { WithClient } from "../database/shared-client.ts";
import type { Outcome } from "../delivery/post.ts";
import { record } from "./record.ts";

export type Endpoint = { organisationId: string; endpointId: string };

/** Leave to make one attempt. `secretSealed` is sealed as in app.webhook_endpoints. */
export type Claim = {
  deliveryId: string;
  claimId: string;
  url: string;
  secretSealed: Buffer;
  event: string;
  body: string;
};

export type Made = Outcome & Pick<Claim, "deliveryId" | "claimId">;

export type Entry = Endpoint & {
  /** What came of an attempt. */
  made?: Made | undefined;
  /** Asks for what is due at the endpoint, as much as its share allows. */
  more: boolean;
  /** Wants another visit to be queued where something stays due. */
  handOver: boolean;
};

export type Ledger = {
  /**
   * Records, and answers what is to be posted next; nothing for an entry that wants no more.
   *
   * @throws Error when the database was away for too long, or did not understand us. Nothing is lost then but the outcome.
   */
  attend(entry: Entry): Promise<Claim[]>;
};

type Waiting = Entry & { resolve(claims: Claim[]): void; reject(error: unknown): void };

/**
 * How long after a statement outcomes wait for company. Whoever comes to ask for the first time does not wait, and takes
 * along who does.
 */
const holdMs = 5;

/** So many wait for no more: while they are recorded, the others are being posted. */
const enough = 25;

/** Of one statement; beyond it, what a lost statement would cost grows more than what a larger one saves. */
const mostEntries = 200;

/** Statements on their way: where there is much to do the next is there when one has been carried out. */
const mostAtOnce = 2;

const statement = {
  name: "attend",
  text: `select endpoint_id as "endpointId", delivery_id as "deliveryId", claim_id as "claimId", url,
    secret_sealed as "secretSealed", event, body from jobs.attend($1, $2)`,
};

export function openLedger(withClient: WithClient): Ledger {
  let waiting: Waiting[] = [];
  let gathering = false;
  let writing = 0;
  let held: NodeJS.Timeout | undefined;
  let wroteAt = 0;

  function schedule(): void {
    if (waiting.length === 0 || gathering || writing >= mostAtOnce) return;
    const wait = wroteAt + holdMs - performance.now();
    const alone = writing === 0;
    if (waiting.length >= enough || (alone && (wait <= 0 || waiting.some(({ made }) => made === undefined)))) gather();
    else if (alone) held ??= setTimeout(gather, wait);
  }

  function gather(): void {
    clearTimeout(held);
    held = undefined;
    gathering = true;
    setImmediate(write); // together with whatever else this turn of the event loop brings
  }

  async function write(): Promise<void> {
    gathering = false;
    writing += 1;
    const batch = waiting.slice(0, mostEntries);
    waiting = waiting.slice(mostEntries);
    schedule();
    await settle(batch);
    wroteAt = performance.now();
    writing -= 1;
    schedule();
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const claims = await send(batch);
      const wanting = new Map(batch.filter(({ more }) => more).map((entry) => [entry.endpointId, entry]));
      for (const entry of batch) {
        entry.resolve(wanting.get(entry.endpointId) === entry ? (claims.get(entry.endpointId) ?? []) : []);
      }
    } catch (error) {
      // What one entry did must not be the undoing of all the others; an outage was everybody's.
      if (batch.length > 1 && !isOutage(error)) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) entry.reject(error);
    }
  }

  async function send(batch: Waiting[]): Promise<Map<string, Claim[]>> {
    const visits = new Map<string, Entry>();
    for (const { organisationId, endpointId, more, handOver } of batch) {
      const same = visits.get(endpointId) ?? { organisationId, endpointId, more: false, handOver: false };
      visits.set(endpointId, { ...same, more: same.more || more, handOver: same.handOver || handOver });
    }
    const outcomes = batch.flatMap(({ organisationId, endpointId, made }) =>
      made ? [{ organisationId, endpointId, ...made }] : [],
    );
    const values = [JSON.stringify([...visits.values()]), JSON.stringify(outcomes)];
    const { rows } = await record(withClient, (db) => db.query<Claim & Endpoint>({ ...statement, values }));
    return Map.groupBy(rows, ({ endpointId }) => endpointId);
  }

  return {
    attend: (entry) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...entry, resolve, reject });
        schedule();
      }),
  };
}
