/** Checkpoints (C2SP tlog-checkpoint): the name of the log, the size of its tree and the root, as the text of a note. */

import type { Verifier } from "../secrets/note-key.ts";
import { hashLength, type TreeHead } from "./merkle.ts";
import { type Note, readNote, signatureOf } from "./note.ts";

export type Checkpoint = TreeHead & { origin: string };

export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString("base64")}\n`;
}

/** @throws Error if the note is no checkpoint */
export function readCheckpoint(note: string): Checkpoint & { note: Note } {
  const read = readNote(note);
  const [origin = "", digits = "", base64 = ""] = read.text.split("\n");
  const root = Buffer.from(base64, "base64");
  const size = Number(digits);
  if (origin === "" || !/^(0|[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(size) || root.length !== hashLength) {
    throw new Error("This note is not a checkpoint.");
  }
  return { origin, size, root, note: read };
}

type Signed = ReturnType<typeof readCheckpoint>;

/** The signature by one of the keys that has the name of the log. */
export function signatureOfLog({ origin, note }: Signed, keys: Verifier[]): Note["signatures"][number] | undefined {
  for (const key of keys) {
    const signature = key.name === origin && key.kind === 1 ? signatureOf(note, key) : undefined;
    if (signature) return signature;
  }
  return undefined;
}

/** Whether one of the keys signed the checkpoint for its own name. */
export const isSignedBy = (checkpoint: Signed, keys: Verifier[]): boolean =>
  signatureOfLog(checkpoint, keys) !== undefined;

/** The data of a leaf: it names the organisation, the number and the hash of an entry. */
export function leafData(organisationId: string, sequence: number | string, hash: string): string {
  return `botstead audit entry v1\n${organisationId}\n${sequence}\n${hash}\n`;
}
