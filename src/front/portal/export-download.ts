/** The calls and files of `botstead export`, in the memory of the page. (docs/leaving.md) */
import { fileOfPart, type PartLine } from "../../contract/export-files.ts";
import { ApiError, api } from "../parts/api.ts";
import { tarEntry, tarOf } from "../parts/tar.ts";
import { pause, withinLimit } from "./rate-limit.ts";
import type { Schemas } from "./schemas.ts";
import { exportTexts as texts } from "./texts/export.ts";

type Export = Schemas["Export"];
type Part = Schemas["ExportPart"];

/** Entries join the signed tree within about a minute. */
const proofTimeoutMs = 180_000;
const waitMs = 2_000;

export type Download = {
  readonly parts: number;
  /** All parts are here, and the manifest. */
  readonly isFinished: boolean;
  readonly hasProof: boolean;
  /** Continues after the last part that arrived. `onStep` is called after each part, and when it is finished. */
  run(signal: AbortSignal, onStep: () => void): Promise<void>;
  /** The name of the folder. */
  readonly name: string;
  /** An archive with the folder. @throws Error before it is finished */
  archive(): Blob;
};

export function makeDownload(organisationId: string): Download {
  const idempotencyKey = crypto.randomUUID(); // an answer that is lost leaves no second export open
  const contents: Blob[] = [];
  const parts: (PartLine & { isLast: boolean })[] = [];
  let begun: Export | undefined;
  let proof: object | undefined;

  const name = () => `export-${begun?.id}`;
  const entry = (file: string, content: string) => tarEntry(`${name()}/${file}`, content);

  async function readPart({ id }: Export, signal: AbortSignal): Promise<void> {
    const make = () => api<Part>("POST", `/exports/${id}/parts`, { part: parts.length + 1 }, { signal });
    const { content, ...line } = await withinLimit(make, signal);
    if ((await sha256(content)) !== line.hash) throw new Error(texts.damaged);
    contents.push(entry(fileOfPart(line.part), content));
    parts.push(line);
  }

  async function readProof({ id }: Export, signal: AbortSignal): Promise<object> {
    for (const until = Date.now() + proofTimeoutMs; ; await pause(waitMs, signal)) {
      const { auditEntryId } = await api<Export>("GET", `/exports/${id}`, undefined, { signal });
      try {
        if (auditEntryId) return await api<object>("GET", `/audit/${auditEntryId}/proof`, undefined, { signal });
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== "entry_not_in_checkpoint") throw error;
      }
      if (Date.now() > until) throw new Error(texts.unsigned);
    }
  }

  return {
    get parts() {
      return parts.length;
    },
    get isFinished() {
      return typeof begun?.manifest === "string";
    },
    get hasProof() {
      return proof !== undefined;
    },
    async run(signal, onStep) {
      begun ??= await api<Export>("POST", "/exports", undefined, { idempotencyKey, signal });
      while (!parts.at(-1)?.isLast) {
        await readPart(begun, signal);
        onStep();
      }
      if (!begun.manifest) begun = await api<Export>("POST", `/exports/${begun.id}/finish`, undefined, { signal });
      onStep();
      proof ??= await readProof(begun, signal);
    },
    get name() {
      return name();
    },
    archive() {
      if (!begun?.manifest) throw new Error(texts.damaged);
      const files = {
        "export.json": JSON.stringify({ id: begun.id, organisationId }),
        "parts.jsonl": parts.map((line) => `${JSON.stringify(line)}\n`).join(""),
        "manifest.json": begun.manifest,
        ...(proof && { "proof.json": JSON.stringify(proof) }),
      };
      return tarOf([...contents, ...Object.entries(files).map(([file, content]) => entry(file, content))]);
    },
  };
}

/** Whether the export cannot be continued. */
export const isLost = (error: Error): boolean =>
  error instanceof ApiError &&
  (error.status === 404 || ["export_expired", "export_finished", "export_part_changed"].includes(error.reason ?? ""));

async function sha256(content: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
