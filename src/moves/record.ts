/** Moves in the operators' log of both cells. */
import { openCell } from "./cells.ts";

type Noted = { organisation: string; phase: "start" | "resume" | "abort"; from: string; to: string };

export async function noteMove(
  url: string,
  move: Noted,
  { by, reason }: { by: string; reason: string },
): Promise<void> {
  const { organisation, ...given } = move;
  const cell = await openCell(url);
  try {
    await cell.rows(
      "select set_config('caller.command_by', $1, false), set_config('caller.command_reason', $2, false)",
      [by, reason],
    );
    await cell.rows("select operator.note_command('move_organisation', $1, $2)", [organisation, JSON.stringify(given)]);
  } finally {
    await cell.end();
  }
}
