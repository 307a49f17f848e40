/** The list of routines, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import type { Column } from "../../parts/column.ts";
import { isEmptyList } from "../../parts/filter-line.tsx";
import { SelectFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { botColumn, stateColumn, timeColumn } from "../columns.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import { RoutineForm, type RoutineValues } from "../routine-form.tsx";
import type { Schemas } from "../schemas.ts";
import { routineTexts as texts } from "../texts/automation.ts";
import { type Names, useBots } from "../use-names.ts";

type Routine = Schemas["Routine"];

export default function Routines() {
  const { route } = useLocation();
  const bots = useBots();
  const { values, of, isFiltered } = useFilters(["botId"]);
  const list = useList<Routine>("/routines", { limit: 100, ...values });
  const [creating, setCreating] = useState(false);
  const create = async (routine: RoutineValues, botId: string) => {
    const { id } = await api<Routine>("POST", "/routines", { ...routine, botId });
    toast(texts.create.done);
    route(`/portal/routines/${id}`);
  };
  const start = (
    <OperationButton operation="create_routine" kind="main" onClick={() => setCreating(true)}>
      {texts.create.button}
    </OperationButton>
  );
  return (
    <Page title={texts.title} actions={!isEmptyList(list, isFiltered) && start}>
      <ListPanel
        filters={
          <search class="filters one">
            <SelectFilter label={texts.filters.bot} options={bots.options} {...of("botId")} />
          </search>
        }
        start={start}
        list={list}
        columns={columnsOf(bots)}
        texts={texts}
        isFiltered={isFiltered}
        exportName="routines"
      />
      {creating && <RoutineForm words={texts.create} onClose={() => setCreating(false)} onSave={create} />}
    </Page>
  );
}

const columnsOf = ({ nameOf }: Names): Column<Routine>[] => [
  {
    key: "name",
    phone: "title",
    title: texts.columns.name,
    render: ({ id, name, message }) => (
      <>
        <a href={`/portal/routines/${id}`}>{name}</a>
        <span class="sub clip">{message}</span>
      </>
    ),
    sortBy: ({ name }) => name,
  },
  botColumn(texts.columns.bot, nameOf),
  stateColumn(texts.columns.state, ({ pauseReason }) => pauseReason && texts.pauseReasons[pauseReason]),
  {
    key: "schedule",
    title: texts.columns.schedule,
    render: ({ schedule, timeZone }) => (
      <>
        <code>{schedule}</code>
        <span class="sub">{timeZone}</span>
      </>
    ),
    text: ({ schedule, timeZone }) => `${schedule} ${timeZone}`,
  },
  { ...timeColumn("nextFiringAt", texts.columns.next, "relativeToo"), phone: "time" },
  timeColumn("lastFiredAt", texts.columns.last),
];
