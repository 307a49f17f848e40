/**
 * Verifies the signature of a post to a hook, in our own scheme (the same as of deliveries) or in Standard Webhooks.
 * (docs/specification/hooks.md#receiving)
 */
import type { IncomingHttpHeaders } from "node:http";
import { signingKeys, standardSignature } from "./headers.ts";
import { isSameText, isWithinTolerance, sign } from "./signature.ts";

export type PostSignature = {
  /** The sender's id of this delivery. Optional in our own scheme. */
  deliveryId: string | undefined;
  /** Unix seconds. */
  timestamp: number;
  signatures: string[];
  /** The right signature under this secret. */
  expected(secret: string, rawBody: Buffer): string;
};

const timestampShape = /^\d{1,12}$/;
const idShape = /^[\x21-\x7e]{1,255}$/;

/** Reads the signature headers; ours take precedence. Undefined if they are missing or malformed. */
export function readSignature(headers: IncomingHttpHeaders): PostSignature | undefined {
  return ours(headers) ?? standard(headers);
}

function ours(headers: IncomingHttpHeaders): PostSignature | undefined {
  const { "x-botstead-timestamp": at, "x-botstead-signature": signature, "x-botstead-delivery": id } = headers;
  if (!matches(at, timestampShape) || !matches(signature, /^[0-9a-f]{64}$/)) return undefined;
  if (id !== undefined && !matches(id, idShape)) return undefined;
  const timestamp = Number(at);
  return {
    deliveryId: id,
    timestamp,
    signatures: [signature],
    expected: (secret, body) => sign(secret, timestamp, body),
  };
}

function standard(headers: IncomingHttpHeaders): PostSignature | undefined {
  const { "webhook-timestamp": at, "webhook-signature": list, "webhook-id": id } = headers;
  if (!matches(at, timestampShape) || !matches(list, /^[\x20-\x7e]{1,2000}$/) || !matches(id, idShape)) {
    return undefined;
  }
  const timestamp = Number(at);
  const signatures = list.split(" ").slice(0, 10); // several while a sender rotates its secret
  return {
    deliveryId: id,
    timestamp,
    signatures,
    expected: (secret, body) => standardSignature(signingKeys(secret).standard, id, timestamp, body),
  };
}

/**
 * The signature, if one in the headers is right and its timestamp differs by at most 300 seconds; otherwise
 * undefined. Compares in constant time.
 */
export function verifiedSignature(post: PostSignature, secret: string, rawBody: Buffer): string | undefined {
  const expected = post.expected(secret, rawBody);
  const right = post.signatures.filter((each) => isSameText(each, expected)).length > 0;
  return right && isWithinTolerance(post.timestamp, Date.now() / 1000) ? expected : undefined;
}

function matches(value: string | string[] | undefined, shape: RegExp): value is string {
  return typeof value === "string" && shape.test(value);
}
