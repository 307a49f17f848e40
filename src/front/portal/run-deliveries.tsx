/** The events of a run and their deliveries, newest first. */
import { useList } from "../parts/list.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { type Event, eventColumns } from "./event-columns.tsx";
import type { Schemas } from "./schemas.ts";
import { runTexts } from "./texts/runs.ts";

const texts = runTexts.deliveries;
const columns = eventColumns.filter(({ key }) => key !== "about");

export function RunDeliveries({ run }: { run: Schemas["Run"] }) {
  const { rows, loading, more, error, reload } = useList<Event>("/events", {
    runId: run.id,
    order: "desc",
    limit: 200,
  });
  return (
    <Section title={texts.title}>
      <Table
        rows={rows}
        loading={loading}
        more={more}
        error={error}
        retry={reload}
        caption={texts.caption}
        columns={columns}
        rowKey={({ id }) => id}
        empty={texts.empty}
      />
    </Section>
  );
}
