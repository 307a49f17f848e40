/** Verifies and parses deliveries, for receivers. (docs/specification/deliveries.md#signature) */
import { verify } from "../delivery/signature.ts";
import type { DeliveryEvent } from "./types.ts";

/** Headers of Node's request, a Headers object, or any object of names in any case and values. */
export type DeliveryHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type RejectedBecause =
  /** The secret is missing or empty. Anyone could sign with an empty secret. */
  | "no_secret"
  /** The body is not the raw body: it was parsed or changed. */
  | "body_not_raw"
  /** The timestamp or the signature is missing or malformed. */
  | "headers"
  /** The signature does not match: another secret, or a changed delivery. */
  | "signature"
  /** The signature is right, but the timestamp differs by more than 300 seconds: a replay, or a wrong clock. */
  | "timestamp"
  /** The signature is right, but the body is not a delivery. */
  | "payload";

/** A delivery to ignore. Respond with 401, for every reason. */
export class DeliveryRejected extends Error {
  override readonly name = "DeliveryRejected";
  readonly reason: RejectedBecause;
  constructor(reason: RejectedBecause, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Returns the event of a delivery if its signature is right and its timestamp differs by at most 300 seconds. Compares
 * in constant time. A delivery can arrive twice: compare its `id`.
 *
 * @param rawBody the body as received, before any parsing
 * @param secret the endpoint's signing secret, whsec_…; several during a rotation
 * @throws DeliveryRejected
 */
export function verifyDelivery(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secret: string | readonly string[],
  { now = Date.now() / 1000 }: { /** Unix seconds. Defaults to this machine's clock. */ now?: number } = {},
): DeliveryEvent {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((each) => typeof each === "string" && each)) {
    throw new DeliveryRejected("no_secret", "A signing secret is required.");
  }
  if (typeof rawBody !== "string" && !ArrayBuffer.isView(rawBody)) {
    throw new DeliveryRejected("body_not_raw", "The body must be the raw body, not a parsed one.");
  }
  const timestamp = header(headers, "x-botstead-timestamp");
  const signature = header(headers, "x-botstead-signature");
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) {
    throw new DeliveryRejected("headers", "The headers x-botstead-timestamp and x-botstead-signature are required.");
  }

  const signed = { timestamp: Number(timestamp), rawBody, signature };
  if (!secrets.some((each) => verify({ ...signed, secret: each, now }))) {
    const old = secrets.some((each) => verify({ ...signed, secret: each, now: signed.timestamp }));
    throw old
      ? new DeliveryRejected(
          "timestamp",
          "The delivery's timestamp differs from this machine's clock by more than 300 seconds.",
        )
      : new DeliveryRejected("signature", "The signature does not match.");
  }
  return parsed(typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody));
}

function parsed(text: string): DeliveryEvent {
  try {
    const event = JSON.parse(text);
    if (typeof event.id === "string" && typeof event.event === "string") return event;
  } catch {
    // falls through: not a delivery either
  }
  throw new DeliveryRejected("payload", "The body is not a delivery.");
}

/** Returns "" if the header is missing or repeated. */
function header(headers: DeliveryHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? "";
  const values = Object.entries(headers ?? {})
    .filter(([each]) => each.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? String(values[0]) : "";
}

/** By duck typing, because a framework may have its own Headers class. */
function isFetchHeaders(headers: DeliveryHeaders): headers is Headers {
  return typeof headers?.get === "function";
}
