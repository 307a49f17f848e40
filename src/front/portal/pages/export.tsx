/** Exports of the organisation by its owners. */
import type { Column } from "../../parts/column.ts";
import { useList } from "../../parts/list.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { codeColumn, stateColumn, timeColumn } from "../columns.tsx";
import { ExportRun } from "../export-run.tsx";
import type { Schemas } from "../schemas.ts";
import { useMayExport } from "../session-context.ts";
import { exportTexts as texts } from "../texts/export.ts";
import { type Names, usePeople } from "../use-names.ts";

type Export = Schemas["Export"];

export default function Exports() {
  const mayExport = useMayExport();
  return (
    <Page title={texts.title} above={<a href="/portal/">{texts.back}</a>}>
      {mayExport ? <OwnExports /> : <p class="lead quiet">{texts.ownersOnly}</p>}
    </Page>
  );
}

function OwnExports() {
  const people = usePeople();
  const list = useList<Export>("/exports", { limit: 100 });
  return (
    <>
      <ExportRun changed={list.reload} />
      <Section title={texts.list.title}>
        <Table
          {...list}
          caption={texts.list.caption}
          columns={columnsOf(people)}
          rowKey={({ id }) => id}
          empty={texts.list.empty}
        />
      </Section>
    </>
  );
}

/** The service counts the parts of an open export only. */
const partsOf = ({ manifest, parts }: Export): number => (manifest ? JSON.parse(manifest).parts : parts);

const { columns } = texts.list;
const columnsOf = ({ nameOf }: Names): Column<Export>[] => [
  { ...timeColumn("createdAt", columns.createdAt, "relativeToo"), phone: "title" },
  {
    key: "person",
    title: columns.person,
    phone: "time",
    render: ({ personId }) => nameOf(personId),
    sortBy: ({ personId }) => nameOf(personId),
  },
  stateColumn(columns.state),
  {
    ...{ key: "parts", title: columns.parts, number: true },
    render: (row) => partsOf(row).toLocaleString(),
    sortBy: partsOf,
  },
  timeColumn("finishedAt", columns.finishedAt),
  codeColumn("id", columns.id),
];
