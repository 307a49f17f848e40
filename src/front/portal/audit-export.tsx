/** Exports every audit log entry that matches the filters. */
import { csvField, download } from "../parts/export.tsx";
import { type ExportFormat, ListExport } from "./list-export.tsx";
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
  const format = (label: string, name: string, type: string, write: (entries: Entry[]) => string): ExportFormat => ({
    label,
    async save(signal, onPage) {
      const { rows, isCut } = await readAll<Entry>("/audit", filters, { signal, maxPages, onPage });
      download(name, type, write(rows));
      return isCut ? texts.cut : texts.done;
    },
  });
  const formats = [
    format(texts.csv, "audit-log.csv", "text/csv", csvOf),
    format(texts.jsonLines, "audit-log.jsonl", "application/jsonl", jsonLinesOf),
  ];
  return <ListExport formats={formats} loaded={texts.loaded} />;
}

const csvOf = (entries: Entry[]): string =>
  [fields.join(","), ...entries.map((entry) => fields.map((name) => csvField(cell(entry[name]))).join(","))]
    .map((line) => `${line}\r\n`)
    .join("");

const cell = (value: Entry[keyof Entry]): string | number | null =>
  value !== null && typeof value === "object" ? JSON.stringify(value) : value;

const jsonLinesOf = (entries: Entry[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
