/** One approval with what the run asks or proposes. */
import type { ComponentChildren } from "preact";
import { api, useOne } from "../../parts/api.ts";
import { State } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Id } from "../../parts/id.tsx";
import { Facts, Loading, Page, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { toast, toastError } from "../../parts/toast.tsx";
import { Linked } from "../linked.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { memoryTexts } from "../texts/bots.ts";
import { approvalTexts } from "../texts/runs.ts";
import { useBots } from "../use-names.ts";

type Approval = Schemas["Approval"];

const texts = approvalTexts.one;

export default function ApprovalPage({ id = "" }: { id?: string }) {
  const { data, error, reload } = useOne<Approval>(`/approvals/${id}`);
  const { nameOf } = useBots();
  const mail = () => api("POST", `/approvals/${id}/resend`).then(() => toast(texts.mail.done), toastError);
  return (
    <Page
      title={texts.title}
      above={<a href="/portal/approvals">{texts.back}</a>}
      actions={
        data?.state === "pending" && (
          <OperationButton operation="resend_approval" kind="main" onClick={mail}>
            {texts.mail.button}
          </OperationButton>
        )
      }
    >
      <Failure error={error} retry={reload} />
      {data ? <Shown approval={data} nameOf={nameOf} /> : !error && <Loading />}
    </Page>
  );
}

function Shown({ approval, nameOf }: { approval: Approval; nameOf: (id: string) => string }) {
  const { facts } = texts;
  const { question, reason, memory, run } = approval;
  return (
    <>
      <p class="beside lead">
        <State state={approval.state} /> {approval.state === "pending" && <span class="quiet">{texts.mail.hint}</span>}
      </p>
      <p class="notice">{texts.untrusted}</p>
      {question && <Text title={texts.question}>{question}</Text>}
      {reason && <Text title={texts.reason}>{reason}</Text>}
      {memory && <ProposedMemory {...memory} />}
      {run && (
        <Section title={texts.run}>
          <Facts
            items={[
              [facts.bot, nameOf(run.botId)],
              [texts.fields.message, <span class="text">{run.message}</span>],
            ]}
          />
        </Section>
      )}
      <div class="panel">
        <Facts
          items={[
            [facts.kind, approvalTexts.kinds[approval.kind]],
            [facts.bot, nameOf(approval.botId)],
            [facts.run, <Linked href={`/portal/runs/${approval.runId}`}>{texts.showRun}</Linked>],
            [facts.created, <Time at={approval.createdAt} />],
            [facts.expires, <Time at={approval.expiresAt} />],
            [facts.answered, <Time at={approval.answeredAt} />],
            [facts.comment, approval.comment ? <span class="text">{approval.comment}</span> : "–"],
            [facts.id, <Id value={approval.id} />],
          ]}
        />
      </div>
    </>
  );
}

function Text({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Section title={title}>
      <p class="text padded">{children}</p>
    </Section>
  );
}

const replacesOf = ({ supersedes }: Schemas["ProposedMemory"]): [string, ComponentChildren][] =>
  supersedes
    ? [[memoryTexts.one.supersedes, <a href={`/portal/memories/${supersedes}`}>{memoryTexts.one.earlier}</a>]]
    : [];

function ProposedMemory(memory: Schemas["ProposedMemory"]) {
  const { fields } = texts;
  return (
    <Section title={texts.memory}>
      <Facts
        items={[
          [fields.subject, memory.subject],
          [fields.value, <span class="text">{memory.value}</span>],
          [fields.kind, memory.kind],
          [fields.subjectKind, memoryTexts.subjectKinds[memory.subjectKind]],
          [fields.scope, memoryTexts.scopes[memory.scope]],
          [fields.confidence, memory.confidence.toLocaleString(undefined, { style: "percent" })],
          [fields.validFrom, <Time at={memory.validFrom} />],
          [fields.validTo, <Time at={memory.validTo} />],
          ...replacesOf(memory),
          [fields.lawfulBasis, memoryTexts.lawfulBases[memory.lawfulBasis]],
        ]}
      />
    </Section>
  );
}
