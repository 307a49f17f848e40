/** One API key: its use, its restrictions, rotation and revocation. */
import { useMemo, useState } from "preact/hooks";
import { api, useOne } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import { Chart } from "../../parts/chart.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { EmptyState, type Fact, Facts, Field, Loading, Page, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { RestrictionFields, restrictionsOf, showNewKey } from "../key-form.tsx";
import { stateOf } from "../key-state.ts";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay } from "../session-context.ts";
import { keyTexts as texts } from "../texts/keys.ts";
import { usePeople } from "../use-names.ts";

type Key = Schemas["Key"];

export default function KeyPage({ id = "" }: { id?: string }) {
  const may = useMay();
  const { data: key, etag, error, reload } = useOne<Key>(`/keys/${id}`);
  const [open, setOpen] = useState<"edit" | "rotate" | "revoke">();
  const close = () => setOpen(undefined);
  const isLive = key && stateOf(key) === "live";
  const button = (operation: string, name: "edit" | "rotate" | "revoke") =>
    isLive && (
      <OperationButton
        operation={operation}
        kind={name === "revoke" ? "risky" : undefined}
        onClick={() => setOpen(name)}
      >
        {texts[name].button}
      </OperationButton>
    );
  const edit = async (form: FormData) => {
    await api("PATCH", `/keys/${id}`, { name: textOf(form, "name"), ...restrictionsOf(form) }, { etag });
    toast(texts.edit.done);
    reload();
  };
  const rotate = async (form: FormData) => {
    showNewKey(await api("POST", `/keys/${id}/rotate`, { overlapHours: Number(textOf(form, "overlapHours")) }));
    reload();
  };
  const revoke = async () => {
    await api("DELETE", `/keys/${id}`);
    toast(texts.revoke.done);
    reload();
  };
  return (
    <Page
      title={key?.name ?? texts.one.title}
      above={<a href="/portal/keys">{texts.one.back}</a>}
      actions={
        <>
          {button("update_key", "edit")}
          {button("rotate_key", "rotate")}
          {button("revoke_key", "revoke")}
        </>
      }
    >
      <Failure error={error} retry={reload} />
      {key ? <Shown shown={key} /> : !error && <Loading />}
      {may("get_key_usage") && <Usage id={id} />}
      {open === "edit" && key && (
        <FormDialog {...texts.edit} edited={{ etag, reload }} onClose={close} onSubmit={edit}>
          {(errors) => (
            <>
              <Field label={texts.fields.name} error={errors.name}>
                <input name="name" required maxLength={60} defaultValue={key.name} />
              </Field>
              <RestrictionFields present={key} errors={errors} />
            </>
          )}
        </FormDialog>
      )}
      {open === "rotate" && key && (
        <FormDialog title={texts.rotate.title} action={texts.rotate.action} onClose={close} onSubmit={rotate}>
          {(errors) => (
            <>
              <Facts items={presentOf(key)} />
              <p>{texts.rotate.text}</p>
              <Field label={texts.rotate.overlap} error={errors.overlapHours}>
                <input name="overlapHours" type="number" required min={0} max={168} defaultValue={24} />
              </Field>
            </>
          )}
        </FormDialog>
      )}
      {open === "revoke" && key && (
        <ConfirmDialog words={texts.revoke} present={presentOf(key)} danger open onClose={close} onConfirm={revoke} />
      )}
    </Page>
  );
}

const presentOf = (key: Key): Fact[] => [
  [texts.columns.name, key.name],
  [texts.columns.scope, texts.scopes[key.scope]],
  [texts.columns.expires, <Time at={key.expiresAt} relativeToo />],
  [texts.columns.lastUsed, <Time at={key.lastUsedAt} relativeToo />],
];

function Shown({ shown }: { shown: Key }) {
  const { nameOf } = usePeople();
  return (
    <div class="panel">
      <Facts
        items={[
          [texts.columns.state, <State key="state" state={stateOf(shown)} />],
          [texts.columns.scope, texts.scopes[shown.scope]],
          [texts.columns.creator, nameOf(shown.createdBy)],
          [texts.columns.prefix, <code key="prefix">{shown.prefix}…</code>],
          [texts.columns.created, <Time key="created" at={shown.createdAt} />],
          [texts.columns.expires, <Time key="expires" at={shown.expiresAt} relativeToo />],
          [texts.columns.lastUsed, <Time key="used" at={shown.lastUsedAt} relativeToo />],
          [texts.fields.ips, shown.allowedIps?.join(", ") ?? texts.one.anyAddress],
          [texts.fields.rate, shown.ratePerMinute ?? 300],
          [texts.one.id, <Id key="id" value={shown.id} />],
        ]}
      />
    </div>
  );
}

function Usage({ id }: { id: string }) {
  const { data, error, reload } = useOne<Schemas["KeyUsage"]>(`/keys/${id}/usage`);
  const chart = useMemo(() => {
    const days = (data?.days ?? []).toReversed(); // oldest first
    return {
      times: days.map(({ day }) => Date.parse(day) / 1_000),
      series: [
        { label: texts.one.requests, values: days.map(({ requests }) => requests) },
        { label: texts.one.refusals, tone: "bad" as const, values: days.map(({ refusals }) => refusals) },
      ],
    };
  }, [data]);
  return (
    <Section title={texts.one.usage}>
      <Failure error={error} retry={reload} />
      {chart.times.length > 0 ? (
        <Chart title={texts.one.usageChart} {...chart} />
      ) : data ? (
        <EmptyState title={texts.one.unused} />
      ) : (
        !error && <Loading />
      )}
    </Section>
  );
}
