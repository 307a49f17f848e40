/**
 * Credentials: how they are made, recognised and digested. (Part 5; decisions: "API key".)
 */
import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^(bsk|bsp|bso|bss|bsi|bsa)_[0-9A-Za-z]{49}$/;

/**
 * bsk: of an organisation; bsp: of the platform; bso: an operator's token for the console; bss: a session that it
 * opened in a browser; bsi: of an invitation's link; bsa: of an approval's.
 */
export type CredentialClass = "bsk" | "bsp" | "bso" | "bss" | "bsi" | "bsa";

export type Credential = {
  /** The whole text, shown once: class, "_", 43 characters of 256 random bits, 6 of their CRC32; base62. */
  text: string;
  /** The first 12 characters, which may be shown. */
  prefix: string;
  /** SHA-256 of the text: all that is stored. */
  digest: Buffer;
};

function inBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = base62[Number(rest % 62n)] + text;
  return text;
}

const checksum = (text: string): string => inBase62(BigInt(crc32(text)), 6);

/** A credential of this class: a new one, or the one that 32 secret bytes always make. */
export function makeCredential(of: CredentialClass, bytes: Buffer = randomBytes(32)): Credential {
  const body = `${of}_${inBase62(BigInt(`0x${bytes.toString("hex")}`), 43)}`;
  const text = body + checksum(body);
  return { text, prefix: text.slice(0, 12), digest: digestOf(text) };
}

/** The class of a well-formed credential whose checksum is right; undefined for anything else. No look-up is made. */
export function classOf(text: string): CredentialClass | undefined {
  if (!shape.test(text)) return undefined;
  return text.slice(-6) === checksum(text.slice(0, -6)) ? (text.slice(0, 3) as CredentialClass) : undefined;
}

/** SHA-256, 32 bytes. */
export function digestOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
