/** The list of invitations: inviting, resending and revoking. */

import { useState } from "preact/hooks";
import { api } from "../parts/api.ts";
import { State } from "../parts/badge.tsx";
import type { Column } from "../parts/column.ts";
import { ConfirmDialog } from "../parts/dialog.tsx";
import { FilterLine, isEmptyList, useFilterable } from "../parts/filter-line.tsx";
import { optionsOf, SelectFilter, useFilters } from "../parts/filters.tsx";
import { FormDialog, textOf } from "../parts/form-dialog.tsx";
import { useList } from "../parts/list.ts";
import { emptyState, Field, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { textColumn, timeColumn, wordColumn } from "./columns.tsx";
import { OperationButton } from "./operation-button.tsx";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { memberTexts } from "./texts/people.ts";
import { type Names, usePeople } from "./use-names.ts";

type Invitation = Schemas["Invitation"];

const texts = memberTexts.invitations;

export function Invitations() {
  const may = useMay();
  const people = usePeople();
  const { values, of, isFiltered, count, clear } = useFilters(["status"]);
  const list = useList<Invitation>("/invitations", { limit: 100, status: values.status || "all" });
  const isFilterable = useFilterable(list, isFiltered);
  const [open, setOpen] = useState<"create" | Invitation>();
  const close = () => setOpen(undefined);
  const done = (text: string) => {
    toast(text);
    list.reload();
  };
  const create = async (form: FormData) => {
    await api("POST", "/invitations", { email: textOf(form, "email"), role: textOf(form, "role") });
    done(texts.create.done);
  };
  const resend = (id: string) =>
    api("POST", `/invitations/${id}/resend`).then(() => done(texts.resend.done), toastError);
  const revoke = async (id: string) => {
    await api("DELETE", `/invitations/${id}`);
    done(texts.revoke.done);
  };
  const actions: Column<Invitation> = {
    key: "actions",
    title: texts.columns.actions,
    render: (invitation) => (
      <span class="beside">
        {may("resend_invitation") && ["open", "expired"].includes(stateOf(invitation)) && (
          <button type="button" onClick={() => resend(invitation.id)}>
            {texts.resend.button}
          </button>
        )}
        {may("revoke_invitation") && stateOf(invitation) === "open" && (
          <button type="button" class="risky" onClick={() => setOpen(invitation)}>
            {texts.revoke.button}
          </button>
        )}
      </span>
    ),
  };
  const start = (
    <OperationButton operation="create_invitation" kind="main" onClick={() => setOpen("create")}>
      {texts.create.button}
    </OperationButton>
  );
  return (
    <Section title={texts.title} beside={!isEmptyList(list, isFiltered) && start}>
      {isFilterable && (
        <FilterLine count={count} onClear={clear} label={texts.filters} inside>
          <SelectFilter label={texts.filter} options={optionsOf(texts.states)} {...of("status")} />
        </FilterLine>
      )}
      <Table
        {...list}
        caption={texts.caption}
        columns={[...columnsOf(people), ...(may("revoke_invitation") ? [actions] : [])]}
        rowKey={({ id }) => id}
        empty={isFiltered ? texts.noMatch : emptyState(texts.empty, start)}
        isFilterable
        exportName="invitations"
      />
      {open === "create" && <InviteDialog onClose={close} onSubmit={create} />}
      {typeof open === "object" && (
        <ConfirmDialog
          words={texts.revoke}
          present={[
            [texts.columns.email, open.email],
            [texts.columns.role, memberTexts.roles[open.role]],
            [texts.columns.expires, <Time at={open.expiresAt} relativeToo />],
          ]}
          danger
          open
          onClose={close}
          onConfirm={() => revoke(open.id)}
        />
      )}
    </Section>
  );
}

type InviteProps = { onClose: () => void; onSubmit: (form: FormData) => Promise<unknown> };

function InviteDialog({ onClose, onSubmit }: InviteProps) {
  return (
    <FormDialog title={texts.create.title} action={texts.create.action} onClose={onClose} onSubmit={onSubmit}>
      {(errors) => (
        <>
          <p class="quiet">{texts.create.hint}</p>
          <Field label={texts.create.email} error={errors.email}>
            <input name="email" type="email" required maxLength={320} autocomplete="off" />
          </Field>
          <Field label={texts.create.role} error={errors.role}>
            <select name="role">
              <option value="member">{memberTexts.roles.member}</option>
              <option value="admin">{memberTexts.roles.admin}</option>
            </select>
          </Field>
        </>
      )}
    </FormDialog>
  );
}

function stateOf({ acceptedAt, revokedAt, expiresAt }: Invitation): "accepted" | "revoked" | "expired" | "open" {
  if (acceptedAt) return "accepted";
  if (revokedAt) return "revoked";
  return Date.parse(expiresAt) < Date.now() ? "expired" : "open";
}

const columnsOf = ({ nameOf }: Names): Column<Invitation>[] => [
  textColumn("email", texts.columns.email),
  wordColumn("role", texts.columns.role, memberTexts.roles),
  {
    key: "state",
    title: texts.columns.state,
    render: (invitation) => <State state={stateOf(invitation)} />,
    sortBy: stateOf,
  },
  {
    key: "invitedBy",
    title: texts.columns.by,
    render: ({ invitedBy }) => nameOf(invitedBy),
    text: ({ invitedBy }) => nameOf(invitedBy),
  },
  timeColumn("createdAt", texts.columns.created),
  timeColumn("expiresAt", texts.columns.expires),
];
