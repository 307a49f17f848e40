/** Sends checkpoints to a witness (C2SP tlog-witness), which keeps the last one and cosigns extensions of it only. */
import { readCheckpoint } from "../../transparency/checkpoint.ts";
import { consistencySpans } from "../../transparency/merkle.ts";
import { readNote, signatureOf, type Verifier } from "../../transparency/note.ts";
import { hashOfSpan, type ReadTile } from "../../transparency/tiles.ts";

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

/** Posts a text. @throws Error if there is no answer */
export type Post = (url: string, body: string) => Promise<{ status: number; contentType: string; body: string }>;

export function openWitness({ key, url }: { key: Verifier; url: string }, post: Post): Witness {
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
