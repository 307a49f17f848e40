/**
 * The engine for models of a service with the Chat Completions protocol. It executes the model's tool calls, and returns the
 * first turn without tool calls as the answer. Each turn and each tool call is a step.
 */
import type { Log } from "../../../log.ts";
import { type Answer, type Assignment, type Engine, type EngineContext, RunFailed } from "../../engine.ts";
import { availableModels } from "./available-models.ts";
import { promptFor, sayIn } from "./prompt.ts";
import { modelService, type ServiceSettings, type ServiceTimeouts } from "./service.ts";
import { maxAnswerLength } from "./stream.ts";
import { execute, parseToolCalls, type ToolCall, toolsFor } from "./tools.ts";
import type { ChatMessage, Outcome } from "./turn.ts";

/** More memories would hide the best ones, and each costs tokens. */
const maxMemories = 8;

/** Maximum of unusable turns in a row. After each the model gets an explanation. */
const maxUnusable = 3;

type Settings = { service: ServiceSettings; log: Log; timeouts: ServiceTimeouts };

export function modelEngine({ service: settings, log, timeouts }: Settings): Engine {
  const service = modelService(settings, timeouts);
  return {
    models: availableModels(service, log),

    async answer(run, context): Promise<Answer> {
      const memories = run.capabilities.includes("recall") ? await searchMemories(run, context) : [];
      const tools = toolsFor(run.capabilities);
      const messages = promptFor(run, memories);
      for (let unusable = 0; unusable < maxUnusable; ) {
        const request = { model: run.model, messages, ...(tools.length > 0 ? { tools } : {}) };
        const { inputTokens, outputTokens, implausible, ...outcome } = await service.complete(request, context.signal);
        if (implausible) {
          const charged = { runId: run.runId, model: run.model, inputTokens, outputTokens };
          log.warn(charged, "token counts of the model service are implausible, will charge these instead");
        }
        await context.step({ kind: "model", model: run.model, inputTokens, outputTokens });
        context.signal.throwIfAborted();
        if (outcome.kind === "refused") throw new RunFailed("refused", "the model refused");
        if (outcome.kind === "failed") throw new RunFailed("executor_failed", outcome.reason);
        const read = readTurn(outcome, tools);
        if ("flaw" in read) {
          unusable += 1;
          log.warn(
            { runId: run.runId, model: run.model, flaw: read.logged },
            "turn of the model is unusable, will ask again",
          );
          if (read.flaw) sayIn(messages, "user", `Your last turn was discarded: ${read.flaw}.`);
          continue;
        }
        if (read.toolCalls.length === 0) return { text: read.text, memoryIds: memories.map(({ id }) => id) };
        unusable = 0;
        messages.push(...(await executed(read, context)));
      }
      throw new RunFailed("executor_failed", `${maxUnusable} turns of the model in a row were unusable`);
    },
  };
}

async function searchMemories(run: Assignment, context: EngineContext) {
  await context.step({ kind: "recall" });
  return context.searchMemories(run.message, maxMemories);
}

type Turn = { text: string; toolCalls: ToolCall[] };
/** `flaw` goes to the model and may quote it; only `logged` goes to the log. */
type Unusable = { flaw: string | undefined; logged: string };

function readTurn(outcome: Exclude<Outcome, { kind: "refused" | "failed" }>, tools: Tools): Turn | Unusable {
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
async function executed({ text, toolCalls }: Turn, context: EngineContext): Promise<ChatMessage[]> {
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
  for (const toolCall of toolCalls) {
    await context.step({ kind: toolCall.name });
    turn.push({ role: "tool", tool_call_id: toolCall.call.id, content: await execute(toolCall, context) });
  }
  return turn;
}
