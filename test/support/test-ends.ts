/**
 * Told that the test is over, however it went: what asks again until it is answered would ask for ever when a test failed
 * before it stopped it, and keep those that follow, and the run, from their end.
 */
let over = new AbortController();

afterEach(() => {
  over.abort();
  over = new AbortController();
});

/** Aborts when the test ends that runs; before the first, when that one does. */
export const testEnds = (): AbortSignal => over.signal;
