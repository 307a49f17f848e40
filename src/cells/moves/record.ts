/** Moves in the operators' log of both cells. */
import { type Attribution, attributionOf } from "../../database/attribution.ts";
import { openCell } from "./cell.ts";

type Noted = { organisation: string; phase: "start" | "resume" | "abort"; from: string; to: string };

export async function noteMove(url: string, move: Noted, attribution: Attribution): Promise<void> {
  const { organisation, ...given } = move;
  const cell = await openCell(url);
  try {
    await cell.rows(...attributionOf(attribution));
    await cell.rows("select operator.note_command('move_organisation', $1, $2)", [organisation, JSON.stringify(given)]);
  } finally {
    await cell.end();
  }
}
