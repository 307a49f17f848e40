/** Deleted organisations leave the directory too. (docs/leaving.md) */
import { callDeletedOrganisations } from "../api/own-calls.ts";
import type { Directory } from "./directory/directory.ts";
import type { OpenCells } from "./open-cells.ts";

/**
 * All of them each time: a call that was under way, or a backup of the directory, may have brought an entry back. Cells that
 * are away do not keep the others from it.
 *
 * @throws Error of the first cell that is away
 */
export async function forgetDeleted(cells: Pick<OpenCells, "all">, directory: Directory): Promise<void> {
  const forgetting = [...(await cells.all()).values()].map(async ({ pools }) => {
    const deleted = await callDeletedOrganisations(pools);
    if (deleted.length > 0) await directory.forget(deleted);
  });
  await Promise.allSettled(forgetting);
  await Promise.all(forgetting);
}
