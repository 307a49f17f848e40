/** The moment in which the owner changes: one commit at the source. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Cell, finds, type Move, recoveryFactor, waitingForLocks } from "./cell.ts";
import { nameOf } from "./guards.ts";

/** Writes of the organisation wait at most about this long in an attempt: for writes under way, then for the target. */
const lockTimeoutMs = 300;
const applyTimeoutMs = 600;
const maxAttempts = 100;
/** Bytes of WAL that the target may be behind when writes are stopped: some 50 ms at 500 writes a second. */
const closeBytes = 256 * 1024;
/** A target that does not come closer gets its attempt too. */
const closeTimeoutMs = 10_000;

/**
 * Stops the writes of the organisation, waits until the target has them all on disk, and makes the target the owner. If the
 * process or a server ends before the commit, the lock goes with its session and the source continues.
 *
 * @returns how long writes waited, in ms
 */
export async function switchOwner({ source, target, organisation }: Move): Promise<number> {
  const [move] = await source.rows<{ lock: string }>(
    "select lock_number::text as lock from app.organisation_moves where organisation_id = $1",
    [organisation],
  );
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await untilClose(source, nameOf(organisation));
    const began = performance.now();
    if (!(await waitingForLocks(source, lockTimeoutMs, "select pg_advisory_lock($1)", [move?.lock ?? ""]))) {
      try {
        const position = await mark(source, organisation);
        if (position && (await hasAll(target, nameOf(organisation), position))) {
          await target.rows("select pg_logical_emit_message(false, 'botstead_move', '', true)"); // flushes the applied changes
          await depart(source, target, organisation);
          const pauseMs = performance.now() - began;
          await wakeReaders(source, organisation);
          return pauseMs;
        }
      } finally {
        await source.rows("select pg_advisory_unlock($1)", [move?.lock ?? ""]);
      }
    }
    await sleep(recoveryFactor * (performance.now() - began)); // writes continue meanwhile
  }
  throw new Error(
    "The target was never up to date within 0.6 s, or a write took longer than 0.3 s. Continue the move with --resume.",
  );
}

/** Writes continue until the target is so close behind that the wait is short. */
async function untilClose(source: Cell, subscription: string): Promise<void> {
  const text =
    "select from pg_stat_replication where application_name = $1 and pg_current_wal_insert_lsn() - replay_lsn < $2::numeric";
  for (const until = performance.now() + closeTimeoutMs; performance.now() < until; await sleep(20)) {
    if (await finds(source, text, [subscription, closeBytes])) return;
  }
}

/**
 * A change that the target receives after all others. A call that locked the row of the organisation waits for this move in the
 * trigger of its write, so the wait here is short: then the call continues, and the switch is tried again.
 *
 * @returns a position in the WAL after all other changes; undefined if a call has the row
 */
async function mark(source: Cell, organisation: string): Promise<string | undefined> {
  const [row] = await source.rows<{ position: string }>("select pg_current_wal_insert_lsn()::text as position");
  const text = "update app.organisations set name = name where id = $1";
  return (await waitingForLocks(source, lockTimeoutMs, text, [organisation])) ? undefined : row?.position;
}

async function hasAll(target: Cell, subscription: string, position: string): Promise<boolean> {
  const text = `select coalesce(pg_replication_origin_progress('pg_' || subscription.oid, false) >= $2::pg_lsn, false) as has_all
    from pg_subscription subscription where subscription.subname = $1`;
  for (const until = performance.now() + applyTimeoutMs; performance.now() < until; await sleep(5)) {
    const [row] = await target.rows<{ has_all: boolean }>(text, [subscription, position]);
    if (row?.has_all) return true;
  }
  return false;
}

/** The target learns the credentials first, and answers 503 to calls that reach it before its rows are visible. */
async function depart(source: Cell, target: Cell, organisation: string): Promise<void> {
  const [row] = await source.rows<{ credentials: Buffer[] }>("select service.credentials_of($1) as credentials", [
    organisation,
  ]);
  const credentials = row?.credentials ?? [];
  await target.rows("update app.organisation_moves set credentials = $2 where organisation_id = $1", [
    organisation,
    credentials,
  ]);
  await source.rows(
    `update app.organisation_moves move
     set state = 'departed', credentials = $2
     where move.organisation_id = $1 and move.state = 'leaving'`,
    [organisation, credentials],
  );
}

/**
 * Open streams and waiting reads at the source read again; they continue at the target. Streams of runs in other states, which no
 * index finds, do so with their next heartbeat.
 */
async function wakeReaders(source: Cell, organisation: string): Promise<void> {
  await source.rows(
    `select pg_notify(service.run_events_channel(), woken.id::text)
     from (
       select $1::uuid as id
       union all
       select run.id from app.runs run
       where run.organisation_id = $1 and run.state in ('queued', 'running')
     ) woken`,
    [organisation],
  );
}

/** Shows the rows at the target. From here on its API, workers and executors serve them. Maintenance queues their jobs. */
export async function activate({ target, organisation }: Move): Promise<void> {
  await target.rows(
    "update app.organisation_moves set state = 'arrived' where organisation_id = $1 and state = 'arriving'",
    [organisation],
  );
  await target.rows("select pg_notify('botstead_runs', '')");
}
