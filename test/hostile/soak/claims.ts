/** Claims of a soak, as their callers were last told of them and as they are there. */
import type { Counts } from "../../support/reliability.ts";
import type { Book } from "./mix.ts";

export type Claim = { id: string; subject: string; value: string };

/** @param there all claims of the organisations, each of whose subjects was made up for one of them */
export function countClaims(told: Book["claims"], there: Claim[]): Pick<Counts, "lost" | "doubled" | "unexpected"> {
  const values = new Map(there.map(({ id, value }) => [id, value]));
  return {
    lost: [...told].filter(([id, value]) => values.get(id) !== value).length,
    doubled: there.length - new Set(there.map(({ subject }) => subject)).size,
    unexpected: there.filter(({ id }) => !told.has(id)).length,
  };
}
