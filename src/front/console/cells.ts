/** The other cells of the service and what a search finds in them. Empty without a directory. */
import { useEffect, useState } from "preact/hooks";
import type { SearchResult } from "./kinds.ts";

type Cell = { name: string; consoleUrl: string | null };
export type Cells = { here: string | null; others: Cell[] };
export type FoundElsewhere = SearchResult & { cell: string; consoleUrl: string | null };
export type Elsewhere = { results: FoundElsewhere[]; away: string[] };

async function load<Data>(path: string, signal: AbortSignal): Promise<Data | undefined> {
  const response = await fetch(path, { headers: { accept: "application/json" }, signal });
  return response.ok ? ((await response.json()) as Data) : undefined;
}

/** Reads the path again when it changes. Undefined meanwhile, after a failure, and for null. */
function useJson<Data>(path: string | null): Data | undefined {
  const [read, set] = useState<{ path: string; data: Data | undefined }>();
  useEffect(() => {
    if (!path) return;
    const leaving = new AbortController();
    load<Data>(path, leaving.signal).then(
      (data) => set({ path, data }),
      () => {},
    );
    return () => leaving.abort();
  }, [path]);
  return read?.path === path ? read?.data : undefined;
}

export const useCells = (isSignedIn: boolean): Cells | undefined => useJson<Cells>(isSignedIn ? "/cells" : null);

export const useElsewhere = (term: string): Elsewhere | undefined =>
  useJson<Elsewhere>(term ? `/cells/search?q=${encodeURIComponent(term)}` : null);
