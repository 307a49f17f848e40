/** The list of routines, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { SelectFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import { RoutineForm, type RoutineValues } from "../routine-form.tsx";
import type { Schemas } from "../schemas.ts";
import { routineTexts as texts } from "../texts/automation.ts";
import { type Bots, useBots } from "../use-bots.ts";

type Routine = Schemas["Routine"];

export default function Routines() {
  const { route } = useLocation();
  const bots = useBots();
  const { values, set, isFiltered } = useFilters(["botId"]);
  const list = useList<Routine>("/routines", { limit: 100, ...values });
  const [creating, setCreating] = useState(false);
  const create = async (routine: RoutineValues, botId: string) => {
    const { id } = await api<Routine>("POST", "/routines", { ...routine, botId });
    toast(texts.create.done);
    route(`/portal/routines/${id}`);
  };
  return (
    <Page
      title={texts.title}
      actions={
        <OperationButton operation="create_routine" kind="main" onClick={() => setCreating(true)}>
          {texts.create.button}
        </OperationButton>
      }
    >
      <search class="filters">
        <SelectFilter
          label={texts.filters.bot}
          value={values.botId}
          options={bots.options}
          onChange={(botId) => set({ botId })}
        />
      </search>
      <ListPanel list={list} columns={columnsOf(bots)} texts={texts} isFiltered={isFiltered} exportName="routines" />
      {creating && <RoutineForm words={texts.create} onClose={() => setCreating(false)} onSave={create} />}
    </Page>
  );
}

const columnsOf = ({ nameOf }: Bots): Column<Routine>[] => [
  {
    key: "name",
    title: texts.columns.name,
    render: ({ id, name, message }) => (
      <>
        <a href={`/portal/routines/${id}`}>{name}</a>
        <span class="sub clip">{message}</span>
      </>
    ),
    sortBy: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    key: "bot",
    title: texts.columns.bot,
    render: ({ botId }) => nameOf(botId),
    sortBy: ({ botId }) => nameOf(botId),
    text: ({ botId }) => nameOf(botId),
  },
  {
    key: "state",
    title: texts.columns.state,
    render: ({ state, pauseReason }) => (
      <>
        <State state={state} />
        {pauseReason && <span class="sub">{texts.pauseReasons[pauseReason]}</span>}
      </>
    ),
    sortBy: ({ state }) => state,
    text: ({ state }) => state,
  },
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
  {
    key: "nextFiringAt",
    title: texts.columns.next,
    render: ({ nextFiringAt }) => <Time at={nextFiringAt} relativeToo />,
    sortBy: ({ nextFiringAt }) => nextFiringAt,
    text: ({ nextFiringAt }) => nextFiringAt,
  },
  {
    key: "lastFiredAt",
    title: texts.columns.last,
    render: ({ lastFiredAt }) => <Time at={lastFiredAt} />,
    sortBy: ({ lastFiredAt }) => lastFiredAt,
    text: ({ lastFiredAt }) => lastFiredAt,
  },
];
