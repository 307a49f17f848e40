/** The other cells of the service and what a search finds in them. Empty without a directory. */
import { useRead } from "../parts/use-read.ts";
import type { SearchResult } from "./kinds.ts";

type Cell = { name: string; consoleUrl: string | null };
export type Cells = { here: string | null; others: Cell[] };
export type FoundElsewhere = SearchResult & { cell: string; consoleUrl: string | null };
export type Elsewhere = { results: FoundElsewhere[]; away: string[] };

async function load<Data>(path: string, signal: AbortSignal): Promise<Data | undefined> {
  const response = await fetch(path, { headers: { accept: "application/json" }, signal });
  return response.ok ? ((await response.json()) as Data) : undefined;
}

/** Undefined meanwhile, after a failure, and for null. */
const useJson = <Data>(path: string | null): Data | undefined =>
  useRead(path, (signal) => load<Data>(path ?? "", signal)).data;

export const useCells = (isSignedIn: boolean): Cells | undefined => useJson<Cells>(isSignedIn ? "/cells" : null);

export const useElsewhere = (term: string): Elsewhere | undefined =>
  useJson<Elsewhere>(term ? `/cells/search?q=${encodeURIComponent(term)}` : null);
