/** Signed notes (C2SP signed-note) with Ed25519: a text, an empty line, and signature lines. */
import { sign, verify } from "node:crypto";
import { keyIdLength, type Signer, type Verifier } from "../secrets/note-key.ts";

const signatureLength = 64;
const timeLength = 8;
/** As in Go's package note. */
const maxSignatures = 100;

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
    if (bytes.length <= keyIdLength) throw new Error("A signature line of the note is damaged.");
    return { name, id: bytes.subarray(0, keyIdLength), bytes: bytes.subarray(keyIdLength), line: `${line}\n` };
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
