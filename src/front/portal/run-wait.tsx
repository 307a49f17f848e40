/** Why a run waits. (docs/specification/runs.md#why-a-run-waits) */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useOne } from "../parts/api.ts";
import { useList } from "../parts/list.ts";
import { Time } from "../parts/time.tsx";
import { useInterval } from "../parts/use-interval.ts";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { runTexts } from "./texts/runs.ts";

type Run = Schemas["Run"];

const texts = runTexts.waits;
const refreshIntervalMs = 5_000;

/** Whether the run is before its start time. */
export const isPostponed = ({ state, startAt }: Run): boolean =>
  state === "queued" && startAt !== null && Date.parse(startAt) > Date.now();

export function WaitReason({ run }: { run: Run }) {
  if (isPostponed(run)) return <PostponedReason run={run} />;
  if (run.state === "queued") return <QueuedReason run={run} />;
  const text = texts.states[run.state];
  return text ? <Reason tone="warn">{text}</Reason> : null;
}

/** Shows the next reason once the start time has come. */
function PostponedReason({ run }: { run: Run }) {
  const [, update] = useState(0);
  useInterval(() => update(Date.now()), refreshIntervalMs);
  if (!isPostponed(run)) return <QueuedReason run={run} />;
  return (
    <Reason>
      {texts.startAt} <Time at={run.startAt} />.
    </Reason>
  );
}

function QueuedReason({ run: { id, botId, conversationId, concurrencyKey } }: { run: Run }) {
  const may = useMay();
  const { data: bot } = useOne<Schemas["Bot"]>(may("get_bot") ? `/bots/${botId}` : null);
  const models = useOne<Schemas["ModelList"]>(may("list_models") ? "/models" : null);
  const ofBot = concurrencyKey === null ? { botId } : {}; // the key may be with a run of any bot
  const working = useList<Run>("/runs", { ...ofBot, state: "running" });
  const waiting = useList<Run>("/runs", { ...ofBot, state: "waiting_approval" });
  useInterval(() => {
    for (const { reload } of [models, working, waiting]) reload();
  }, refreshIntervalMs);
  const isServed = models.data?.data.some(({ id: name, available }) => name === bot?.model && available);
  if (bot && isServed === false) return <Reason tone="warn">{texts.noExecutor(bot.model)}</Reason>;
  const others = [...working.rows, ...waiting.rows].filter((run) => run.id !== id);
  const withKey = others.find((run) => concurrencyKey !== null && run.concurrencyKey === concurrencyKey);
  const first = withKey ?? others.find((run) => run.conversationId === conversationId);
  if (!first) return <Reason>{concurrencyKey === null ? texts.executor : texts.keyTurn}</Reason>;
  return (
    <Reason>
      {withKey ? texts.key : texts.conversation} <a href={`/portal/runs/${first.id}`}>{texts.showRun}</a>
    </Reason>
  );
}

function Reason({ tone = "", children }: { tone?: string; children: ComponentChildren }) {
  return (
    <p class={`notice ${tone}`} role="status">
      {children}
    </p>
  );
}
