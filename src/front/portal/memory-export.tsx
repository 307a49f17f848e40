/** Exports every memory that matches the filters as JSON lines. (docs/specification/memories.md#export) */
import { jsonLines, request, withQuery } from "../parts/api.ts";
import { download } from "../parts/export.tsx";
import { ListExport } from "./list-export.tsx";
import { memoryTexts } from "./texts/bots.ts";

const texts = memoryTexts.export;

export function MemoryExport({ filters }: { filters: Record<string, string> }) {
  const save = async (signal: AbortSignal, onCount: (count: number) => void) => {
    download("memories.jsonl", jsonLines, await readMemories(filters, { signal, onCount }));
    return texts.done;
  };
  return <ListExport formats={[{ label: texts.button, save }]} loaded={texts.loaded} />;
}

type Options = { signal: AbortSignal; onCount: (count: number) => void };

/** The lines, in the order of the list. A response that breaks off is continued, except a search, whose ranks have no position. */
async function readMemories(filters: Record<string, string>, { signal, onCount }: Options): Promise<Blob> {
  const texts: string[] = [];
  let count = 0;
  const take = (lines: string) => {
    texts.push(lines);
    count += lines.split("\n").length - 1;
    onCount(count);
  };
  for (let cursor: string | undefined; ; ) {
    const before = count;
    const url = `/api/v1${withQuery("/memories", { ...filters, cursor })}`;
    const response = await request("GET", url, { headers: { accept: jsonLines }, signal });
    if (await readWhole(response, take)) return new Blob(texts);
    signal.throwIfAborted();
    if (filters.q || count === before) throw new Error(memoryTexts.export.broken);
    cursor = JSON.parse(texts.at(-1)?.trimEnd().split("\n").at(-1) ?? "").id;
  }
}

/** @param take gets whole lines. @returns false if the response breaks off */
async function readWhole(response: Response, take: (lines: string) => void): Promise<boolean> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const read = await reader?.read().catch(() => undefined);
    if (!read) return false;
    if (read.done) return rest === "";
    const text = rest + read.value;
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    if (end > 0) take(text.slice(0, end));
  }
}
