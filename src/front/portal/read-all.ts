/** Every page of a list, up to a maximum. */
import { api, withQuery } from "../parts/api.ts";
import { useRead } from "../parts/use-read.ts";

type ReadPage<Row> = { data: Row[]; nextCursor?: string | null };
type Options = { signal?: AbortSignal; maxPages?: number; onPage?: (count: number) => void };

/**
 * @param onPage called with the number of rows so far
 * @returns the rows, and whether there are more than `maxPages` pages
 */
export async function readAll<T>(
  path: string,
  params: Record<string, string> = {},
  { signal, maxPages = 10, onPage }: Options = {},
): Promise<{ rows: T[]; isCut: boolean }> {
  const rows: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const url = withQuery(path, { limit: 200, ...params, cursor });
    const { data, nextCursor } = await api<ReadPage<T>>("GET", url, undefined, signal ? { signal } : {});
    rows.push(...data);
    onPage?.(rows.length);
    if (!nextCursor) return { rows, isCut: false };
    cursor = nextCursor;
  }
  return { rows, isCut: true };
}

/**
 * Every row of a list. A page without these rows is still usable, so a failure is not shown.
 *
 * @param path null: nothing to load
 */
export function useAll<T>(path: string | null, params: Record<string, string> = {}): T[] {
  return useAllLoading<T>(path, params).rows;
}

/** As `useAll`, and whether the rows are still being read, or could not be. */
export function useAllLoading<T>(path: string | null, params: Record<string, string> = {}) {
  const key = path && withQuery(path, params);
  const { data, loading, error } = useRead(key, (signal) => readAll<T>(path ?? "", params, { signal }));
  return { rows: data?.rows ?? [], loading: loading && !error, error };
}
