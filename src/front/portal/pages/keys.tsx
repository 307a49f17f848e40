/** The list of API keys, and creating one. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import type { Column } from "../../parts/column.ts";
import { isEmptyList } from "../../parts/filter-line.tsx";
import { optionsOf, SelectFilter, useFilters } from "../../parts/filters.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { useList } from "../../parts/list.ts";
import { Field, Page } from "../../parts/page.tsx";
import { codeColumn, timeColumn, wordColumn } from "../columns.tsx";
import { RestrictionFields, restrictionsOf, showNewKey } from "../key-form.tsx";
import { stateOf } from "../key-state.ts";
import { ListPanel } from "../list-panel.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { keyTexts as texts } from "../texts/keys.ts";
import { type Names, usePeople } from "../use-names.ts";

type Key = Schemas["Key"];

export default function Keys() {
  const { route } = useLocation();
  const people = usePeople();
  const { values, of, isFiltered } = useFilters(["state"]);
  const list = useList<Key>("/keys", { limit: 100, ...values });
  const [creating, setCreating] = useState(false);
  const created = (key: Schemas["KeyShownOnce"]) => {
    showNewKey(key);
    route(`/portal/keys/${key.id}`);
  };
  const start = (
    <OperationButton operation="create_key" kind="main" onClick={() => setCreating(true)}>
      {texts.create.button}
    </OperationButton>
  );
  return (
    <Page title={texts.title} actions={!isEmptyList(list, isFiltered) && start}>
      <ListPanel
        filters={
          <search class="filters one">
            <SelectFilter label={texts.filters.state} options={optionsOf(texts.states)} {...of("state")} />
          </search>
        }
        start={start}
        list={list}
        columns={columnsOf(people)}
        texts={texts}
        isFiltered={isFiltered}
        exportName="keys"
      />
      {creating && <CreateDialog onClose={() => setCreating(false)} onCreated={created} />}
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

const columnsOf = ({ nameOf }: Names): Column<Key>[] => [
  {
    key: "name",
    phone: "title",
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
  },
  wordColumn("scope", texts.columns.scope, texts.scopes),
  {
    key: "state",
    phone: "state",
    title: texts.columns.state,
    render: (key) => <State state={stateOf(key)} />,
    sortBy: stateOf,
  },
  {
    key: "createdBy",
    title: texts.columns.creator,
    render: ({ createdBy }) => nameOf(createdBy),
    sortBy: ({ createdBy }) => nameOf(createdBy),
  },
  { ...timeColumn("lastUsedAt", texts.columns.lastUsed), phone: "time" },
  timeColumn("expiresAt", texts.columns.expires),
  codeColumn("prefix", texts.columns.prefix),
  { ...timeColumn("createdAt", texts.columns.created), hidden: true },
];
