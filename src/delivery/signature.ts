/** Signatures of a delivery: by the endpoint's secret, and by keys of the installation. */
import {
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign as signWithKey,
  timingSafeEqual,
  verify as verifyWithKey,
} from "node:crypto";

/** Largest difference between a delivery's timestamp and the receiver's clock. (docs/specification/deliveries.md#signature) */
const CLOCK_TOLERANCE_SECONDS = 300;

/**
 * The signature of one attempt: lower-case hex of the HMAC-SHA-256 over `v1:<timestamp>:<raw body>`.
 * (docs/specification/deliveries.md#signature)
 *
 * @param secret the whole secret with its `whsec_`, or a key made from it; its UTF-8 bytes are the key, nothing is decoded
 * @param timestamp Unix seconds, as in the timestamp header
 * @param rawBody the body byte for byte; parsing and serialising JSON again changes the signature
 */
export function sign(secret: string | KeyObject, timestamp: number, rawBody: string | Uint8Array): string {
  return createHmac("sha256", secret).update(`v1:${timestamp}:`).update(rawBody).digest("hex");
}

/** A received delivery. Times are Unix seconds; `now` defaults to the receiver's clock. */
export type SignedDelivery = {
  secret: string;
  timestamp: number;
  rawBody: string | Uint8Array;
  signature: string;
  now?: number;
};

/**
 * Whether `signature` is right and its timestamp differs by at most 300 seconds. Compares in constant time. Never throws: a
 * header that is not a number (`NaN`) or not hex gives false.
 */
export function verify({ secret, timestamp, rawBody, signature, now = Date.now() / 1000 }: SignedDelivery): boolean {
  const inTime = isWithinTolerance(timestamp, now);
  return isSameText(signature, sign(secret, timestamp, rawBody)) && inTime;
}

/** Whether a timestamp is within the tolerance; both in Unix seconds. False for NaN. */
export function isWithinTolerance(timestamp: number, now: number): boolean {
  return Math.abs(now - timestamp) <= CLOCK_TOLERANCE_SECONDS; // not `!(… > …)`, which is true for NaN
}

/** Compares two texts of the same length in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * `v1a,` and the signature of `<id>.<timestamp>.<raw body>` in base64, by Standard Webhooks. A receiver verifies it without a
 * secret. (docs/specification/deliveries.md#public-keys)
 *
 * @param key an Ed25519 private key of the installation
 */
export function publicSignature(key: KeyObject, id: string, timestamp: number, body: string): string {
  return `v1a,${signWithKey(null, Buffer.from(`${id}.${timestamp}.${body}`), key).toString("base64")}`;
}

export type PubliclySigned = { id: string; timestamp: string; rawBody: string | Uint8Array; header: string };

/** Whether one of the signatures in the header is by one of the keys. Ignores keys of other types. */
export function isSignedByOneOf(
  keys: readonly JsonWebKey[],
  { id, timestamp, rawBody, header }: PubliclySigned,
): boolean {
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(rawBody)]);
  const signatures = header
    .split(" ")
    .filter((each) => each.startsWith("v1a,"))
    .map((each) => Buffer.from(each.slice(4), "base64"));
  return keys
    .filter(({ kty, crv }) => kty === "OKP" && crv === "Ed25519")
    .map((key) => createPublicKey({ key, format: "jwk" }))
    .some((key) => signatures.some((signature) => verifyWithKey(null, content, key, signature)));
}
