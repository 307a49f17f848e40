import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** How far a delivery's timestamp may lie from the receiver's clock, either way, in seconds. (Part 8.) */
const CLOCK_TOLERANCE_SECONDS = 300;

/**
 * The signature of one attempt: lower-case hex of the HMAC-SHA-256 over `v1:<timestamp>:<raw body>`. (Part 6.)
 *
 * @param secret the whole signing secret with its `whsec_`, or a key of it; its UTF-8 bytes are the key, nothing is decoded
 * @param timestamp unix seconds, the same number that goes into the timestamp header
 * @param rawBody the body exactly as it is sent; JSON that was parsed and written again has another signature
 */
export function sign(secret: string | KeyObject, timestamp: number, rawBody: string | Uint8Array): string {
  return createHmac("sha256", secret).update(`v1:${timestamp}:`).update(rawBody).digest("hex");
}

/** What a receiver holds in its hands. Times are unix seconds; `now` is the receiver's clock unless given. */
export type SignedDelivery = {
  secret: string;
  timestamp: number;
  rawBody: string | Uint8Array;
  signature: string;
  now?: number;
};

/**
 * Whether `signature` is ours and at most 300 seconds old or early. Takes the same time wherever a wrong signature
 * differs. Never throws: a header that was not a number (`NaN`) or not hex is simply not ours.
 */
export function verify({ secret, timestamp, rawBody, signature, now = Date.now() / 1000 }: SignedDelivery): boolean {
  const inTime = isWithinTolerance(timestamp, now);
  return isSameText(signature, sign(secret, timestamp, rawBody)) && inTime;
}

/** Whether a timestamp is believed by a clock; both in unix seconds. False for NaN. */
export function isWithinTolerance(timestamp: number, now: number): boolean {
  return Math.abs(now - timestamp) <= CLOCK_TOLERANCE_SECONDS; // its opposite with > would be true for NaN
}

/** Takes the same time wherever two texts of one length differ. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
