/**
 * The SDK honours a Retry-After of up to a minute and retries earlier if it is longer. So a longer Retry-After must disable the
 * retry.
 */
const maxWaitMs = 60_000;

export function withRetryAfterLimit(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const wait = response.headers.get("retry-after");
    if (wait === null || waitMs(wait) <= maxWaitMs) return response;
    const headers = new Headers(response.headers);
    headers.set("x-should-retry", "false"); // the SDK honours this header
    return new Response(response.body, { status: response.status, headers });
  };
}

function waitMs(retryAfter: string): number {
  const seconds = Number(retryAfter);
  return Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
}
