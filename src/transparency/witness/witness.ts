/** A witness (C2SP tlog-witness): cosigns a checkpoint only if it extends the last one that it cosigned for that log. */

import type { Signer, Verifier } from "../../secrets/note-key.ts";
import { readCheckpoint, signatureOfLog } from "../checkpoint.ts";
import { hashOfEmptyTree, isConsistent } from "../merkle.ts";
import { cosign } from "../note.ts";
import type { Store } from "./store.ts";

export type Reply = { status: number; body: string; contentType?: string };

const refuse = (status: number, sentence: string): Reply => ({ status, body: `${sentence}\n` });
const maxProof = 63;

/** Answers one request. Synchronous, so that no other request comes between the check and the record. */
export function addCheckpoint(
  body: string,
  { signer, logs, store, now = Date.now }: { signer: Signer; logs: Verifier[]; store: Store; now?: () => number },
): Reply {
  const request = readRequest(body);
  if (!request) return refuse(400, "The request is no old size, proof and checkpoint.");
  const { old, proof, checkpoint } = request;
  const keys = logs.filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) return refuse(404, "This witness does not know the log.");
  const signature = signatureOfLog(checkpoint, keys);
  if (!signature) return refuse(403, "No known key of the log signed the checkpoint.");
  if (old > checkpoint.size) return refuse(400, "The old size is larger than the checkpoint.");
  const last = store.last(checkpoint.origin);
  const before = last
    ? { size: last.size, root: Buffer.from(last.root, "base64") }
    : { size: 0, root: hashOfEmptyTree };
  if (old !== before.size) return { status: 409, body: `${before.size}\n`, contentType: "text/x.tlog.size" };
  if (old === checkpoint.size && !before.root.equals(checkpoint.root)) {
    return refuse(409, "A checkpoint of this size has another root.");
  }
  if (!isConsistent(before, checkpoint, proof)) return refuse(422, "The checkpoint does not extend the last one.");
  const line = cosign(checkpoint.note.text, signer, Math.floor(now() / 1000));
  if (last && old === checkpoint.size) return { status: 200, body: line }; // a repetition adds nothing to the store
  store.add(checkpoint.origin, {
    at: new Date(now()).toISOString(),
    size: checkpoint.size,
    root: checkpoint.root.toString("base64"),
    note: `${checkpoint.note.text}\n${signature.line}${line}`,
  });
  return { status: 200, body: line };
}

function readRequest(body: string) {
  const end = body.indexOf("\n\n");
  const [first = "", ...lines] = body.slice(0, Math.max(end, 0)).split("\n");
  const size = /^old (0|[1-9]\d{0,15})$/.exec(first)?.[1];
  const proof = lines.map((line) => Buffer.from(line, "base64"));
  if (size === undefined || proof.length > maxProof || proof.some((hash) => hash.length !== 32)) return undefined;
  try {
    return { old: Number(size), proof, checkpoint: readCheckpoint(body.slice(end + 2)) };
  } catch {
    return undefined;
  }
}
