/** For receivers: whether a delivery is Botstead's, and what it says. (docs/specification/deliveries.md#signature) */
import { verify } from "../delivery/signature.ts";
import type { DeliveryEvent } from "./types.ts";

/** As Node's request has them, as a fetch API's Headers, or as any object of names and values, in any case. */
export type DeliveryHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type RejectedBecause =
  /** No secret was given, or an empty one: everybody could sign under that. */
  | "no_secret"
  /** The body is not the raw body as it arrived, but was parsed or changed. */
  | "body_not_raw"
  /** The timestamp or the signature is missing or is no such thing. */
  | "headers"
  /** It was signed under another secret, or something in it was changed. */
  | "signature"
  /** It is signed, and more than 300 seconds old or early: a recording, or a clock that is wrong. */
  | "timestamp"
  /** It is signed, and not what a delivery is. */
  | "payload";

/** A delivery that is not to be acted on. Answer 401 to its sender, whatever the reason. */
export class DeliveryRejected extends Error {
  override readonly name = "DeliveryRejected";
  readonly reason: RejectedBecause;
  constructor(reason: RejectedBecause, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The event that a delivery carries, when it is Botstead's and not older than 300 seconds. The comparison takes the same
 * time wherever a wrong signature differs. The same delivery may come twice: `id` tells.
 *
 * @param rawBody the body as it arrived, before anything has parsed it
 * @param secret the endpoint's signing secret, whsec_…; several while receivers change from one to the next
 * @throws DeliveryRejected
 */
export function verifyDelivery(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secret: string | readonly string[],
  { now = Date.now() / 1000 }: { /** Unix seconds; this machine's clock unless given. */ now?: number } = {},
): DeliveryEvent {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((each) => typeof each === "string" && each)) {
    throw new DeliveryRejected("no_secret", "A signing secret is needed.");
  }
  if (typeof rawBody !== "string" && !ArrayBuffer.isView(rawBody)) {
    throw new DeliveryRejected("body_not_raw", "The body must be given as it arrived, before it is parsed.");
  }
  const timestamp = header(headers, "x-botstead-timestamp");
  const signature = header(headers, "x-botstead-signature");
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) {
    throw new DeliveryRejected("headers", "The headers x-botstead-timestamp and x-botstead-signature are needed.");
  }

  const signed = { timestamp: Number(timestamp), rawBody, signature };
  if (!secrets.some((each) => verify({ ...signed, secret: each, now }))) {
    const old = secrets.some((each) => verify({ ...signed, secret: each, now: signed.timestamp }));
    throw old
      ? new DeliveryRejected("timestamp", "The delivery lies more than 300 seconds from this machine's clock.")
      : new DeliveryRejected("signature", "The delivery is not signed under this secret.");
  }
  return parsed(typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody));
}

function parsed(text: string): DeliveryEvent {
  try {
    const event = JSON.parse(text);
    if (typeof event.id === "string" && typeof event.event === "string") return event;
  } catch {
    // falls through: it is no delivery either way
  }
  throw new DeliveryRejected("payload", "The body is not that of a delivery.");
}

/** "" when it is not there, or there more than once. */
function header(headers: DeliveryHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? "";
  const values = Object.entries(headers ?? {})
    .filter(([each]) => each.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 1 ? String(values[0]) : "";
}

/** By what they can do: a framework may bring Headers of its own. */
function isFetchHeaders(headers: DeliveryHeaders): headers is Headers {
  return typeof headers?.get === "function";
}
