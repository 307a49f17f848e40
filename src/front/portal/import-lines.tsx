/** Lines of an import that are not stored. */
import type { Column } from "../parts/column.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { countColumn, textColumn } from "./columns.tsx";
import type { RefusedLine } from "./import-refusals.ts";
import { importTexts } from "./texts/import.ts";

const { columns: titles, memory: link } = importTexts.list;

export function RefusedLines({ title, lines }: { title: string; lines: RefusedLine[] }) {
  const hasMemories = lines.some(({ memory }) => memory !== null);
  return (
    <Section title={title}>
      <Table
        caption={title}
        columns={hasMemories ? [...columns, memoryColumn] : columns}
        rows={lines}
        rowKey={({ line }) => `${line}`}
        empty={null}
        exportName="refused-lines"
      />
    </Section>
  );
}

const columns: Column<RefusedLine>[] = [
  { ...countColumn("line", titles.line), phone: "beside" },
  { ...textColumn("reason", titles.reason), long: true, phone: "title" },
  { key: "code", title: titles.code, render: ({ code }) => <code>{code}</code>, sortBy: ({ code }) => code },
];

const memoryColumn: Column<RefusedLine> = {
  key: "memory",
  title: titles.memory,
  render: ({ memory }) => (memory ? <a href={`/portal/memories/${memory}`}>{link}</a> : "–"),
  text: ({ memory }) => memory,
};
