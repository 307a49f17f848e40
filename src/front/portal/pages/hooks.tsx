/** The list of hooks, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { isEmptyList } from "../../parts/filter-line.tsx";
import { SelectFilter, useFilters } from "../../parts/filters.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { useList } from "../../parts/list.ts";
import { Field, Page } from "../../parts/page.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { botColumn, timeColumn } from "../columns.tsx";
import { hookState, showHookSecret, urlOfHook } from "../hook-secret.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { hookTexts as texts } from "../texts/automation.ts";
import { type Names, useBots } from "../use-names.ts";

type Hook = Schemas["Hook"];

export default function Hooks() {
  const { route } = useLocation();
  const bots = useBots();
  const { values, of, isFiltered } = useFilters(["botId"]);
  const list = useList<Hook>("/hooks", { limit: 100, ...values });
  const [creating, setCreating] = useState(false);
  const created = (hook: Schemas["HookShownOnce"]) => {
    showHookSecret(hook);
    route(`/portal/hooks/${hook.id}`);
  };
  const start = (
    <OperationButton operation="create_hook" kind="main" onClick={() => setCreating(true)}>
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
        exportName="hooks"
      />
      {creating && <CreateDialog bots={bots} onClose={() => setCreating(false)} onCreated={created} />}
    </Page>
  );
}

type CreateProps = { bots: Names; onClose: () => void; onCreated: (hook: Schemas["HookShownOnce"]) => void };

function CreateDialog({ bots, onClose, onCreated }: CreateProps) {
  const create = async (form: FormData) =>
    onCreated(await api("POST", "/hooks", { botId: textOf(form, "botId"), name: textOf(form, "name") }));
  return (
    <FormDialog title={texts.create.title} action={texts.create.action} onClose={onClose} onSubmit={create}>
      {(errors) => (
        <>
          <SelectField name="botId" label={texts.fields.bot} options={bots.options} error={errors.botId} />
          <Field label={texts.fields.name} error={errors.name}>
            <input name="name" required maxLength={60} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

const columnsOf = ({ nameOf }: Names): Column<Hook>[] => [
  {
    key: "name",
    phone: "title",
    title: texts.columns.name,
    render: ({ id, name }) => <a href={`/portal/hooks/${id}`}>{name}</a>,
    sortBy: ({ name }) => name,
  },
  botColumn(texts.columns.bot, nameOf),
  {
    key: "state",
    phone: "state",
    title: texts.columns.state,
    render: (hook) => (
      <>
        <State state={hookState(hook)} />
        {hook.pauseReason && <span class="sub">{texts.pauseReasons[hook.pauseReason]}</span>}
      </>
    ),
    sortBy: hookState,
  },
  { ...timeColumn("lastReceivedAt", texts.columns.last), phone: "time" },
  timeColumn("createdAt", texts.columns.created),
  {
    key: "url",
    title: texts.columns.url,
    hidden: true,
    render: ({ path }) => <code>{urlOfHook(path)}</code>,
    text: ({ path }) => urlOfHook(path),
  },
];
