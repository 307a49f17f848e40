/**
 * The real worker over a test's database, and a clock that a test can move.
 */
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { type RunningWorker, startWorker } from "../../src/worker/worker.ts";
import type { TestDatabase } from "./database.ts";

/** @param settings environment variables beside those that a test needs, as WEBHOOK_ALLOW_RANGES and WEBHOOK_CA_FILE */
export function testWorker(db: TestDatabase, settings: Record<string, string> = {}): Promise<RunningWorker> {
  const config = readConfig({ DATA_DIR: db.dataDir, ...settings });
  return startWorker(config, db.adminUrl, db.key, pino({ level: "silent" }));
}

/**
 * Moves the clock by which attempts are due. Only the test's database has such a clock: there jobs.clock() is replaced
 * by one that is ahead, and the queue's jobs come due as much earlier.
 */
export async function moveClock(db: TestDatabase, by: string): Promise<void> {
  await db.sql("create schema if not exists test");
  await db.sql("create table if not exists test.clock (ahead interval not null)");
  await db.sql("grant usage on schema test to owner, worker; grant select on test.clock to owner, worker");
  await db.sql(
    `merge into test.clock using (select $1::interval as by) moved on true
     when matched then update set ahead = ahead + moved.by
     when not matched then insert values (moved.by)`,
    [by],
  );
  await db.sql(
    "create or replace function jobs.clock() returns timestamptz language sql stable as $$ select now() + ahead from test.clock $$",
  );
  // Jobs of deliveries know no clock but the database's own: each comes due when the moved one will say so.
  await db.sql(
    `update graphile_worker._private_jobs job
     set run_at = delivery.next_attempt_at - (select ahead from test.clock)
     from app.deliveries delivery
     where job.key = 'delivery:' || delivery.id::text and delivery.state = 'pending' and job.locked_at is null`,
  );
}

/** Asks until it holds. @throws Error when it does not within the time. */
export async function eventually(holds: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  for (const until = Date.now() + withinMs; !(await holds()); ) {
    if (Date.now() > until) throw new Error(`It did not come to hold within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
