/** Verifies deliveries by the published keys of an installation, which it fetches. (docs/receiving-webhooks.md) */
import { type DeliveryHeaders, DeliveryRejected, type PublishedKeys, verifyDelivery } from "./delivery.ts";
import type { DeliveryEvent } from "./types.ts";

export type VerifierSettings = {
  /** Address of the API, such as https://api.example.com. */
  baseUrl: string;
  /** Your organisation. Deliveries of others are rejected. */
  organisationId: string;
  /** Defaults to the global fetch. */
  fetch?: typeof fetch;
  /** Milliseconds. Defaults to the machine's clock. */
  now?: () => number;
};

/** As the response's Cache-Control. */
const freshMs = 300_000;

/** Between two requests for keys that deliveries with a wrong signature cause. */
const pauseMs = 30_000;

/**
 * Returns a function that verifies a delivery. It keeps the keys for 5 minutes, and fetches them earlier if no key matches:
 * the installation may have a new one.
 *
 * @returns a function that throws DeliveryRejected, or another error if the keys cannot be fetched: respond with 503 then
 */
export function deliveryVerifier(settings: VerifierSettings) {
  const { baseUrl, organisationId, fetch: request = fetch, now = Date.now } = settings;
  const url = new URL("/.well-known/webhooks.json", baseUrl);
  let current: Promise<PublishedKeys> | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;

  function keys(maxAgeMs: number): Promise<PublishedKeys> {
    if (current && now() - fetchedAt < maxAgeMs) return current;
    fetchedAt = now();
    const fetched = read();
    fetched.catch(() => {
      if (current === fetched) current = undefined;
    });
    current = fetched;
    return fetched;
  }

  async function read(): Promise<PublishedKeys> {
    const response = await request(url, { signal: AbortSignal.timeout(5_000) });
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
    const { keys } = (await response.json()) as Pick<PublishedKeys, "keys">;
    return { keys, organisationId };
  }

  return async (rawBody: string | Uint8Array, headers: DeliveryHeaders): Promise<DeliveryEvent> => {
    const verify = async (maxAgeMs: number) =>
      verifyDelivery(rawBody, headers, await keys(maxAgeMs), { now: now() / 1000 });
    try {
      return await verify(freshMs);
    } catch (error) {
      if (!(error instanceof DeliveryRejected) || error.reason !== "signature") throw error;
      return verify(pauseMs);
    }
  };
}
