/** The list of hooks, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { SelectFilter, useFilters } from "../../parts/filters.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { useList } from "../../parts/list.ts";
import { Field, Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { SecretDialog, urlOfHook } from "../hook-secret.tsx";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { hookTexts as texts } from "../texts/automation.ts";
import { type Bots, useBots } from "../use-bots.ts";

type Hook = Schemas["Hook"];

export default function Hooks() {
  const { route } = useLocation();
  const bots = useBots();
  const { values, set, isFiltered } = useFilters(["botId"]);
  const list = useList<Hook>("/hooks", { limit: 100, ...values });
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<Schemas["HookShownOnce"]>();
  return (
    <Page
      title={texts.title}
      actions={
        <OperationButton operation="create_hook" kind="main" onClick={() => setCreating(true)}>
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
      <ListPanel list={list} columns={columnsOf(bots)} texts={texts} isFiltered={isFiltered} exportName="hooks" />
      {creating && <CreateDialog bots={bots} onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && !creating && <SecretDialog hook={created} onClose={() => route(`/portal/hooks/${created.id}`)} />}
    </Page>
  );
}

type CreateProps = { bots: Bots; onClose: () => void; onCreated: (hook: Schemas["HookShownOnce"]) => void };

function CreateDialog({ bots, onClose, onCreated }: CreateProps) {
  const create = async (form: FormData) =>
    onCreated(await api("POST", "/hooks", { botId: textOf(form, "botId"), name: textOf(form, "name") }));
  return (
    <FormDialog title={texts.create.title} action={texts.create.action} onClose={onClose} onSubmit={create}>
      {(errors) => (
        <>
          <Field label={texts.fields.bot} error={errors.botId}>
            <select name="botId" required>
              {bots.options.map(({ value, title }) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </Field>
          <Field label={texts.fields.name} error={errors.name}>
            <input name="name" required maxLength={60} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

const columnsOf = ({ nameOf }: Bots): Column<Hook>[] => [
  {
    key: "name",
    title: texts.columns.name,
    render: ({ id, name }) => <a href={`/portal/hooks/${id}`}>{name}</a>,
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
    key: "lastReceivedAt",
    title: texts.columns.last,
    render: ({ lastReceivedAt }) => <Time at={lastReceivedAt} />,
    sortBy: ({ lastReceivedAt }) => lastReceivedAt,
    text: ({ lastReceivedAt }) => lastReceivedAt,
  },
  {
    key: "createdAt",
    title: texts.columns.created,
    render: ({ createdAt }) => <Time at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => createdAt,
  },
  {
    key: "url",
    title: texts.columns.url,
    hidden: true,
    render: ({ path }) => <code>{urlOfHook(path)}</code>,
    text: ({ path }) => urlOfHook(path),
  },
];
