/**
 * The engine for models of a service with the Chat Completions protocol. It executes the model's tool calls, and returns the
 * first turn without tool calls as the answer. Each turn and each tool call is a step with a key, so that an executor that
 * takes over neither pays for it again nor acts again.
 */
import { z } from "zod";
import type { Log } from "../../../log.ts";
import { type Answer, type Assignment, type Engine, type EngineContext, RunFailed } from "../../engine.ts";
import { type Known, knownFrom } from "../known.ts";
import { availableModels } from "./available-models.ts";
import { promptFor, sayIn } from "./prompt.ts";
import { modelService, type ServiceSettings, type ServiceTimeouts } from "./service.ts";
import { maxAnswerLength, storable } from "./stream.ts";
import { beginsInThought, shownSoFar } from "./thoughts.ts";
import { type Calling, execute, parseToolCalls, type ToolCall, toolsFor } from "./tools.ts";
import { type ChatMessage, Continued, type Request } from "./turn.ts";

/** More memories would hide the best ones, and each costs tokens. */
const maxMemories = 8;

/** Maximum of unusable turns in a row. After each the model gets an explanation. */
const maxUnusable = 3;

type Settings = { service: ServiceSettings; log: Log; timeouts: ServiceTimeouts };

export function modelEngine({ service: settings, log, timeouts }: Settings): Engine {
  const service = modelService(settings, timeouts);
  /** Whether the text of a model begins within a thought. Unknown before the end of its first turn, which is not previewed. */
  const beginInThought = new Map<string, boolean>();

  /** @throws RunFailed if the run cannot continue after the turn, which is charged */
  async function completed(
    request: Request,
    { runId, model }: Assignment,
    memoryIds: string[],
    context: EngineContext,
  ) {
    const isWithin = beginInThought.get(model);
    let text = "";
    const onText = (received: string) => {
      text = received;
      if (isWithin !== undefined) context.preview(() => storable(shownSoFar(text, isWithin)), memoryIds);
    };
    const { inputTokens, outputTokens, implausible, ...outcome } = await service.complete(
      request,
      context.signal,
      onText,
    );
    if (outcome.kind === "turn" && text !== "") beginInThought.set(model, isWithin || beginsInThought(text));
    const spent = { model, inputTokens, outputTokens };
    if (implausible) {
      log.warn({ runId, ...spent }, "token counts of the model service are implausible, will charge these instead");
    }
    if (!context.signal.aborted && outcome.kind !== "refused" && outcome.kind !== "failed") {
      return { result: outcome, spent };
    }
    await context.step({ kind: "model", ...spent });
    context.signal.throwIfAborted();
    throw outcome.kind === "failed"
      ? new RunFailed("executor_failed", outcome.reason)
      : new RunFailed("refused", "the model refused");
  }

  return {
    models: availableModels(service, log),

    async answer(run, context): Promise<Answer> {
      const memories = run.capabilities.includes("recall") ? await searchMemories(run, context) : [];
      const tools = toolsFor(run.capabilities);
      const messages = promptFor(run, memories);
      const memoryIds = memories.map(({ id }) => id);
      for (let number = 1, unusable = 0; unusable < maxUnusable; number += 1) {
        const key = `turn ${number}`;
        const request = { model: run.model, messages, ...(tools.length > 0 ? { tools } : {}) };
        const complete = async () => ({ ...(await completed(request, run, memoryIds, context)), memoryIds });
        const read = readTurn(await context.once({ key, kind: "model", result: Continued }, complete), tools);
        if ("flaw" in read) {
          unusable += 1;
          log.warn(
            { runId: run.runId, model: run.model, flaw: read.logged },
            "turn of the model is unusable, will ask again",
          );
          if (read.flaw) sayIn(messages, "user", `Your last turn was discarded: ${read.flaw}.`);
          continue;
        }
        if (read.toolCalls.length === 0) return { text: read.text, memoryIds };
        unusable = 0;
        messages.push(...(await executed(read, { run, context, key })));
      }
      throw new RunFailed("executor_failed", `${maxUnusable} turns of the model in a row were unusable`);
    },
  };
}

const Memories: z.ZodType<Known[]> = z.array(
  z.object({
    ...{ id: z.string(), kind: z.string(), subject: z.string(), value: z.string(), confidence: z.number() },
    ...{ createdAt: z.string(), validFrom: z.string().nullable(), conflict: z.enum(["newest", "older"]).optional() },
  }),
);

const searchMemories = (run: Assignment, context: EngineContext) =>
  context.once({ key: "recall", kind: "recall", result: Memories }, async () => {
    const result = knownFrom(await context.searchMemories(run.message, maxMemories), maxMemories);
    return { result, memoryIds: result.map(({ id }) => id) };
  });

type Turn = { text: string; toolCalls: ToolCall[] };
/** `flaw` goes to the model and may quote it; only `logged` goes to the log. */
type Unusable = { flaw: string | undefined; logged: string };

function readTurn(outcome: Continued, tools: Tools): Turn | Unusable {
  if (outcome.kind === "broken" || outcome.kind === "unreadable") return { flaw: undefined, logged: outcome.reason };
  if (outcome.kind === "long") {
    const max = maxAnswerLength.toLocaleString("en");
    return { flaw: `it was too long. Use at most ${max} characters`, logged: "too long" };
  }
  const read = parseToolCalls(outcome.calls, tools);
  if ("flaw" in read) return { flaw: read.flaw, logged: "a tool was called wrongly" };
  if (read.toolCalls.length === 0 && outcome.text.trim() === "") return { flaw: "it was empty", logged: "empty" };
  return { text: outcome.text, toolCalls: read.toolCalls };
}

type Tools = ReturnType<typeof toolsFor>;

/** Executes the tool calls of a turn. Returns the turn and the results as messages to the model. */
async function executed({ text, toolCalls }: Turn, turnOf: Omit<Calling, "kind">): Promise<ChatMessage[]> {
  const turn: ChatMessage[] = [
    {
      role: "assistant",
      content: text || null,
      tool_calls: toolCalls.map(({ call: { id, name, arguments: json } }) => ({
        id,
        type: "function",
        function: { name, arguments: json },
      })),
    },
  ];
  for (const [index, toolCall] of toolCalls.entries()) {
    const content = await execute(toolCall, { ...turnOf, key: `${turnOf.key}, call ${index + 1}` });
    turn.push({ role: "tool", tool_call_id: toolCall.call.id, content });
  }
  return turn;
}
