/** Verifies and parses deliveries, for receivers. (docs/specification/deliveries.md#signature) */
import { isSignedByOneOf, isWithinTolerance, verify } from "../delivery/signature.ts";
import type { DeliveryEvent } from "./types.ts";

/** Headers of Node's request, a Headers object, or any object of names in any case and values. */
export type DeliveryHeaders = Headers | Record<string, string | readonly string[] | undefined>;

export type RejectedBecause =
  /** The secret or the id of the organisation is missing or empty. Anyone could sign with an empty secret. */
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
  | "payload"
  /** The signature is right, but the delivery is of another organisation of the same installation. */
  | "organisation";

/** A JSON Web Key. Only Ed25519 keys are used. */
export type PublicKey = { [name: string]: unknown; kty?: string; crv?: string; x?: string };

/** The keys of an installation, as /.well-known/webhooks.json returns them, and the organisation to accept. */
export type PublishedKeys = { keys: readonly PublicKey[]; organisationId: string };

type Check = {
  /** Whether the signature matches. Its time is checked after that. */
  isSigned: boolean;
  timestamp: number;
};

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
 * @param by the endpoint's signing secret, whsec_…, several during a rotation; or the published keys
 * @throws DeliveryRejected
 */
export function verifyDelivery(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  by: string | readonly string[] | PublishedKeys,
  { now = Date.now() / 1000 }: { /** Unix seconds. Defaults to this machine's clock. */ now?: number } = {},
): DeliveryEvent {
  const published = isPublished(by) ? by : undefined;
  const secrets = isPublished(by) ? [by.organisationId] : typeof by === "string" ? [by] : by;
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((each) => typeof each === "string" && each)) {
    throw new DeliveryRejected("no_secret", "A signing secret, or keys and the id of an organisation, are required.");
  }
  if (typeof rawBody !== "string" && !ArrayBuffer.isView(rawBody)) {
    throw new DeliveryRejected("body_not_raw", "The body must be the raw body, not a parsed one.");
  }
  const { isSigned, timestamp } = published
    ? checkPublic(rawBody, headers, published)
    : checkSecret(rawBody, headers, secrets);
  if (!isSigned) throw new DeliveryRejected("signature", "The signature does not match.");
  if (!isWithinTolerance(timestamp, now)) {
    throw new DeliveryRejected(
      "timestamp",
      "The delivery's timestamp differs from this machine's clock by more than 300 seconds.",
    );
  }
  const event = parsed(typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody));
  if (published && event.organisationId !== published.organisationId) {
    throw new DeliveryRejected("organisation", "The delivery is of another organisation.");
  }
  return event;
}

function isPublished(by: string | readonly string[] | PublishedKeys): by is PublishedKeys {
  return typeof by === "object" && by !== null && "keys" in by && Array.isArray(by.keys);
}

function checkSecret(rawBody: string | Uint8Array, headers: DeliveryHeaders, secrets: readonly string[]): Check {
  const text = header(headers, "x-botstead-timestamp");
  const signature = header(headers, "x-botstead-signature");
  if (!isTimestamp(text) || !/^[0-9a-f]{64}$/.test(signature)) {
    throw new DeliveryRejected("headers", "The headers x-botstead-timestamp and x-botstead-signature are required.");
  }
  const timestamp = Number(text);
  const isSigned = secrets.some((secret) => verify({ secret, timestamp, rawBody, signature, now: timestamp }));
  return { isSigned, timestamp };
}

function checkPublic(rawBody: string | Uint8Array, headers: DeliveryHeaders, { keys }: PublishedKeys): Check {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    header(headers, name),
  ) as [string, string, string];
  if (id === "" || !isTimestamp(timestamp) || !signatures.includes("v1a,")) {
    throw new DeliveryRejected(
      "headers",
      "The headers webhook-id, webhook-timestamp and webhook-signature are required.",
    );
  }
  const isSigned = isSignedByOneOf(keys, { id, timestamp, rawBody, header: signatures });
  return { isSigned, timestamp: Number(timestamp) };
}

const isTimestamp = (text: string) => /^\d{1,12}$/.test(text);

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
