/**
 * One process at a time works on a move. Two would undo each other's steps: one that aborts deletes the copy to which the other
 * switches.
 */
import { type Cell, holdsAdvisoryLock, type Move, waitingForLocks } from "./cell.ts";
import { MoveRefused } from "./conditions.ts";

/** The session of a mover that was killed ends about a second later (cells.ts). */
const lockTimeoutMs = 5_000;

/** @throws MoveRefused if a move from here or to here has not ended */
export async function refuseSecondMove({ source, organisation }: Move): Promise<void> {
  const [other] = await source.rows<{ state: string }>(
    "select state from app.organisation_moves where organisation_id = $1 and state <> 'moved'",
    [organisation],
  );
  if (!other) return;
  const isFromHere = ["leaving", "departed"].includes(other.state);
  throw new MoveRefused(
    isFromHere
      ? "A move of this organisation is under way. Continue it with --resume, or end it with --abort."
      : "The move of this organisation to this cell has not ended. End it at its source with --resume.",
  );
}

/** Records the move at the source. @throws MoveRefused if another process has just recorded one, or the organisation is deleted */
export async function recordMove(move: Move): Promise<void> {
  const recorded = await move.source.rows(
    `insert into app.organisation_moves (organisation_id, state, cell) values ($1, 'leaving', $2)
     on conflict (organisation_id) do nothing
     returning organisation_id`,
    [move.organisation, move.to],
  );
  if (recorded.length === 0) await refuseSecondMove(move);
  // A deletion that begins locks the table of moves. So either it saw this record, or it is seen here.
  const text = "select from app.organisation_deletions where organisation_id = $1";
  if ((await move.source.rows(text, [move.organisation])).length === 0) return;
  await move.source.rows("delete from app.organisation_moves where organisation_id = $1", [move.organisation]);
  throw new MoveRefused("The organisation is being deleted.");
}

/** At the source: before and after the switch. */
export type MoveState = "leaving" | "departed";

type Recorded = { state: MoveState; cell: string; lock: string };

/**
 * Locks a move in both cells, until their sessions end. The lock is the complement of the random number that writes share at the
 * switch, so no other login can take it before.
 *
 * @throws MoveRefused if none is under way, if another process works on it, or if it is a move to another cell
 */
export async function lockMove(move: Move): Promise<MoveState> {
  const { cell, lock } = await recordedMove(move);
  if (cell !== move.to) throw new MoveRefused(`The organisation moves to the cell ${cell}. Name that cell.`);
  for (const each of [move.source, move.target]) {
    const refused = await waitingForLocks(each, lockTimeoutMs, "select pg_advisory_lock(~$1::bigint)", [lock]);
    if (refused) throw new MoveRefused(await describeHolder(each, lock));
  }
  const { state } = await recordedMove(move); // another process may have ended it meanwhile
  if (state === "departed") await requireCopy(move);
  return state;
}

async function recordedMove({ source, organisation }: Move): Promise<Recorded> {
  const [recorded] = await source.rows<Recorded>(
    `select state, cell, lock_number::text as lock from app.organisation_moves
     where organisation_id = $1 and state in ('leaving', 'departed')`,
    [organisation],
  );
  if (!recorded) throw new MoveRefused("No move of this organisation is under way.");
  return recorded;
}

/** After the switch the source's rows are deleted, so the target must be the database to which it switched. */
async function requireCopy({ target, organisation }: Move): Promise<void> {
  const copies = await target.rows("select from app.organisations where id = $1", [organisation]);
  if (copies.length > 0) return;
  throw new MoveRefused("The target does not have this organisation, so it is not the database to which it moved.");
}

async function describeHolder(cell: Cell, lock: string): Promise<string> {
  const [holder] = await cell.rows<{ session: string }>(
    `select format('session %s of the database %s, from %s since %s', activity.pid, activity.datname, coalesce(host(activity.client_addr), 'this machine'),
       to_char(activity.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')) as session
     from pg_locks held
     join pg_stat_activity activity using (pid)
     where ${holdsAdvisoryLock("held", "~$1::bigint")}`,
    [lock],
  );
  return `Another process works on this move${holder ? `: ${holder.session}` : ""}. Wait until it ends.`;
}
