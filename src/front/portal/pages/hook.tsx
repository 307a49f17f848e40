/** One hook: its URL, its state and its signing secret. */

import { useState } from "preact/hooks";
import { api, useOne } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { CodeBlock, Id } from "../../parts/id.tsx";
import { type Fact, Facts, Field, Loading, Page, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { AutomationActions } from "../automation-actions.tsx";
import { hookState, showHookSecret, urlOfHook } from "../hook-secret.tsx";
import { Linked } from "../linked.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { hookTexts as texts } from "../texts/automation.ts";
import { frameTexts } from "../texts/frame.ts";
import { useBots, usePeople } from "../use-names.ts";

type Hook = Schemas["Hook"];

export default function HookPage({ id = "" }: { id?: string }) {
  const { data: hook, etag, error, reload } = useOne<Hook>(`/hooks/${id}`);
  const [open, setOpen] = useState<"rename" | "rotate">();
  const close = () => setOpen(undefined);
  const rename = async (form: FormData) => {
    await api("PATCH", `/hooks/${id}`, { name: textOf(form, "name") }, { etag });
    toast(texts.edit.done);
    reload();
  };
  const present: Fact[] = hook
    ? [
        [texts.columns.name, hook.name],
        [texts.columns.state, <State state={hookState(hook)} />],
        [texts.columns.last, <Time at={hook.lastReceivedAt} />],
      ]
    : [];
  const actions = hook && (
    <AutomationActions
      kind="hook"
      row={hook}
      words={texts}
      present={present}
      changed={reload}
      more={
        <OperationButton operation="rotate_hook_secret" onClick={() => setOpen("rotate")}>
          {texts.rotate.button}
        </OperationButton>
      }
    >
      <OperationButton operation="update_hook" onClick={() => setOpen("rename")}>
        {texts.edit.button}
      </OperationButton>
    </AutomationActions>
  );
  return (
    <Page title={hook?.name ?? texts.one.title} above={<a href="/portal/hooks">{texts.one.back}</a>} actions={actions}>
      <Failure error={error} retry={reload} />
      {hook ? <Shown hook={hook} /> : !error && <Loading />}
      {open === "rename" && (
        <FormDialog {...texts.edit} edited={{ etag, reload }} onClose={close} onSubmit={rename}>
          {(errors) => (
            <Field label={texts.fields.name} error={errors.name}>
              <input name="name" required maxLength={60} defaultValue={hook?.name} />
            </Field>
          )}
        </FormDialog>
      )}
      <ConfirmDialog
        words={texts.rotate}
        present={present}
        danger
        open={open === "rotate"}
        onClose={close}
        onConfirm={async () => {
          showHookSecret(await api("POST", `/hooks/${id}/rotate`));
          reload(); // the secret may have been lost
        }}
      />
    </Page>
  );
}

function Shown({ hook }: { hook: Hook }) {
  const bots = useBots();
  const people = usePeople();
  const { columns, one } = texts;
  return (
    <>
      {hook.secretLostSince && (
        <p class="notice bad">
          {texts.secretLost.since} <Time at={hook.secretLostSince} relativeToo />. {texts.secretLost.rotate}
        </p>
      )}
      {hook.pauseReason && <p class="notice warn">{texts.pauseReasons[hook.pauseReason]}</p>}
      <div class="panel">
        <Facts
          items={[
            [columns.state, <State state={hookState(hook)} />],
            [columns.bot, <Linked href={`/portal/bots/${hook.botId}`}>{bots.nameOf(hook.botId)}</Linked>],
            [columns.last, <Time at={hook.lastReceivedAt} />],
            [
              columns.run,
              hook.lastRunId ? <Linked href={`/portal/runs/${hook.lastRunId}`}>{one.showRun}</Linked> : "–",
            ],
            [one.creator, people.nameOf(hook.createdBy)],
            [columns.created, <Time at={hook.createdAt} />],
            [one.id, <Id value={hook.id} />],
          ]}
        />
      </div>
      <Section title={columns.url}>
        <div class="padded">
          <CodeBlock text={urlOfHook(hook.path)} label={frameTexts.copied.url} />
        </div>
      </Section>
    </>
  );
}
