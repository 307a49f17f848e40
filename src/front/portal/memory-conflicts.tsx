/** The memories that contradict a memory now. */
import type { Column } from "../parts/column.ts";
import { useList } from "../parts/list.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { timeColumn } from "./columns.tsx";
import type { Schemas } from "./schemas.ts";
import { memoryTexts } from "./texts/bots.ts";

type Memory = Schemas["Memory"];
type Listed = Schemas["ListedMemory"];

const texts = memoryTexts.one;
const { columns } = memoryTexts;

export function Contradictions({ memory, ids }: { memory: Memory; ids: string[] }) {
  const { subject, scope, botId } = memory;
  const list = useList<Listed>("/memories", { subject, scope, botId: botId ?? "", current: "true", limit: 100 });
  const rows = list.rows.filter(({ id }) => ids.includes(id));
  return (
    <Section title={texts.conflicts}>
      <Table
        {...{ ...list, rows }}
        caption={texts.conflictsCaption}
        columns={columnsFor(memory)}
        rowKey={({ id }) => id}
        empty={texts.noConflicts}
        exportName="contradictions"
      />
    </Section>
  );
}

const columnsFor = (memory: Memory): Column<Listed>[] => [
  {
    key: "value",
    title: columns.value,
    render: ({ id, value }) => (
      <a class="clip" href={`/portal/memories/${id}`}>
        {value}
      </a>
    ),
    text: ({ value }) => value,
  },
  {
    key: "age",
    title: texts.age,
    render: ({ id }) => (id > memory.id ? texts.newer : texts.older), // ids are in the order of creation
    sortBy: ({ id }) => id,
  },
  timeColumn("validFrom", columns.validFrom),
  timeColumn("createdAt", columns.created),
];
