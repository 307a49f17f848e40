/** Assembles a streamed answer from its chunks. Services omit different fields, so most fields are optional. */
import { z } from "zod";
import type { Usage } from "./tokens.ts";
import type { Call, Outcome } from "./turn.ts";

const tokenCount = z.int().min(0).max(2_147_483_647);

const maxCalls = 64;
const maxChoices = 128;

/** Checks the length first, because zod creates an issue for each invalid entry. */
const limitedArray = <Entry extends z.ZodType>(entry: Entry, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(entry));

const Part = z.object({
  index: z
    .int()
    .min(0)
    .max(maxCalls - 1)
    .optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

const Delta = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: limitedArray(Part, maxCalls).nullish(),
});

const Chunk = z.object({
  choices: limitedArray(
    z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() }),
    maxChoices,
  ).nullish(),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish().catch(null),
});

/** Limit of a message in code points. Each has at most two UTF-16 units. */
export const maxAnswerLength = 32_000;
const maxUnits = 2 * maxAnswerLength;

export function collect() {
  let text = "";
  let refusal = "";
  let ending: string | undefined;
  let usage: z.infer<typeof Chunk>["usage"];
  const calls: Call[] = [];
  const size = () =>
    calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, text.length + refusal.length);

  function addCall({ index, id, function: part }: z.infer<typeof Part>): void {
    // Without an index, a part with an id begins a call and a part without one continues the last call.
    const at = index ?? (id ? calls.length : Math.max(calls.length - 1, 0));
    calls[at] ??= { id: "", name: "", arguments: "" };
    const call = calls[at];
    if (!call.id && id) call.id = id;
    if (!call.name && part?.name) call.name = part.name;
    call.arguments += part?.arguments ?? "";
  }

  return {
    /** Returns false if the answer is too long to be used. @throws Error if the chunk is invalid */
    add(chunk: unknown): boolean {
      const { choices, usage: reported } = Chunk.parse(chunk);
      usage = reported ?? usage;
      const [choice] = choices ?? [];
      text += choice?.delta?.content ?? "";
      refusal += choice?.delta?.refusal ?? "";
      for (const part of choice?.delta?.tool_calls ?? []) addCall(part);
      ending = choice?.finish_reason ?? ending;
      return size() <= maxUnits;
    },

    outcome(): Outcome {
      if (size() > maxUnits || ending === "length" || [...text].length > maxAnswerLength) return { kind: "long" };
      if (ending === "content_filter" || refusal !== "") return { kind: "refused" };
      if (ending === undefined) return { kind: "broken", reason: "the model service broke off its answer" };
      const whole = text.toWellFormed().replaceAll("\0", ""); // PostgreSQL can store neither
      return { kind: "turn", text: whole, calls: calls.filter(Boolean) };
    },

    /** All text and tool calls received so far. */
    received: () => text + refusal + calls.map((call) => (call ? call.name + call.arguments : "")).join(""),

    /** The service's own count, if it sent one. */
    usage: (): Usage | undefined => usage ?? undefined,
  };
}
