/** Sends checkpoints to a witness (C2SP tlog-witness), which keeps the last one and cosigns extensions of it only. */
import { fetch } from "../../delivery/fetch.ts";
import type { Verifier } from "../../secrets/note-key.ts";
import { readCheckpoint } from "../checkpoint.ts";
import { consistencySpans } from "../merkle.ts";
import { readNote, signatureOf } from "../note.ts";
import { hashOfSpan, type ReadTile } from "../tiles.ts";

export type Answer =
  | { kind: "cosigned"; line: string }
  /** The witness knows another tree, or does not accept the key. `size` is the size of its tree, if it said so. */
  | { kind: "refused"; status: number; size: number | undefined }
  | { kind: "away"; error: string };

export type Witness = {
  name: string;
  /** Whether the witness has cosigned the last checkpoint that this process knows. */
  isSure(): boolean;
  submit(head: { size: number; note: string }, read: ReadTile): Promise<Answer>;
};

/** For the whole answer, so that a slow witness does not delay the next checkpoint. */
const timeoutMs = 10_000;
const maxBytes = 16 * 1024;

/** @throws Error if there is no complete answer in time */
async function post(url: string, body: string): Promise<{ status: number; contentType: string; body: string }> {
  const answer = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain; charset=utf-8" },
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("The answer of the witness is too long.");
    chunks.push(chunk);
  }
  return {
    status: answer.status,
    contentType: answer.headers.get("content-type") ?? "",
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

export function openWitness({ key, url }: { key: Verifier; url: string }): Witness {
  /** The size that the witness cosigned last; undefined before its first answer. */
  let cosigned: number | undefined;
  let sure = false;

  async function submit(
    head: { size: number; note: string },
    read: ReadTile,
    old: number,
    again: boolean,
  ): Promise<Answer> {
    const spans = old <= head.size ? consistencySpans(old, head.size) : [];
    const proof = await Promise.all(spans.map((span) => hashOfSpan(span, read)));
    const lines = [`old ${old}`, ...proof.map((hash) => hash.toString("base64"))];
    const { status, contentType, body } = await post(`${url}/add-checkpoint`, `${lines.join("\n")}\n\n${head.note}`);
    if (status === 409 && contentType.startsWith("text/x.tlog.size")) {
      const size = Number(body.trim());
      if (again && Number.isSafeInteger(size) && size <= head.size && size !== old)
        return submit(head, read, size, false);
      return { kind: "refused", status, size };
    }
    if (status >= 500 || status === 429) return { kind: "away", error: `status ${status}` };
    if (status !== 200) return { kind: "refused", status, size: undefined };
    const line = signatureIn(body, head.note);
    return line === undefined ? { kind: "away", error: "no valid signature" } : { kind: "cosigned", line };
  }

  function signatureIn(body: string, note: string): string | undefined {
    try {
      return signatureOf(readNote(`${readCheckpoint(note).note.text}\n${body}`), key)?.line;
    } catch {
      return undefined;
    }
  }

  return {
    name: key.name,
    isSure: () => sure,
    async submit(head, read) {
      sure = false;
      try {
        const answer = await submit(head, read, cosigned ?? head.size, true);
        if (answer.kind === "cosigned") [cosigned, sure] = [head.size, true];
        return answer;
      } catch (error) {
        return { kind: "away", error: (error as Error).name };
      }
    },
  };
}
