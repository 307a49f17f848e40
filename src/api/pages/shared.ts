/**
 * Concurrent calls share one result, and later ones as long as it is fresh. So calls without a credential cannot flood the
 * database.
 */
export function shared<T>(read: () => Promise<T>, freshMs = 0): () => Promise<T> {
  let pending: Promise<T> | undefined;
  let result: { value: T; until: number } | undefined;
  return async () => {
    if (result && performance.now() < result.until) return result.value;
    pending ??= read().finally(() => {
      pending = undefined;
    });
    const value = await pending;
    result = { value, until: performance.now() + freshMs };
    return value;
  };
}
