/** Lists of the API that load page by page. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type ApiError, api, withQuery } from "./api.ts";

type Params = Record<string, string | number | undefined>;
type Page<T> = { data: T[]; nextCursor?: string | null };

export type LoadedList<T> = {
  rows: T[];
  loading: boolean;
  error: ApiError | undefined;
  /** Loads the next page; undefined after the last. */
  more: (() => void) | undefined;
  reload: () => void;
  /** Reads what failed again: the next page, or the first. */
  retry: () => void;
};

/**
 * A list of the API, page by page. A change of path or parameters starts again.
 *
 * @returns the list; `update` changes the loaded rows
 */
export function useList<T>(
  path: string | null,
  params: Params = {},
): LoadedList<T> & { update: (change: (rows: T[]) => T[]) => void } {
  const key = path === null ? null : withQuery(path, params);
  const [state, set] = useState<{ rows: T[]; cursor: string | null; key: string | null }>({
    rows: [],
    cursor: null,
    key: null,
  });
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const current = useRef<AbortController>(null);

  const load = (cursor: string | null) => {
    if (path === null) return;
    current.current?.abort();
    const pending = new AbortController();
    current.current = pending;
    setBusy(true);
    setError(undefined);
    const url = withQuery(path, { ...params, ...(cursor === null ? {} : { cursor }) });
    api<Page<T>>("GET", url, undefined, { signal: pending.signal })
      .then(
        ({ data, nextCursor = null }) => {
          set(({ rows }) => ({
            rows: cursor === null ? data : [...rows, ...data],
            cursor: nextCursor,
            key,
          }));
        },
        (failure) => {
          if (!pending.signal.aborted) setError(failure);
        },
      )
      .finally(() => {
        if (current.current === pending) setBusy(false);
      });
  };
  useEffect(() => {
    load(null);
    return () => current.current?.abort();
  }, [key, round]);
  const isCurrent = state.key === key;
  const { cursor } = state;
  return {
    rows: isCurrent ? state.rows : [],
    error,
    loading: busy || (key !== null && !isCurrent && !error), // from the first render on, so that no list looks empty
    more: cursor !== null && isCurrent ? () => load(cursor) : undefined,
    reload: useCallback(() => setRound((last) => last + 1), []),
    retry: () => load(isCurrent ? cursor : null),
    update: useCallback(
      (change: (rows: T[]) => T[]) => set((last) => (last.key === key ? { ...last, rows: change(last.rows) } : last)),
      [key],
    ),
  };
}

export type NewestList<T> = LoadedList<T> & {
  /** Puts these rows on top. They replace loaded rows of the same id. */
  add: (newest: T[]) => void;
  /** Reads the newest page again and keeps the earlier rows. */
  refresh: () => Promise<void>;
  /** Whether the last refresh failed. */
  isStale: boolean;
};

/** A list with its newest rows on top. New rows and changes appear without a reload. */
export function useNewest<T extends { id: string }>(path: string | null, params: Params = {}): NewestList<T> {
  const { update, ...list } = useList<T>(path, params);
  const [isStale, setStale] = useState(false);
  const { rows, reload } = list;
  const add = useCallback((newest: T[]) => update((rows) => withNewest(rows, newest)), [update]);
  const refresh = async () => {
    if (path === null) return;
    try {
      const { data } = await api<Page<T>>("GET", withQuery(path, params));
      const hasGap = rows.length > 0 && data.length > 0 && !data.some(({ id }) => rows.some((row) => row.id === id));
      if (hasGap) reload();
      else add(data);
      setStale(false);
    } catch {
      setStale(true); // the next refresh tries again
    }
  };
  return { ...list, add, refresh, isStale };
}

function withNewest<T extends { id: string }>(rows: T[], newest: T[]): T[] {
  const ids = new Set(newest.map(({ id }) => id));
  return [...newest, ...rows.filter(({ id }) => !ids.has(id))];
}
