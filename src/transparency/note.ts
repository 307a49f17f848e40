/**
 * Signed notes (C2SP signed-note) with Ed25519: a text, an empty line, and signature lines. Keys are texts such as
 * "example.com/log+1a2b3c4d+ATbd…": a name, the hash that identifies the key, and its kind and bytes.
 */
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

/** Kinds of keys: 1 signs the text, 4 signs the text with a time (C2SP tlog-cosignature). */
export type KeyKind = 1 | 4;

export type Verifier = { name: string; id: Buffer; kind: KeyKind; key: KeyObject; text: string };
export type Signer = Verifier & { secret: KeyObject };

const secretPrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const idLength = 4;
const signatureLength = 64;
const timeLength = 8;
/** As in Go's package note. */
const maxSignatures = 100;

/** @param seed 32 secret bytes */
export function signerFrom(name: string, kind: KeyKind, seed: Buffer): Signer {
  const secret = createPrivateKey({ key: Buffer.concat([secretPrefix, seed]), format: "der", type: "pkcs8" });
  const bytes = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(publicPrefix.length);
  return { ...verifierOf(name, kind, bytes), secret };
}

function verifierOf(name: string, kind: KeyKind, bytes: Buffer): Verifier {
  if (!isName(name)) throw new Error("The name of a key has no spaces and no plus sign.");
  const typed = Buffer.concat([Buffer.of(kind), bytes]);
  const id = hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), typed]), "buffer").subarray(0, idLength);
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

const signatureLine = ({ name, id }: Verifier, signature: Buffer): string =>
  `— ${name} ${Buffer.concat([id, signature]).toString("base64")}\n`;

/** The note with a signature of this key. @param text ends with a line break */
export function signNote(text: string, signer: Signer): string {
  return `${text}\n${signatureLine(signer, sign(null, Buffer.from(text), signer.secret))}`;
}

const timed = (text: string, seconds: number): Buffer => Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

/** The signature line of a witness, which states when it saw the text. */
export function cosign(text: string, signer: Signer, seconds: number): string {
  const time = Buffer.alloc(timeLength);
  time.writeBigUInt64BE(BigInt(seconds));
  return signatureLine(signer, Buffer.concat([time, sign(null, timed(text, seconds), signer.secret)]));
}

export type Note = { text: string; signatures: { name: string; id: Buffer; bytes: Buffer; line: string }[] };

/** @throws Error if it has no form of a signed note */
export function readNote(note: string): Note {
  const end = note.lastIndexOf("\n\n");
  const lines = note.slice(end + 2).split("\n");
  if (end < 0 || lines.pop() !== "" || lines.length === 0 || lines.length > maxSignatures) {
    throw new Error("This is not a signed note of at most 100 signatures.");
  }
  const signatures = lines.map((line) => {
    const [, name = "", base64 = ""] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = Buffer.from(base64, "base64");
    if (bytes.length <= idLength) throw new Error("A signature line of the note is damaged.");
    return { name, id: bytes.subarray(0, idLength), bytes: bytes.subarray(idLength), line: `${line}\n` };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/**
 * The valid signature of a key. Only the first line of the key counts, as in Go's package note, so a note costs one
 * verification for each key.
 */
export function signatureOf({ text, signatures }: Note, verifier: Verifier): Note["signatures"][number] | undefined {
  const signature = signatures.find(({ name, id }) => name === verifier.name && id.equals(verifier.id));
  return signature && isValid(text, verifier, signature.bytes) ? signature : undefined;
}

function isValid(text: string, { kind, key }: Verifier, bytes: Buffer): boolean {
  if (kind === 1) return verify(null, Buffer.from(text), key, bytes);
  if (bytes.length !== timeLength + signatureLength) return false;
  const seconds = Number(bytes.readBigUInt64BE());
  return verify(null, timed(text, seconds), key, bytes.subarray(timeLength));
}
