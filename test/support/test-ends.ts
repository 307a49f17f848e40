/** What a test leaves is ended after it, even if it fails. set-up.ts calls `endTest` after each test. */
let over = new AbortController();
const cleanUps: (() => Promise<unknown>)[] = [];

/** Aborts when the current test ends, so that a loop that retries stops. Before the first test, aborts when the first test ends. */
export const testEnds = (): AbortSignal => over.signal;

/** Calls this when the current test ends, the last first. */
export function whenTestEnds(cleanUp: () => Promise<unknown>): void {
  cleanUps.push(cleanUp);
}

export async function endTest(): Promise<void> {
  over.abort();
  over = new AbortController();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp(); // the first may serve the others
}
