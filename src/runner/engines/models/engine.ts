/**
 * The engine for models: gives a run to a service that speaks the Chat Completions protocol, does what the model asks for
 * with the tools that the run has, and answers what it says in the end. Each turn and each use of a tool is a step.
 */
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Log } from "../../../log.ts";
import { type Answer, type Assignment, type Engine, type Hands, RunFailed } from "../../engine.ts";
import { promptFor, sayIn } from "./prompt.ts";
import { modelsServed } from "./served.ts";
import { modelService, type Patience, type ServiceSettings } from "./service.ts";
import { longestAnswer } from "./stream.ts";
import { fulfil, toolsFor, type Wish, wishesOf } from "./tools.ts";
import type { Outcome } from "./turn.ts";

const usualPatience: Patience = { silenceMs: 60_000, turnMs: 180_000 };

/** More would bury the best, and every one is paid for. */
const mostClaims = 8;

/** So many turns in a row may be of no use; the model is told what was wrong with each. */
const mostFlawed = 3;

type Settings = { service: ServiceSettings; log: Log; patience?: Patience };

export function modelEngine({ service: settings, log, patience = usualPatience }: Settings): Engine {
  const service = modelService(settings, patience);
  return {
    models: modelsServed(service, log),

    async answer(run, hands): Promise<Answer> {
      const claims = run.capabilities.includes("recall") ? await recalled(run, hands) : [];
      const tools = toolsFor(run.capabilities);
      const messages = promptFor(run, claims);
      for (let flawed = 0; flawed < mostFlawed; ) {
        const request = { model: run.model, messages, ...(tools.length > 0 ? { tools } : {}) };
        const { inputTokens, outputTokens, ...outcome } = await service.ask(request, hands.signal);
        await hands.step({ kind: "model", model: run.model, inputTokens, outputTokens });
        hands.signal.throwIfAborted();
        if (outcome.kind === "refused") throw new RunFailed("refused", "the model refused");
        if (outcome.kind === "failed") throw new RunFailed("executor_failed", outcome.reason);
        const read = readTurn(outcome, tools);
        if ("flaw" in read) {
          flawed += 1;
          log.warn({ runId: run.runId, model: run.model, flaw: read.logged }, "a turn of a model was of no use");
          if (read.flaw) sayIn(messages, "user", `Your last turn was thrown away: ${read.flaw}.`);
          continue;
        }
        if (read.wishes.length === 0) return { text: read.text, memoryIds: claims.map(({ id }) => id) };
        flawed = 0;
        messages.push(...(await fulfilled(read, hands)));
      }
      throw new RunFailed("executor_failed", `${mostFlawed} turns of the model in a row were of no use`);
    },
  };
}

async function recalled(run: Assignment, hands: Hands) {
  await hands.step({ kind: "recall" });
  return hands.recall(run.message, mostClaims);
}

type Turn = { text: string; wishes: Wish[] };
/** `flaw` is told to the model, which may be what it said itself; only `logged` goes to the log. */
type Flawed = { flaw: string | undefined; logged: string };

function readTurn(outcome: Exclude<Outcome, { kind: "refused" | "failed" }>, tools: Tools): Turn | Flawed {
  if (outcome.kind === "broken") return { flaw: undefined, logged: outcome.reason };
  if (outcome.kind === "long") {
    const most = longestAnswer.toLocaleString("en");
    return { flaw: `it was too long. Say it in fewer words, ${most} characters at most`, logged: "too long" };
  }
  const read = wishesOf(outcome.calls, tools);
  if ("flaw" in read) return { flaw: read.flaw, logged: "a tool was called wrongly" };
  if (read.wishes.length === 0 && outcome.text.trim() === "") return { flaw: "it was empty", logged: "empty" };
  return { text: outcome.text, wishes: read.wishes };
}

type Tools = ReturnType<typeof toolsFor>;

/** The model's turn and what came of it, as it is to be told. */
async function fulfilled({ text, wishes }: Turn, hands: Hands): Promise<ChatCompletionMessageParam[]> {
  const said: ChatCompletionMessageParam[] = [
    {
      role: "assistant",
      content: text || null,
      tool_calls: wishes.map(({ call: { id, name, arguments: given } }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    },
  ];
  for (const wish of wishes) {
    await hands.step({ kind: wish.name });
    said.push({ role: "tool", tool_call_id: wish.call.id, content: await fulfil(wish, hands) });
  }
  return said;
}
