/** Compares the memories that callers of a soak wrote with the stored memories. */
import type { Counts } from "../../support/reliability.ts";
import type { Book } from "./mix.ts";

export type Memory = { id: string; subject: string; value: string };

/** @param there all stored memories of the organisations; each subject was sent once */
export function countMemories(
  acknowledged: Book["memories"],
  there: Memory[],
): Pick<Counts, "lost" | "doubled" | "unexpected"> {
  const values = new Map(there.map(({ id, value }) => [id, value]));
  return {
    lost: [...acknowledged].filter(([id, value]) => values.get(id) !== value).length,
    doubled: there.length - new Set(there.map(({ subject }) => subject)).size,
    unexpected: there.filter(({ id }) => !acknowledged.has(id)).length,
  };
}
