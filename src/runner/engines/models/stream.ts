/**
 * The parts of a streamed answer, put together. Services differ in what they leave out; what is needed is looked at, and
 * the rest ignored.
 */
import { z } from "zod";
import type { Call, Outcome, Request, Tokens } from "./turn.ts";

const tokenCount = z.int().min(0).max(2_147_483_647);

const Part = z.object({
  index: z.int().min(0).max(63).optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const Delta = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(Part).nullish(),
});

const Chunk = z.object({
  choices: z.array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish().catch(null),
});

/** What a message may hold, in code points; beyond twice as many units it is longer in any case. */
export const longestAnswer = 32_000;
const mostUnits = 2 * longestAnswer;

/** Where a service doesn't say: natural language takes a token for 3 to 4 bytes, so this errs to the dear side. */
const bytesPerToken = 3;

export function collect() {
  let text = "";
  let refusal = "";
  let ending: string | undefined;
  let usage: z.infer<typeof Chunk>["usage"];
  const calls: Call[] = [];
  const size = () =>
    calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, text.length + refusal.length);

  function addCall({ index, id, function: part }: z.infer<typeof Part>): void {
    // Without an index a part that has an id begins a call, and another belongs to the last.
    const at = index ?? (id ? calls.length : Math.max(calls.length - 1, 0));
    calls[at] ??= { id: "", name: "", arguments: "" };
    const call = calls[at];
    if (!call.id && id) call.id = id;
    if (!call.name && part?.name) call.name = part.name;
    call.arguments += part?.arguments ?? "";
  }

  return {
    /** False when it is longer than anything that could be used. @throws Error when it is no part of an answer */
    add(chunk: unknown): boolean {
      const { choices, usage: told } = Chunk.parse(chunk);
      usage = told ?? usage;
      const [choice] = choices ?? [];
      text += choice?.delta?.content ?? "";
      refusal += choice?.delta?.refusal ?? "";
      for (const part of choice?.delta?.tool_calls ?? []) addCall(part);
      ending = choice?.finish_reason ?? ending;
      return size() <= mostUnits;
    },

    outcome(): Outcome {
      if (size() > mostUnits || ending === "length" || [...text].length > longestAnswer) return { kind: "long" };
      if (ending === "content_filter" || refusal !== "") return { kind: "refused" };
      if (ending === undefined) return { kind: "broken", reason: "the model service broke off its answer" };
      const whole = text.toWellFormed().replaceAll("\0", ""); // Postgres can hold neither
      return { kind: "turn", text: whole, calls: calls.filter(Boolean) };
    },

    tokens(request: Request): Tokens {
      if (usage) return { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
      const said = text + refusal + calls.map((call) => (call ? call.name + call.arguments : "")).join("");
      return { inputTokens: estimated(JSON.stringify(request)), outputTokens: estimated(said) };
    },
  };
}

const estimated = (text: string) => Math.ceil(Buffer.byteLength(text) / bytesPerToken);
