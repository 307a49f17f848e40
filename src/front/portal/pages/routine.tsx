/** One routine: its schedule, its message and its last firing. */

import { useState } from "preact/hooks";
import { api, useOne } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { changesOf } from "../../parts/form-dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { type Fact, Facts, Loading, Page, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { AutomationActions } from "../automation-actions.tsx";
import { Linked } from "../linked.tsx";
import { NextFirings, ScheduleWords } from "../next-firings.tsx";
import { OperationButton } from "../operation-button.tsx";
import { RoutineForm, type RoutineValues } from "../routine-form.tsx";
import type { Schemas } from "../schemas.ts";
import { routineTexts as texts } from "../texts/automation.ts";
import { useBots, usePeople } from "../use-names.ts";

type Routine = Schemas["Routine"];

export default function RoutinePage({ id = "" }: { id?: string }) {
  const { data: routine, etag, error, reload } = useOne<Routine>(`/routines/${id}`);
  const [editing, setEditing] = useState(false);
  const save = async (values: RoutineValues) => {
    const changes = routine ? changesOf(values, routine) : {};
    if (Object.keys(changes).length > 0) await api("PATCH", `/routines/${id}`, changes, { etag });
    toast(texts.edit.done);
    reload();
  };
  const present: Fact[] = routine
    ? [
        [texts.columns.name, routine.name],
        [texts.columns.state, <State state={routine.state} />],
        [texts.columns.schedule, <code>{routine.schedule}</code>],
        [texts.columns.next, <Time at={routine.nextFiringAt} relativeToo />],
      ]
    : [];
  const actions = routine && (
    <AutomationActions kind="routine" row={routine} words={texts} present={present} changed={reload}>
      <OperationButton operation="update_routine" onClick={() => setEditing(true)}>
        {texts.edit.button}
      </OperationButton>
    </AutomationActions>
  );
  return (
    <Page
      title={routine?.name ?? texts.one.title}
      above={<a href="/portal/routines">{texts.one.back}</a>}
      actions={actions}
    >
      <Failure error={error} retry={reload} />
      {routine ? <Shown routine={routine} /> : !error && <Loading />}
      {editing && routine && (
        <RoutineForm
          words={texts.edit}
          present={routine}
          edited={{ etag, reload }}
          onClose={() => setEditing(false)}
          onSave={save}
        />
      )}
    </Page>
  );
}

function Shown({ routine }: { routine: Routine }) {
  const bots = useBots();
  const people = usePeople();
  const { columns, one } = texts;
  const { pauseReason, lastRunId, lastSkipReason } = routine;
  return (
    <>
      {pauseReason && <p class="notice warn">{texts.pauseReasons[pauseReason]}</p>}
      <div class="panel">
        <Facts
          items={[
            [columns.state, <State state={routine.state} />],
            [columns.bot, <Linked href={`/portal/bots/${routine.botId}`}>{bots.nameOf(routine.botId)}</Linked>],
            [
              columns.schedule,
              <>
                <code>{routine.schedule}</code>
                <ScheduleWords {...routine} />
              </>,
            ],
            [
              texts.firings.label,
              routine.state === "active" ? (
                <NextFirings {...routine} />
              ) : (
                <span class="quiet">{texts.firings.paused}</span>
              ),
            ],
            [texts.fields.timeZone, routine.timeZone],
            [columns.next, <Time at={routine.nextFiringAt} relativeToo />],
            [columns.last, <Time at={routine.lastFiredAt} />],
            [columns.run, lastRunId ? <Linked href={`/portal/runs/${lastRunId}`}>{one.showRun}</Linked> : "–"],
            [one.skipped, <Time at={routine.lastSkippedAt} />],
            [one.skipReason, lastSkipReason ? texts.skipReasons[lastSkipReason] : "–"],
            [one.creator, people.nameOf(routine.createdBy)],
            [columns.created, <Time at={routine.createdAt} />],
            [one.id, <Id value={routine.id} />],
          ]}
        />
      </div>
      <Section title={one.message}>
        <p class="text padded">{routine.message}</p>
      </Section>
    </>
  );
}
