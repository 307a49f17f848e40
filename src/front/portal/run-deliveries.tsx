/** The events of a run and their deliveries, out of the events since its start. */
import { Failure } from "../parts/failure.tsx";
import { useList } from "../parts/list.ts";
import { EmptyState, Loading, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { partTexts } from "../parts/texts.ts";
import { type Event, eventColumns } from "./event-columns.tsx";
import type { Schemas } from "./schemas.ts";
import { runTexts } from "./texts/runs.ts";

const texts = runTexts.deliveries;
const columns = eventColumns.filter(({ key }) => key !== "about");

export function RunDeliveries({ run }: { run: Schemas["Run"] }) {
  const { rows, loading, more, error, reload } = useList<Event>("/events", { order: "desc", limit: 200 });
  const ofRun = rows.filter(({ data }) => "runId" in data && data.runId === run.id);
  const oldest = rows.at(-1)?.createdAt;
  // The events are newest first. Those before the start of the run are of other runs.
  const earlier = oldest === undefined || oldest >= run.createdAt ? more : undefined;
  return (
    <Section title={texts.title}>
      <Failure error={error} retry={reload} />
      {ofRun.length > 0 && (
        <Table
          rows={ofRun}
          loading={loading}
          more={earlier}
          caption={texts.caption}
          columns={columns}
          rowKey={({ id }) => id}
          empty={texts.empty}
        />
      )}
      {ofRun.length === 0 && loading && <Loading />}
      {ofRun.length === 0 && !loading && !error && (
        <EmptyState title={earlier ? texts.earlier : texts.empty}>
          {earlier && (
            <button type="button" onClick={earlier}>
              {partTexts.table.more}
            </button>
          )}
        </EmptyState>
      )}
    </Section>
  );
}
