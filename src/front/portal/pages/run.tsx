/** One run: its state, conversation, steps and approvals, live. */

import { useState } from "preact/hooks";
import { api, useOne } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Failure } from "../../parts/failure.tsx";
import { FormDialog, textOf } from "../../parts/form-dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { money } from "../../parts/money.ts";
import { type Fact, Facts, Field, Loading, Page, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { Conversation } from "../conversation.tsx";
import { duration } from "../durations.ts";
import { Linked } from "../linked.tsx";
import { OperationButton } from "../operation-button.tsx";
import { RetryRun } from "../retry-run.tsx";
import { RunDeliveries } from "../run-deliveries.tsx";
import { useWatchedRun } from "../run-events.ts";
import { Steps } from "../run-steps.tsx";
import { WaitReason } from "../run-wait.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay } from "../session-context.ts";
import { StreamBadge } from "../stream-badge.tsx";
import { runTexts as texts } from "../texts/runs.ts";
import { useBots } from "../use-names.ts";

type Run = Schemas["Run"];

export default function RunPage({ id = "" }: { id?: string }) {
  const may = useMay();
  const { nameOf } = useBots();
  const { run, steps, news, preview, stream, error, reload } = useWatchedRun(id, may("watch_run"));
  return (
    <Page
      title={run ? `${texts.one.title}: ${nameOf(run.botId)}` : texts.one.title}
      above={<a href="/portal/runs">{texts.one.back}</a>}
      actions={run && <Actions run={run} bot={nameOf(run.botId)} />}
    >
      <Failure error={error} retry={reload} />
      {!run && !error && <Loading />}
      {run && (
        <>
          <p class="beside run-state" role="status">
            <State state={run.state} />
            {!run.finishedAt && may("watch_run") && <StreamBadge state={stream} />}
          </p>
          <WaitReason run={run} />
          {run.error && <p class="notice bad">{run.error.message}</p>}
          <div class="panel">
            <RunFacts run={run} bot={nameOf(run.botId)} />
          </div>
          {Object.keys(run.metadata).length > 0 && (
            <Section title={texts.one.metadata}>
              <Facts items={Object.entries(run.metadata)} />
            </Section>
          )}
          <Conversation runId={id} news={news} preview={preview} />
          {may("list_events") && <RunDeliveries key={run.state} run={run} />}
          <Steps run={run} live={steps} />
        </>
      )}
    </Page>
  );
}

function RunFacts({ run, bot }: { run: Run; bot: string }) {
  const { facts } = texts.one;
  return (
    <Facts
      items={[
        [facts.bot, <Linked href={`/portal/bots/${run.botId}`}>{bot}</Linked>],
        [facts.trigger, texts.triggers[run.trigger]],
        ...(run.routineId
          ? [
              [facts.routine, <Linked href={`/portal/routines/${run.routineId}`}>{run.routineId}</Linked>] as [
                string,
                object,
              ],
            ]
          : []),
        ...(run.retryOf
          ? [[facts.retryOf, <Linked href={`/portal/runs/${run.retryOf}`}>{run.retryOf}</Linked>] as [string, object]]
          : []),
        [facts.steps, run.steps.toLocaleString()],
        [facts.cost, money(run.spendMicroCents, "cost")],
        [facts.started, <Time at={run.createdAt} />],
        ...(run.startAt ? [[facts.startAt, <Time at={run.startAt} />] as [string, object]] : []),
        ...(run.concurrencyKey ? [[facts.concurrencyKey, run.concurrencyKey] as [string, string]] : []),
        [facts.finished, <Time at={run.finishedAt} />],
        [facts.duration, duration(run.createdAt, run.finishedAt)],
        [facts.taint, run.taint ? texts.yes : texts.no],
        [facts.id, <Id value={run.id} />],
      ]}
    />
  );
}

function Actions({ run, bot }: { run: Run; bot: string }) {
  const [open, setOpen] = useState<"cancel" | "resume" | "retry">();
  const close = () => setOpen(undefined);
  const { facts } = texts.one;
  // Only the person of the conversation reads its messages, and resumes and repeats its runs.
  const { data: messages } = useOne<{ data: Schemas["Message"][] }>(
    run.state === "blocked" || run.finishedAt ? `/runs/${run.id}/messages?limit=200` : null,
  );
  const first = messages?.data.findLast(({ author }) => author === "person");
  const present: Fact[] = [
    [facts.bot, bot],
    [texts.columns.state, <State state={run.state} />],
    [facts.steps, run.steps.toLocaleString()],
    [facts.cost, money(run.spendMicroCents, "cost")],
    [facts.started, <Time at={run.createdAt} />],
  ];
  const cancel = () => api("POST", `/runs/${run.id}/cancel`).then(() => toast(texts.cancel.done));
  const resume = async (form: FormData) => {
    const message = textOf(form, "message").trim();
    await api("POST", `/runs/${run.id}/resume`, message ? { message } : {});
    toast(texts.resume.done);
  };
  return (
    <>
      {run.finishedAt && first && (
        <OperationButton
          operation="retry_run"
          {...(run.state === "completed" ? {} : { kind: "main" })}
          onClick={() => setOpen("retry")}
        >
          {texts.retry.button}
        </OperationButton>
      )}
      {run.state === "blocked" && messages && (
        <OperationButton operation="resume_run" kind="main" onClick={() => setOpen("resume")}>
          {texts.resume.button}
        </OperationButton>
      )}
      {!run.finishedAt && (
        <OperationButton operation="cancel_run" kind="risky" onClick={() => setOpen("cancel")}>
          {texts.cancel.button}
        </OperationButton>
      )}
      {open === "retry" && first && <RetryRun run={run} bot={bot} message={first.text} onClose={close} />}
      <ConfirmDialog
        words={texts.cancel}
        present={present}
        danger
        open={open === "cancel"}
        onClose={close}
        onConfirm={cancel}
      />
      {open === "resume" && (
        <FormDialog title={texts.resume.title} action={texts.resume.action} onClose={close} onSubmit={resume}>
          {(errors) => (
            <>
              <Facts items={present} />
              <Field label={texts.resume.message} error={errors.message}>
                <textarea name="message" maxLength={32_000} rows={4} />
              </Field>
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
