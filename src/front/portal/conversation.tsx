/** The messages of a run, for the person of the conversation, and its approvals. */
import { useEffect } from "preact/hooks";
import { State } from "../parts/badge.tsx";
import { Failure } from "../parts/failure.tsx";
import { useNewest } from "../parts/list.ts";
import { EmptyState, Loading, Section } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { Linked } from "./linked.tsx";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { approvalTexts, runTexts } from "./texts/runs.ts";

const texts = runTexts.one;

/**
 * @param news changes when there is something to load
 * @param preview of the answer that is being written
 */
type Props = { runId: string; news: number; preview: string };

export function Conversation({ runId, news, preview }: Props) {
  const may = useMay();
  const messages = useNewest<Schemas["Message"]>(may("list_run_messages") ? `/runs/${runId}/messages` : null);
  const approvals = useNewest<Schemas["Approval"]>(may("list_approvals") ? "/approvals" : null, { runId });
  useEffect(() => {
    if (news === 0) return; // the lists load by themselves
    messages.refresh();
    approvals.refresh();
  }, [news]);
  const notOwn = messages.error?.status === 404;
  return (
    <>
      <Section title={texts.conversation}>
        {notOwn ? <EmptyState title={texts.notOwn} /> : <Failure {...messages} />}
        {messages.rows.length === 0 &&
          !messages.error &&
          (messages.loading ? <Loading /> : <EmptyState title={texts.noMessages} />)}
        {messages.more && (
          <p class="padded">
            <button type="button" onClick={messages.more} disabled={messages.loading}>
              {texts.earlier}
            </button>
          </p>
        )}
        <ol class="messages">
          {messages.rows.toSorted(byTime).map((message) => (
            <Message key={message.id} {...message} />
          ))}
          {preview && (
            <li class="message bot" aria-busy="true">
              <p class="quiet">
                <strong>{texts.bot}</strong> {texts.preview}
              </p>
              <p class="text">{preview}</p>
            </li>
          )}
        </ol>
        {/* Announced once, and not for each piece of the text. */}
        <p class="unseen" role="status">
          {preview && texts.writing}
        </p>
      </Section>
      {approvals.rows.length > 0 && (
        <Section title={texts.approvals}>
          <ul class="messages">
            {approvals.rows.map(({ id, kind, question, state, createdAt, comment }) => (
              <li key={id}>
                <a href={`/portal/approvals/${id}`}>{question ?? approvalTexts.kinds[kind]}</a> <State state={state} />{" "}
                <Time at={createdAt} />
                {comment && <p class="text">{comment}</p>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const byTime = (a: Schemas["Message"], b: Schemas["Message"]) => (a.createdAt < b.createdAt ? -1 : 1);

function Message({ author, text, createdAt, erasedAt, memoryIds }: Schemas["Message"]) {
  return (
    <li class={`message ${author}`}>
      <p class="quiet">
        <strong>{author === "bot" ? texts.bot : texts.person}</strong> <Time at={createdAt} />
      </p>
      <p class="text">{erasedAt ? <em>{texts.erased}</em> : text}</p>
      {memoryIds.length > 0 && (
        <p class="quiet">
          {texts.cited}{" "}
          {memoryIds.map((id, index) => (
            <Linked key={id} href={`/portal/memories/${id}`}>
              {texts.memory} {index + 1}{" "}
            </Linked>
          ))}
        </p>
      )}
    </li>
  );
}
