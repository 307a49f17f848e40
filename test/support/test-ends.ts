/**
 * Aborts when a test ends, even if it fails. Without it, a loop that retries until it gets an answer would not stop
 * after a failure, and jest would not end.
 */
let over = new AbortController();

afterEach(() => {
  over.abort();
  over = new AbortController();
});

/** Aborts when the current test ends. Before the first test, aborts when the first test ends. */
export const testEnds = (): AbortSignal => over.signal;
