/** A resource that a page reads, and reads again when its key changes. */
import { useCallback, useEffect, useState } from "preact/hooks";

export type Loaded<T> = { data: T | undefined; loading: boolean; error: Error | undefined; reload: () => void };

/**
 * The result of `read`. The answer to an earlier key is not shown.
 *
 * @param key names the resource, for example a path; null: nothing to read yet
 */
export function useRead<T>(key: string | null, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, set] = useState<{ key: string | null; data: T | undefined; error: Error | undefined }>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === null) return;
    const pending = new AbortController();
    read(pending.signal).then(
      (data) => set({ key, data, error: undefined }),
      (error) => {
        if (!pending.signal.aborted) set((last) => ({ key, data: last?.key === key ? last.data : undefined, error }));
      },
    );
    return () => pending.abort();
  }, [key, round]);
  const current = state?.key === key ? state : undefined;
  return {
    data: current?.data,
    error: current?.error,
    loading: key !== null && !current?.data && !current?.error,
    reload: useCallback(() => {
      set((last) => last && { ...last, error: undefined });
      setRound((last) => last + 1);
    }, []),
  };
}
