/**
 * AES-256-GCM under keys that the database never has (docs/specification/conventions.md#one-time-secrets). A sealed
 * value is one byte of format (1), 12 of nonce, 16 of tag, and the ciphertext.
 */
import { type CipherKey, createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const format = 1;
const nonceLength = 12;
const tagLength = 16;

/** Authenticated with the value, so that a value of one purpose never opens as another. */
export type Purpose = "webhook-secret" | "invitation-token" | "shown-once" | "signing-key";

/** Seals a text under a key of 32 bytes. */
export function seal(key: CipherKey, purpose: Purpose, text: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), sealed]);
}

/** Opens a sealed value. @throws Error if the key, the purpose or the bytes differ */
export function open(key: CipherKey, purpose: Purpose, sealed: Buffer): string {
  if (sealed[0] !== format) throw new Error("A sealed value has an unknown format.");
  const nonce = sealed.subarray(1, 1 + nonceLength);
  const tag = sealed.subarray(1 + nonceLength, 1 + nonceLength + tagLength);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
  return decipher.update(sealed.subarray(1 + nonceLength + tagLength), undefined, "utf8") + decipher.final("utf8");
}

/** Opens a value with the first key that fits. Undefined if none does, as after the loss of the master key. */
export function openWith(keys: CipherKey[], purpose: Purpose, sealed: Buffer): string | undefined {
  for (const key of keys) {
    try {
      return open(key, purpose, sealed);
    } catch {}
  }
  return undefined;
}

/** A key of 32 bytes by HKDF-SHA-256, different for each `use`. */
export function deriveKey(source: string | Buffer, salt: string | Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", source, salt, `botstead ${use}`, 32));
}

/** The key that seals a secret shown once for idempotent replays. Only the bearer of both inputs can derive it. */
export function replayKey(bearer: string, idempotencyKey: string): Buffer {
  return deriveKey(bearer, idempotencyKey, "replay v1");
}
