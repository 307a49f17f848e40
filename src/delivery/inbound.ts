/**
 * The signature of a post to a hook: by our own scheme, the one that deliveries carry (specification, part 6), or by that
 * of Standard Webhooks. What is to be told apart by a repetition comes out of it as well.
 */
import type { IncomingHttpHeaders } from "node:http";
import { signingKeys, standardSignature } from "./headers.ts";
import { isSameText, isWithinTolerance, sign } from "./signature.ts";

export type Claim = {
  /** What the sender calls this delivery; our own scheme does not ask for a name. */
  deliveryId: string | undefined;
  /** Unix seconds. */
  timestamp: number;
  given: string[];
  /** What the holder of this secret would have given. */
  expected(secret: string, rawBody: Buffer): string;
};

const timestampShape = /^\d{1,12}$/;
const idShape = /^[\x21-\x7e]{1,255}$/;

/** What the headers claim; undefined when they claim nothing that could be right. Ours count where both are there. */
export function readClaim(headers: IncomingHttpHeaders): Claim | undefined {
  return ours(headers) ?? standard(headers);
}

function ours(headers: IncomingHttpHeaders): Claim | undefined {
  const { "x-botstead-timestamp": at, "x-botstead-signature": signature, "x-botstead-delivery": id } = headers;
  if (!matches(at, timestampShape) || !matches(signature, /^[0-9a-f]{64}$/)) return undefined;
  if (id !== undefined && !matches(id, idShape)) return undefined;
  const timestamp = Number(at);
  return { deliveryId: id, timestamp, given: [signature], expected: (secret, body) => sign(secret, timestamp, body) };
}

function standard(headers: IncomingHttpHeaders): Claim | undefined {
  const { "webhook-timestamp": at, "webhook-signature": signatures, "webhook-id": id } = headers;
  if (!matches(at, timestampShape) || !matches(signatures, /^[\x20-\x7e]{1,2000}$/) || !matches(id, idShape)) {
    return undefined;
  }
  const timestamp = Number(at);
  const given = signatures.split(" ").slice(0, 10); // several while a sender changes from one secret to the next
  return {
    deliveryId: id,
    timestamp,
    given,
    expected: (secret, body) => standardSignature(signingKeys(secret).standard, id, timestamp, body),
  };
}

/**
 * The signature, when one that was given is right and at most 300 seconds old or early; undefined otherwise. Takes the
 * same time wherever a wrong one differs.
 */
export function provenSignature(claim: Claim, secret: string, rawBody: Buffer): string | undefined {
  const expected = claim.expected(secret, rawBody);
  const right = claim.given.filter((each) => isSameText(each, expected)).length > 0;
  return right && isWithinTolerance(claim.timestamp, Date.now() / 1000) ? expected : undefined;
}

function matches(value: string | string[] | undefined, shape: RegExp): value is string {
  return typeof value === "string" && shape.test(value);
}
