/** Exports every audit log entry that matches the filters, also entries that are not shown. */
import { useState } from "preact/hooks";
import { csvField, download } from "../parts/export.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { readAll } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { auditTexts } from "./texts/people.ts";

type Entry = Schemas["AuditEntry"];

const texts = auditTexts.export;
/** 100,000 entries. */
const maxPages = 500;

const fields = [
  "id",
  "sequence",
  "createdAt",
  "actor",
  "keyId",
  "userId",
  "operator",
  "reason",
  "requestId",
  "action",
  "resource",
  "resourceId",
  "changed",
  "before",
  "after",
  "hash",
] as const satisfies (keyof Entry)[];

export function AuditExport({ filters }: { filters: Record<string, string> }) {
  const [running, setRunning] = useState<{ count: number; stop: AbortController }>();
  const run = async (name: string, type: string, write: (entries: Entry[]) => string) => {
    const stop = new AbortController();
    setRunning({ count: 0, stop });
    try {
      const onPage = (count: number) => setRunning({ count, stop });
      const { rows, isCut } = await readAll<Entry>("/audit", filters, { signal: stop.signal, maxPages, onPage });
      download(name, type, write(rows));
      toast(isCut ? texts.cut : texts.done);
    } catch (error) {
      if (!stop.signal.aborted) toastError(error);
    } finally {
      setRunning(undefined);
    }
  };
  if (running) {
    return (
      <>
        <span role="status">
          {texts.running} {running.count.toLocaleString()} {texts.loaded}
        </span>
        <button type="button" onClick={() => running.stop.abort()}>
          {texts.stop}
        </button>
      </>
    );
  }
  return (
    <>
      <button type="button" onClick={() => run("audit-log.csv", "text/csv", csvOf)}>
        {texts.csv}
      </button>
      <button type="button" onClick={() => run("audit-log.jsonl", "application/jsonl", jsonLinesOf)}>
        {texts.jsonLines}
      </button>
    </>
  );
}

const csvOf = (entries: Entry[]): string =>
  [fields.join(","), ...entries.map((entry) => fields.map((name) => csvField(cell(entry[name]))).join(","))]
    .map((line) => `${line}\r\n`)
    .join("");

const cell = (value: Entry[keyof Entry]): string | number | null =>
  value !== null && typeof value === "object" ? JSON.stringify(value) : value;

const jsonLinesOf = (entries: Entry[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
