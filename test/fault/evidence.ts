/** Evidence for the oracle: what the API acknowledged, the database contains, and the receiver got. */
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
  /** Seconds since the delivery became due, without a worker that leases it; 0 or less if it is not due. */
  overdue: number;
  log: Attempt[];
};

export type Post = {
  endpointId: string;
  deliveryId: string;
  body: string;
  signed: boolean;
  /** Status of the response; undefined if the sender disconnected or the response was never sent. */
  status: number | undefined;
};

export type Evidence = {
  /** Ids of the runs that a caller got a 202 for. */
  acknowledged: string[];
  runs: { id: string; state: string }[];
  /** Events of the kind run.finished, as in the fields below. */
  events: { id: string; runId: string }[];
  endpoints: { id: string; subscribed: boolean }[];
  deliveries: Delivery[];
  posts: Post[];
  /** Worker pools without a live session that still lock jobs, with the number of jobs. */
  deadWorkerPools: { pool: string; jobs: number }[];
};

/** Gathers the rows of one organisation, and the dead worker pools of the whole database. */
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
         delivery.id, delivery.endpoint_id as "endpointId", delivery.event_id as "eventId", delivery.state, delivery.attempts,
         delivery.next_attempt_at::text as "nextAttemptAt",
         coalesce(extract(epoch from now() - greatest(delivery.next_attempt_at, delivery.lease_until)), 0)::float8 as overdue,
         array(
           select json_build_object('number', tried.number, 'statusCode', tried.status_code, 'failure', tried.failure)
           from app.delivery_attempts tried
           where tried.organisation_id = delivery.organisation_id and tried.delivery_id = delivery.id
           order by tried.number
         ) as log
       from app.deliveries delivery
       where delivery.organisation_id = $1 and delivery.event = 'run.finished'`,
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
    deadWorkerPools: await deadWorkerPools(sql),
  };
}

/** A pool of workers lives as long as its session: sql/jobs/recovery.sql. */
export const deadWorkerPools = (sql: Sql): Promise<Evidence["deadWorkerPools"]> =>
  sql(
    `select job.locked_by as pool, count(*)::integer as jobs
     from graphile_worker.jobs job
     where job.locked_by is not null
       and not exists (
         select from app.worker_pools
         join pg_stat_activity session on session.pid = worker_pools.pid and session.backend_start = session_started_at
         where worker_pools.pool = job.locked_by
       )
     group by job.locked_by`,
  );

/**
 * Whether work of the organisation is due now. A delivery that waits for a retry does not count. The first attempt of a
 * round always counts: otherwise a delivery written after this transaction's now() would seem to be due in the future.
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
           and (attempts = attempts_before_round or next_attempt_at <= now() or lease_id is not null)
       ) as moving`,
    [organisationId],
  );
  return found?.moving ?? true;
}
