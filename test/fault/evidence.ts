/** What the oracle judges by: what the API acknowledged, what the database says, and what came to the receiver. */
import type { QueryResultRow } from "pg";
import { verify } from "../../src/delivery/signature.ts";
import type { Hook } from "../support/hooks.ts";

export type Sql = <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

export type Subscriber = { id: string; secret: string; hook: Hook };

export type Attempt = { number: number; statusCode: number | null; failure: string | null };

export type Delivery = {
  id: string;
  endpointId: string;
  eventId: string;
  state: "pending" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: string | null;
  /** Seconds for which it has been due with nobody at it; 0 or less when it is not. */
  overdue: number;
  log: Attempt[];
};

export type Post = {
  endpointId: string;
  deliveryId: string;
  body: string;
  signed: boolean;
  /** With which it was answered; undefined when the sender was gone, or the answer never went out. */
  status: number | undefined;
};

export type Evidence = {
  /** Ids of the runs for which a caller was told 202. */
  acknowledged: string[];
  runs: { id: string; state: string }[];
  /** Of the kind run.finished, as all that follows. */
  events: { id: string; runId: string }[];
  endpoints: { id: string; subscribed: boolean }[];
  deliveries: Delivery[];
  posts: Post[];
  /** Pools that hold jobs although no session of theirs lives, with how many. */
  deadPools: { pool: string; jobs: number }[];
};

/** All of one organisation; the pools of dead workers of all. */
export async function gather(
  sql: Sql,
  organisationId: string,
  acknowledged: string[],
  subscribers: Subscriber[],
): Promise<Evidence> {
  const all = <Row extends QueryResultRow>(text: string) => sql<Row>(text, [organisationId]);
  return {
    acknowledged: [...acknowledged],
    runs: await all("select id, state from app.runs where organisation_id = $1"),
    events: await all(
      `select id, data ->> 'runId' as "runId" from app.events where organisation_id = $1 and kind = 'run.finished'`,
    ),
    endpoints: await all(
      `select id, state = 'active' and deleted_at is null and 'run.finished' = any (events) as subscribed
       from app.webhook_endpoints where organisation_id = $1`,
    ),
    deliveries: await all(
      `select
         held.id, held.endpoint_id as "endpointId", held.event_id as "eventId", held.state, held.attempts,
         held.next_attempt_at::text as "nextAttemptAt",
         coalesce(extract(epoch from now() - greatest(held.next_attempt_at, held.claimed_until)), 0)::float8 as overdue,
         array(
           select json_build_object('number', tried.number, 'statusCode', tried.status_code, 'failure', tried.failure)
           from app.delivery_attempts tried
           where tried.organisation_id = held.organisation_id and tried.delivery_id = held.id
           order by tried.number
         ) as log
       from app.deliveries held
       where held.organisation_id = $1 and held.event = 'run.finished'`,
    ),
    posts: subscribers.flatMap(({ id, secret, hook }) =>
      hook
        .posts()
        .filter(({ headers }) => headers["x-botstead-event"] === "run.finished")
        .map((post) => ({
          endpointId: id,
          deliveryId: String(post.headers["x-botstead-delivery"]),
          body: post.body,
          signed: verify({
            secret,
            timestamp: Number(post.headers["x-botstead-timestamp"]),
            rawBody: post.body,
            signature: String(post.headers["x-botstead-signature"]),
            now: post.at.getTime() / 1000,
          }),
          status: hook.answered(post),
        })),
    ),
    // A pool of workers lives as long as the session that holds its advisory lock: sql/jobs/recovery.sql.
    deadPools: await sql(
      `select job.locked_by as pool, count(*)::integer as jobs
       from graphile_worker.jobs job
       where job.locked_by is not null
         and not exists (
           select from pg_locks held
           where held.locktype = 'advisory'
             and held.granted
             and held.database = (select oid from pg_database where datname = current_database())
             and (held.classid::bigint, held.objid::bigint, held.objsubid)
               = (20251120, hashtext(job.locked_by)::bigint & 4294967295, 2)
         )
       group by job.locked_by`,
    ),
  };
}

/**
 * Whether anything of the organisation is still to be done now; what waits for its next attempt is not. The first attempt
 * of a round counts whenever it is due: a delivery written between this transaction's now() and what its statement sees
 * would else be of the future.
 */
export async function isMoving(sql: Sql, organisationId: string): Promise<boolean> {
  const [found] = await sql<{ moving: boolean }>(
    `select
       exists (
         select from app.runs
         where organisation_id = $1 and state not in ('completed', 'failed', 'cancelled')
       )
       or exists (
         select from app.deliveries
         where organisation_id = $1
           and state = 'pending'
           and (attempts = attempts_before_round or next_attempt_at <= now() or claim_id is not null)
       ) as moving`,
    [organisationId],
  );
  return found?.moving ?? true;
}
