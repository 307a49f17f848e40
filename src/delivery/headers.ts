/*
 * The headers of a delivery: our own (specification, part 6) and those of Standard Webhooks, whose libraries verify a
 * delivery without knowing us. Both signatures come from the one secret that the receiver has.
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { sign } from "./signature.ts";

/** A secret made ready for both signatures, once: each time anew it costs more than signing does. */
export type SigningKeys = { ours: KeyObject; standard: KeyObject };

/** @param secret `whsec_` and 32 bytes in base64 */
export function signingKeys(secret: string): SigningKeys {
  return { ours: createSecretKey(secret, "utf8"), standard: createSecretKey(secret.replace(/^whsec_/, ""), "base64") };
}

export type Signable = {
  /** The same at every attempt: what a receiver tells repetitions by. */
  deliveryId: string;
  event: string;
  /** The raw body, as it is sent. */
  body: string;
  keys: SigningKeys;
  /** When this attempt is made. */
  at: Date;
};

/** All that is sent beside the body, in lower case. A secret that was rotated signs from that moment on, alone. */
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

/** The key here is what the base64 after `whsec_` stands for, where our own signature takes the text as it is. */
export function standardSignature(key: KeyObject, id: string, timestamp: number, body: string | Uint8Array): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}
