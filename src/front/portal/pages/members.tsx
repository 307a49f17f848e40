/** Members with their roles, and invitations. */
import { useState } from "preact/hooks";
import { api, useOne } from "../../parts/api.ts";
import type { Column } from "../../parts/column.ts";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { useList } from "../../parts/list.ts";
import { type Fact, Facts, Field, Page, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { codeColumn, textColumn, timeColumn, wordColumn } from "../columns.tsx";
import { Invitations } from "../invitations.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay, useSession } from "../session-context.ts";
import { memberTexts as texts } from "../texts/people.ts";

type Member = Schemas["Member"];
type Open = { what: "change" | "remove"; member: Member };

export default function Members() {
  const may = useMay();
  return (
    <Page title={texts.title}>
      {may("list_members") && <MemberList />}
      {may("list_invitations") && <Invitations />}
    </Page>
  );
}

function MemberList() {
  const list = useList<Member>("/members", { limit: 100 });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const columns = useColumns(setOpen);
  const remove = async (member: Member) => {
    await api("DELETE", `/members/${member.userId}`);
    toast(texts.remove.done);
    list.reload();
  };
  return (
    <Section title={texts.title}>
      <Table
        {...list}
        caption={texts.caption}
        columns={columns}
        rowKey={({ userId }) => userId}
        empty={texts.empty}
        exportName="members"
      />
      {open?.what === "change" && <RoleDialog id={open.member.userId} onClose={close} changed={list.reload} />}
      {open?.what === "remove" && (
        <ConfirmDialog
          words={texts.remove}
          present={[...nameOf(open.member), [texts.columns.role, texts.roles[open.member.role]]]}
          danger
          open
          onClose={close}
          onConfirm={() => remove(open.member)}
        />
      )}
    </Section>
  );
}

const nameOf = ({ displayName, email }: Member): Fact[] => [
  [texts.columns.name, displayName ?? "–"],
  [texts.columns.email, email],
];

/** Opens when the member is read: a list has no revisions. */
function RoleDialog({ id, onClose, changed }: { id: string; onClose: () => void; changed: () => void }) {
  const { role } = useSession();
  const { data: member, etag, error, reload } = useOne<Member>(`/members/${id}`);
  if (!member) return <Failure error={error} retry={reload} />;
  const change = async (form: FormData) => {
    await api("PATCH", `/members/${id}`, { role: textOf(form, "role") }, { etag });
    toast(texts.change.done);
    changed();
  };
  const roles: Member["role"][] = role === "owner" ? ["owner", "admin", "member"] : ["admin", "member"];
  return (
    <FormDialog {...texts.change} edited={{ etag, reload }} onClose={onClose} onSubmit={change}>
      {(errors) => (
        <>
          <Facts items={nameOf(member)} />
          <Field label={texts.change.role} hint={texts.change.hint} error={errors.role}>
            <select name="role">
              {roles.map((each) => (
                <option key={each} value={each} selected={each === member.role}>
                  {texts.roles[each]}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
    </FormDialog>
  );
}

function useColumns(onOpen: (open: Open) => void): Column<Member>[] {
  const may = useMay();
  const { person, role } = useSession();
  // An admin cannot change or remove an owner, and a person cannot remove themselves.
  const isAbove = (member: Member) => member.role === "owner" && role !== "owner";
  const actions: Column<Member> = {
    key: "actions",
    title: texts.columns.actions,
    render: (member) => (
      <span class="beside">
        {may("change_member") && !isAbove(member) && (
          <button type="button" onClick={() => onOpen({ what: "change", member })}>
            {texts.change.button}
          </button>
        )}
        {may("remove_member") && !isAbove(member) && member.userId !== person.id && (
          <button type="button" class="risky" onClick={() => onOpen({ what: "remove", member })}>
            {texts.remove.button}
          </button>
        )}
      </span>
    ),
  };
  const hasActions = may("change_member") || may("remove_member");
  return [
    {
      key: "name",
      title: texts.columns.name,
      render: ({ displayName, userId }) => (
        <span>
          {displayName ?? "–"} {userId === person.id && <span class="quiet">({texts.you})</span>}
        </span>
      ),
      sortBy: ({ displayName }) => displayName,
    },
    textColumn("email", texts.columns.email),
    wordColumn("role", texts.columns.role, texts.roles),
    timeColumn("createdAt", texts.columns.since),
    codeColumn("userId", texts.columns.id),
    ...(hasActions ? [actions] : []),
  ];
}
