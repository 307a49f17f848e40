/*
 * The headers of a delivery: our own and the headers of Standard Webhooks, whose libraries can verify our deliveries. Two
 * signatures use the endpoint's secret, the others keys of the installation. (docs/specification/deliveries.md#signature)
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { publicSignature, sign } from "./signature.ts";

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
  /** Ed25519 private keys, newest first. None where only the secret is known. */
  privateKeys?: readonly KeyObject[];
  /** Time of this attempt. */
  at: Date;
};

/** All headers in lower case. After a rotation of the secret only the new one signs. */
export function deliveryHeaders(signable: Signable): Record<string, string> {
  const { deliveryId, event, body, keys, privateKeys = [], at } = signable;
  const timestamp = Math.floor(at.getTime() / 1000);
  const signatures = [
    standardSignature(keys.standard, deliveryId, timestamp, body),
    ...privateKeys.map((key) => publicSignature(key, deliveryId, timestamp, body)),
  ];
  return {
    "content-type": "application/json",
    "user-agent": "Botstead-Webhooks/1",
    "x-botstead-signature": sign(keys.ours, timestamp, body),
    "x-botstead-timestamp": String(timestamp),
    "x-botstead-delivery": deliveryId,
    "x-botstead-event": event,
    "webhook-id": deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

/** @param key the bytes that the base64 after `whsec_` encodes; our own signature uses the text of the secret */
export function standardSignature(key: KeyObject, id: string, timestamp: number, body: string | Uint8Array): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}
