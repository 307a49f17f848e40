/**
 * Signatures that a receiver can verify without a secret: Ed25519, `v1a` of Standard Webhooks, by keys of the installation.
 * (docs/specification/deliveries.md#public-keys)
 */
import { createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from "node:crypto";

/** `v1a,` and the signature of `<id>.<timestamp>.<raw body>` in base64. @param key an Ed25519 private key */
export function publicSignature(key: KeyObject, id: string, timestamp: number, body: string): string {
  return `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), key).toString("base64")}`;
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
    .some((key) => signatures.some((signature) => verify(null, content, key, signature)));
}
