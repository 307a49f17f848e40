/*
 * The headers of a delivery: our own and the ones of Standard Webhooks, whose libraries can verify our deliveries. Both
 * signatures use the same secret. (docs/specification/deliveries.md#headers)
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { sign } from "./signature.ts";

/** Keys for both signatures, made once per secret because making them costs more than signing. */
export type SigningKeys = { ours: KeyObject; standard: KeyObject };

/** @param secret `whsec_` and 32 bytes in base64 */
export function signingKeys(secret: string): SigningKeys {
  return { ours: createSecretKey(secret, "utf8"), standard: createSecretKey(secret.replace(/^whsec_/, ""), "base64") };
}

export type Signable = {
  /** The same at every attempt, so that a receiver can recognise duplicates. */
  deliveryId: string;
  event: string;
  /** The raw body. */
  body: string;
  keys: SigningKeys;
  /** Time of this attempt. */
  at: Date;
};

/** All headers in lower case. After a rotation only the new secret signs. */
export function deliveryHeaders({ deliveryId, event, body, keys, at }: Signable): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    "content-type": "application/json",
    "user-agent": "Botstead-Webhooks/1",
    "x-botstead-signature": sign(keys.ours, timestamp, body),
    "x-botstead-timestamp": String(timestamp),
    "x-botstead-delivery": deliveryId,
    "x-botstead-event": event,
    "webhook-id": deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standardSignature(keys.standard, deliveryId, timestamp, body),
  };
}

/** @param key the bytes that the base64 after `whsec_` encodes; our own signature uses the text of the secret */
export function standardSignature(key: KeyObject, id: string, timestamp: number, body: string | Uint8Array): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}
