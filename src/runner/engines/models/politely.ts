/**
 * The SDK waits as long as Retry-After says, up to a minute, and asks sooner where it says more. A service that wants to be
 * left alone for longer is left alone: then there is no answer to be had.
 */
const longestWaitMs = 60_000;

export function politely(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    const wait = response.headers.get("retry-after");
    if (wait === null || waitMs(wait) <= longestWaitMs) return response;
    const headers = new Headers(response.headers);
    headers.set("x-should-retry", "false"); // the SDK obeys it
    return new Response(response.body, { status: response.status, headers });
  };
}

function waitMs(retryAfter: string): number {
  const seconds = Number(retryAfter);
  return Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
}
