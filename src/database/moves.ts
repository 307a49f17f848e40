/** Moves of organisations between cells, as migrations and a change of the master key see them. (docs/moves.md) */
import type { Client } from "pg";

const movesUnderWay =
  "select organisation_id as id from app.organisation_moves where state not in ('moved', 'arrived')";

/**
 * The definitions replace the triggers that stop writes at a switch, and what hides a copy. A copy's secrets are sealed under the
 * master key that both cells had when the move began.
 *
 * @param unchanged the end of the message: what was not changed
 * @throws Error while a move is under way
 */
export async function refuseDuringMove(owner: Client, unchanged: string): Promise<void> {
  const { rows: found } = await owner.query("select where to_regclass('app.organisation_moves') is not null");
  if (found.length === 0) return;
  const { rows } = await owner.query<{ id: string }>(movesUnderWay);
  if (!rows[0]) return;
  throw new Error(
    `The organisation ${rows[0].id} moves between cells. End its move first, with the version that began it: ` +
      `botstead organisation move --resume, or --abort. ${unchanged}`,
  );
}
