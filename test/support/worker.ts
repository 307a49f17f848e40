/**
 * The real worker over a test's database, and a clock that a test can move.
 */
import { readConfig } from "../../src/config.ts";
import { workerExtensions } from "../../src/extensions/worker.ts";
import { type RunningWorker, startWorker } from "../../src/worker/worker.ts";
import type { TestDatabase } from "./database.ts";
import { log } from "./logged.ts";
import { type Program, runProgram } from "./program.ts";

/** @param settings environment variables in addition to the test defaults, for example WEBHOOK_ALLOW_RANGES */
export function testWorker(
  db: TestDatabase,
  settings: Record<string, string> = {},
  extensions = workerExtensions,
): Promise<RunningWorker> {
  const config = readConfig({ DATA_DIR: db.dataDir, ...settings });
  return startWorker(config, db.adminUrl, db.key, log, { extensions });
}

/** A worker in its own process, started like an operator would. @param settings environment variables */
export const workerProcess = ({ db, settings }: { db: TestDatabase; settings: Record<string, string> }): Program =>
  runProgram(["worker"], { env: { ...settings, DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });

/**
 * Moves the clock by which attempts are due. Only the test's database has such a clock: there times.clock() is replaced
 * by one that is ahead. The queue knows no clock but the database's own, so each of its jobs comes due at the moment
 * at which the moved one will say so, including jobs that are queued later.
 */
export async function moveClock(db: TestDatabase, by: string): Promise<void> {
  await db.sql(movableClock);
  await db.sql("update test.clock set ahead = ahead + $1::interval", [by]);
  await db.sql(
    `update graphile_worker._private_jobs job
     set run_at = job.run_at - $1::interval
     from graphile_worker._private_tasks task
     where task.id = job.task_id and task.identifier in ('deliver_to_endpoint', 'stream_audit_log') and job.locked_at is null`,
    [by],
  );
}

const movableClock = `
  create schema if not exists test;
  create table if not exists test.clock (singleton boolean primary key default true, ahead interval not null default '0');
  insert into test.clock default values on conflict do nothing;
  grant usage on schema test to owner, worker, tenant;
  grant select on test.clock to owner, worker, tenant;

  create or replace function times.clock() returns timestamptz
  language sql stable as $$ select now() + ahead from test.clock $$;

  create or replace function test.run_when_due() returns trigger
  language plpgsql security definer as $$
  begin
    if new.task_id in (select id from graphile_worker._private_tasks where identifier in ('deliver_to_endpoint', 'stream_audit_log')) then
      new.run_at := new.run_at - (select ahead from test.clock);
    end if;
    return new;
  end
  $$;
  create or replace trigger run_when_due before insert on graphile_worker._private_jobs
    for each row execute function test.run_when_due();
`;

/** Queued and running delivery jobs. @param where a condition on graphile_worker._private_jobs */
export const deliveryJobs = (db: TestDatabase, where = "true") =>
  db.sql<{ endpoint: string; locked_by: string | null; run_at: Date; priority: number }>(
    `select job.payload ->> 'endpointId' as endpoint, job.locked_by, job.run_at, job.priority
     from graphile_worker._private_jobs job
     join graphile_worker._private_tasks task on task.id = job.task_id
     where task.identifier = 'deliver_to_endpoint' and ${where}`,
  );

/** Whether this many worker processes have started since the call. */
export async function watchForWorker(sql: TestDatabase["sql"], count = 1): Promise<() => Promise<boolean>> {
  const living = async () => (await sql<{ id: string }>("select id from app.executors")).map(({ id }) => id);
  const before = new Set(await living());
  return async () => (await living()).filter((id) => !before.has(id)).length >= count;
}

export type Step = { deliveryId: string; leaseId: string; endpointId: string };

/** Calls jobs.lease_deliveries. Returns the leased deliveries. */
export async function leaseDeliveries(db: Queries, endpoints: object[], outcomes: object[] = []): Promise<Step[]> {
  const { rows } = await db.query(
    `select endpoint_id as "endpointId", delivery_id as "deliveryId", lease_id as "leaseId" from jobs.lease_deliveries($1, $2)`,
    [JSON.stringify(endpoints), JSON.stringify(outcomes)],
  );
  return rows;
}

type Queries = { query(text: string, values: unknown[]): Promise<{ rows: Step[] }> };

/** How long a test waits for what it expects, also on a busy machine. */
export const longestWaitMs = 240_000;

/**
 * Asks until it holds, every 25 ms at first and every 250 ms at last: a minute of calls stays below a key's 300 a minute.
 *
 * @throws Error when it does not hold within the time
 */
export async function eventually(holds: () => Promise<boolean>, withinMs = longestWaitMs): Promise<void> {
  let pauseMs = 25;
  for (const until = Date.now() + withinMs; !(await holds()); pauseMs = Math.min(pauseMs * 1.1, 250)) {
    if (Date.now() > until) throw new Error(`It did not come to hold within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs)); // between two questions
  }
}
