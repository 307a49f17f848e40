/** One memory with its former versions. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, useOne } from "../../parts/api.ts";
import type { Column } from "../../parts/column.ts";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { changesOf, type Edited } from "../../parts/form-dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { useList } from "../../parts/list.ts";
import { Facts, Loading, Page, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { timeColumn } from "../columns.tsx";
import { percent } from "../memory-columns.tsx";
import { Contradictions } from "../memory-conflicts.tsx";
import { EditMemoryForm, type MemoryValues, ReplaceMemoryForm } from "../memory-form.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { memoryTexts as texts } from "../texts/bots.ts";
import { type Names, useBots, usePeople } from "../use-names.ts";

type Memory = Schemas["Memory"];
type Change = Schemas["MemoryChange"];

export default function MemoryPage({ id = "" }: { id?: string }) {
  const { data: memory, etag, error, reload } = useOne<Memory>(`/memories/${id}`);
  const history = useList<Change>(`/memories/${id}/history`, { limit: 100 });
  const people = usePeople();
  const changed = () => {
    reload();
    history.reload();
  };
  return (
    <Page
      title={memory?.subject ?? texts.one.title}
      above={<a href="/portal/memories">{texts.one.back}</a>}
      actions={memory && <Actions memory={memory} edited={{ etag, reload: changed }} />}
    >
      <Failure error={error} retry={reload} />
      {memory ? <Shown memory={memory} /> : !error && <Loading />}
      {memory?.conflictsWith && <Contradictions memory={memory} ids={memory.conflictsWith} />}
      {memory && (
        <Section title={texts.one.history}>
          <Table
            {...history}
            caption={texts.one.historyCaption}
            columns={columnsOf(people)}
            rowKey={(change) => change.id}
            empty={texts.one.noHistory}
            exportName="memory-history"
          />
        </Section>
      )}
    </Page>
  );
}

function Shown({ memory }: { memory: Memory }) {
  const { nameOf } = useBots();
  const { columns: names } = texts;
  return (
    <div class="panel">
      <p class="text padded large">{memory.value}</p>
      <Facts
        items={[
          [names.kind, memory.kind],
          [names.subjectKind, texts.subjectKinds[memory.subjectKind]],
          [names.scope, memory.botId ? nameOf(memory.botId) : texts.scopes[memory.scope]],
          [names.provenance, texts.provenances[memory.provenance]],
          [names.confidence, percent(memory.confidence)],
          [names.validFrom, <Time at={memory.validFrom} />],
          [names.validTo, <Time at={memory.validTo} />],
          ...linksOf(memory),
          [names.created, <Time at={memory.createdAt} />],
          [names.lawfulBasis, texts.lawfulBases[memory.lawfulBasis]],
          [names.id, <Id value={memory.id} />],
        ]}
      />
    </div>
  );
}

const linksOf = ({ supersedes, supersededBy }: Memory): [string, ComponentChildren][] =>
  (
    [
      [texts.one.supersedes, supersedes, texts.one.earlier],
      [texts.one.supersededBy, supersededBy, texts.one.later],
    ] as const
  ).flatMap(([name, id, words]) => (id ? [[name, <a href={`/portal/memories/${id}`}>{words}</a>]] : []));

/** The API replaces a memory once, while it is valid. */
const isReplaceable = ({ supersededBy, validFrom, validTo }: Memory, now = new Date().toISOString()) =>
  !supersededBy && (!validFrom || validFrom < now) && (!validTo || validTo > now);

function Actions({ memory, edited }: { memory: Memory; edited: Edited }) {
  const { route } = useLocation();
  const [open, setOpen] = useState<"edit" | "replace" | "remove">();
  const close = () => setOpen(undefined);
  if (memory.scope === "member") return null; // the API does not change such memories
  const edit = async (values: MemoryValues) => {
    const changes = changesOf(values, memory);
    if (Object.keys(changes).length > 0) await api("PATCH", `/memories/${memory.id}`, changes, edited);
    toast(texts.edit.done);
    edited.reload();
  };
  const replace = async (values: MemoryValues) => {
    const { id: supersedes, scope, botId, kind, subject, subjectKind } = memory;
    const made = { scope, botId, kind, subject, subjectKind, ...values, supersedes };
    const { id } = await api<Memory>("POST", "/memories", made);
    toast(texts.replace.done);
    route(`/portal/memories/${id}`);
  };
  const remove = async () => {
    await api("DELETE", `/memories/${memory.id}`);
    toast(texts.remove.done);
    route("/portal/memories");
  };
  return (
    <>
      <OperationButton operation="update_memory" onClick={() => setOpen("edit")}>
        {texts.edit.button}
      </OperationButton>
      {isReplaceable(memory) && (
        <OperationButton operation="create_memory" onClick={() => setOpen("replace")}>
          {texts.replace.button}
        </OperationButton>
      )}
      <OperationButton operation="delete_memory" kind="risky" onClick={() => setOpen("remove")}>
        {texts.remove.button}
      </OperationButton>
      {open === "edit" && <EditMemoryForm memory={memory} edited={edited} onClose={close} onSave={edit} />}
      {open === "replace" && <ReplaceMemoryForm memory={memory} onClose={close} onSave={replace} />}
      <ConfirmDialog
        words={texts.remove}
        present={[
          [texts.columns.subject, memory.subject],
          [texts.columns.value, <span class="clip">{memory.value}</span>],
          [texts.columns.confidence, percent(memory.confidence)],
        ]}
        danger
        open={open === "remove"}
        onClose={close}
        onConfirm={remove}
      />
    </>
  );
}

const columnsOf = ({ nameOf }: Names): Column<Change>[] => [
  {
    key: "changedAt",
    title: texts.one.changedAt,
    render: ({ changedAt }) => <Time at={changedAt} />,
    text: ({ changedAt }) => changedAt,
  },
  {
    key: "changedBy",
    title: texts.one.changedBy,
    render: ({ changedBy }) => (changedBy ? nameOf(changedBy) : texts.one.nobody),
    text: ({ changedBy }) => changedBy && nameOf(changedBy),
  },
  {
    key: "value",
    title: texts.columns.value,
    render: ({ value }) => <span class="text">{value}</span>,
    text: ({ value }) => value,
  },
  {
    key: "confidence",
    title: texts.columns.confidence,
    number: true,
    render: ({ confidence }) => percent(confidence),
    text: ({ confidence }) => confidence,
  },
  timeColumn("validFrom", texts.columns.validFrom),
  timeColumn("validTo", texts.columns.validTo),
];
