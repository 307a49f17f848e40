/** Deletes the rows of an organisation from a cell in which it is not. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Cell } from "./cell.ts";

const rowsOfStatement = 2_000;

/**
 * @param withLog also the audit log. Where the organisation was, its entries stay until retention drops them, since the signed
 *   tree of that cell covers them
 */
export async function deleteRows(cell: Cell, organisation: string, { withLog }: { withLog: boolean }): Promise<void> {
  for (;;) {
    const began = performance.now();
    const [row] = await cell.rows<{ deleted: number | null }>(
      "select deleted::integer from service.delete_rows($1, $2, $3)",
      [organisation, rowsOfStatement, withLog],
    );
    if (row?.deleted == null) return;
    // The calls of the cell get the processor in between.
    if (row.deleted === rowsOfStatement) await sleep(performance.now() - began);
  }
}
