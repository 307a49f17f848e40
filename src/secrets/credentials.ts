/** Creates, recognises and digests credentials (docs/specification/conventions.md#credentials). */
import { hash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { crc32 } from "node:zlib";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^(bsk|bsp|bso|bss|bsl|bsx|bsc|bsi|bsa)_[0-9A-Za-z]{49}$/;

/**
 * - bsk: API key of an organisation
 * - bsp: platform key
 * - bso: operator token
 * - bss: operator session in a browser
 * - bsl: link to the portal
 * - bsx: session in the portal
 * - bsc: authorization code of an MCP client
 * - bsi: link of an invitation
 * - bsa: link of an approval
 */
export type CredentialClass = "bsk" | "bsp" | "bso" | "bss" | "bsl" | "bsx" | "bsc" | "bsi" | "bsa";

export type Credential = {
  /** Shown once: class, "_", 43 characters of 256 random bits, 6 of their CRC32; base62. */
  text: string;
  /** The first 12 characters, which are not secret. */
  prefix: string;
  /** SHA-256 of the text; only this is stored. */
  digest: Buffer;
};

function inBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = base62[Number(rest % 62n)] + text;
  return text;
}

const checksum = (text: string): string => inBase62(BigInt(crc32(text)), 6);

/** A new credential, or the one derived from 32 secret bytes. */
export function makeCredential(of: CredentialClass, bytes: Buffer = randomBytes(32)): Credential {
  const body = `${of}_${inBase62(BigInt(`0x${bytes.toString("hex")}`), 43)}`;
  const text = body + checksum(body);
  return { text, prefix: text.slice(0, 12), digest: digestOf(text) };
}

/** The class of a well-formed credential with the right checksum; undefined otherwise. Makes no look-up. */
export function classOf(text: string): CredentialClass | undefined {
  if (!shape.test(text)) return undefined;
  return text.slice(-6) === checksum(text.slice(0, -6)) ? (text.slice(0, 3) as CredentialClass) : undefined;
}

/** SHA-256, 32 bytes. */
export function digestOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The bearer token of a request. Undefined without the header; empty if the header holds no bearer token. */
export function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return authorization === undefined ? undefined : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "");
}
