/**
 * Keys of signed notes (C2SP signed-note) are texts such as "example.com/log+1a2b3c4d+ATbd…": a name, the hash that
 * identifies the key, and its kind and bytes.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject } from "node:crypto";

/** Kinds of keys: 1 signs the text, 4 signs the text with a time (C2SP tlog-cosignature). */
export type KeyKind = 1 | 4;

export type Verifier = { name: string; id: Buffer; kind: KeyKind; key: KeyObject; text: string };
export type Signer = Verifier & { secret: KeyObject };

const secretPrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
/** Bytes of the hash that identifies a key. */
export const keyIdLength = 4;

/** @param seed 32 secret bytes */
export function signerFrom(name: string, kind: KeyKind, seed: Buffer): Signer {
  const secret = createPrivateKey({ key: Buffer.concat([secretPrefix, seed]), format: "der", type: "pkcs8" });
  const bytes = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(publicPrefix.length);
  return { ...verifierOf(name, kind, bytes), secret };
}

function verifierOf(name: string, kind: KeyKind, bytes: Buffer): Verifier {
  if (!isName(name)) throw new Error("The name of a key has no spaces and no plus sign.");
  const typed = Buffer.concat([Buffer.of(kind), bytes]);
  const id = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typed]), "buffer").subarray(0, keyIdLength);
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: "der", type: "spki" });
  return { name, id, kind, key, text: `${name}+${id.toString("hex")}+${typed.toString("base64")}` };
}

export const isName = (name: string): boolean => name !== "" && !/[\s+]/.test(name);

/** Reads a public key. @throws Error with a sentence if it is damaged */
export function readVerifier(text: string): Verifier {
  const [, name = "", id = "", base64 = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(base64, "base64");
  const kind = typed[0];
  if (typed.length !== 33 || (kind !== 1 && kind !== 4)) {
    throw new Error("must be an Ed25519 key such as example.com/log+1a2b3c4d+ATbd….");
  }
  const verifier = verifierOf(name, kind, typed.subarray(1));
  if (verifier.id.toString("hex") !== id) throw new Error("must be a key whose hash fits its name and its bytes.");
  return verifier;
}
