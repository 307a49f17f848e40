/** The list of API keys, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { optionsOf, SelectFilter, useFilters } from "../../parts/filters.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { useList } from "../../parts/list.ts";
import { Field, Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { NewKeyDialog, RestrictionFields, restrictionsOf } from "../key-form.tsx";
import { stateOf } from "../key-state.ts";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { keyTexts as texts } from "../texts/keys.ts";
import { type People, usePeople } from "../use-people.ts";

type Key = Schemas["Key"];

export default function Keys() {
  const { route } = useLocation();
  const people = usePeople();
  const { values, set, isFiltered } = useFilters(["state"]);
  const list = useList<Key>("/keys", { limit: 100, ...values });
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<Schemas["KeyShownOnce"]>();
  return (
    <Page
      title={texts.title}
      actions={
        <OperationButton operation="create_key" kind="main" onClick={() => setCreating(true)}>
          {texts.create.button}
        </OperationButton>
      }
    >
      <search class="filters">
        <SelectFilter
          label={texts.filters.state}
          value={values.state}
          options={optionsOf(texts.states)}
          onChange={(state) => set({ state })}
        />
      </search>
      <ListPanel list={list} columns={columnsOf(people)} texts={texts} isFiltered={isFiltered} exportName="keys" />
      {creating && <CreateDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && !creating && (
        <NewKeyDialog secret={created.key} onClose={() => route(`/portal/keys/${created.id}`)} />
      )}
    </Page>
  );
}

type CreateProps = { onClose: () => void; onCreated: (key: Schemas["KeyShownOnce"]) => void };

function CreateDialog({ onClose, onCreated }: CreateProps) {
  const create = async (form: FormData) =>
    onCreated(
      await api("POST", "/keys", {
        name: textOf(form, "name"),
        scope: textOf(form, "scope"),
        expiresInDays: Number(textOf(form, "expiresInDays")),
        ...restrictionsOf(form),
      }),
    );
  return (
    <FormDialog title={texts.create.title} action={texts.create.action} onClose={onClose} onSubmit={create}>
      {(errors) => (
        <>
          <Field label={texts.fields.name} error={errors.name}>
            <input name="name" required maxLength={60} />
          </Field>
          <Field label={texts.fields.scope} error={errors.scope}>
            <select name="scope">
              {optionsOf(texts.scopes).map(({ value, title }) => (
                <option key={value} value={value}>
                  {title}: {texts.scopeHints[value as Key["scope"]]}
                </option>
              ))}
            </select>
          </Field>
          <Field label={texts.fields.days} error={errors.expiresInDays}>
            <input name="expiresInDays" type="number" required min={1} max={365} defaultValue={90} />
          </Field>
          <RestrictionFields errors={errors} />
        </>
      )}
    </FormDialog>
  );
}

const columnsOf = ({ nameOf }: People): Column<Key>[] => [
  {
    key: "name",
    title: texts.columns.name,
    render: ({ id, name, prefix }) => (
      <>
        <a href={`/portal/keys/${id}`}>{name}</a>
        <span class="sub">
          <code>{prefix}…</code>
        </span>
      </>
    ),
    sortBy: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    key: "scope",
    title: texts.columns.scope,
    render: ({ scope }) => texts.scopes[scope],
    sortBy: ({ scope }) => scope,
    text: ({ scope }) => scope,
  },
  {
    key: "state",
    title: texts.columns.state,
    render: (key) => <State state={stateOf(key)} />,
    sortBy: stateOf,
    text: stateOf,
  },
  {
    key: "createdBy",
    title: texts.columns.creator,
    render: ({ createdBy }) => nameOf(createdBy),
    sortBy: ({ createdBy }) => nameOf(createdBy),
    text: ({ createdBy }) => nameOf(createdBy),
  },
  {
    key: "lastUsedAt",
    title: texts.columns.lastUsed,
    render: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    text: ({ lastUsedAt }) => lastUsedAt,
  },
  {
    key: "expiresAt",
    title: texts.columns.expires,
    render: ({ expiresAt }) => <Time at={expiresAt} />,
    sortBy: ({ expiresAt }) => expiresAt,
    text: ({ expiresAt }) => expiresAt,
  },
  {
    key: "prefix",
    title: texts.columns.prefix,
    hidden: true,
    render: ({ prefix }) => <code>{prefix}</code>,
    text: ({ prefix }) => prefix,
  },
  {
    key: "createdAt",
    title: texts.columns.created,
    hidden: true,
    render: ({ createdAt }) => <Time at={createdAt} />,
    text: ({ createdAt }) => createdAt,
  },
];
