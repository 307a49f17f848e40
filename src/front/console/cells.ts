/** The other cells of the service and what a search finds in them. Empty without a directory. */
import { partTexts } from "../parts/texts.ts";
import { type Loaded, useRead } from "../parts/use-read.ts";
import type { SearchResult } from "./kinds.ts";

type Cell = { name: string; consoleUrl: string | null };
export type Cells = { here: string | null; others: Cell[] };
export type FoundElsewhere = SearchResult & { cell: string; consoleUrl: string | null };
export type Elsewhere = { results: FoundElsewhere[]; away: string[] };

async function load<Data>(path: string, signal: AbortSignal): Promise<Data> {
  const response = await fetch(path, { headers: { accept: "application/json" }, signal });
  if (!response.ok) throw new Error(partTexts.failures.status(response.status));
  return (await response.json()) as Data;
}

const useJson = <Data>(path: string | null): Loaded<Data> => useRead(path, (signal) => load<Data>(path ?? "", signal));

/** Undefined meanwhile and after a failure: the pages work without the other cells. */
export const useCells = (isSignedIn: boolean): Cells | undefined => useJson<Cells>(isSignedIn ? "/cells" : null).data;

export const useElsewhere = (term: string): Loaded<Elsewhere> =>
  useJson<Elsewhere>(term ? `/cells/search?q=${encodeURIComponent(term)}` : null);
