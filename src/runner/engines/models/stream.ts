/** Assembles an answer from its chunks. Services omit different fields, so most fields are optional. */
import { z } from "zod";
import { CallPart, collectCalls, maxCalls } from "./calls.ts";
import { withoutThoughts } from "./thoughts.ts";
import type { Usage } from "./tokens.ts";
import type { Outcome } from "./turn.ts";

const tokenCount = z.int().min(0).max(2_147_483_647);

const maxChoices = 128;
const maxParts = 1_000;

/** Checks the length first, because zod creates an issue for each invalid entry. */
const limitedArray = <Entry extends z.ZodType>(entry: Entry, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(entry));

const ContentPart = z.union([
  z.string(),
  z
    .object({ type: z.string().optional(), text: z.string().optional() })
    .transform(({ type = "text", text = "" }) => (type === "text" || type === "output_text" ? text : "")),
]);
/** A text or, with some services, a list of parts. Parts of thoughts and images have other types. */
const Content = z.union([z.string(), limitedArray(ContentPart, maxParts).transform((parts) => parts.join(""))]);

const Delta = z.object({
  content: Content.nullish(),
  refusal: z.string().nullish(),
  tool_calls: limitedArray(CallPart, maxCalls).nullish(),
});

const Chunk = z.object({
  /** `message` in place of `delta` is an answer in one piece. */
  choices: limitedArray(
    z.object({
      index: z.unknown().optional(),
      delta: Delta.nullish(),
      message: Delta.nullish(),
      finish_reason: z.string().nullish(),
    }),
    maxChoices,
  ).nullish(),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish().catch(null),
  error: z.unknown().optional(),
});

/** Limit of a message in code points. Each has at most two UTF-16 units. */
export const maxAnswerLength = 32_000;
const maxUnits = 2 * maxAnswerLength;
/** Thoughts are not part of the message. */
const maxThoughtUnits = 1_000_000;

/** The values of finish_reason in lower case. An answer with any other value is not used. */
const goodEnds = new Set(["stop", "tool_calls", "end_turn", "eos", "eos_token", "stop_sequence"]);
const longEnds = new Set(["length", "max_tokens", "model_length"]);
const refusedEnds = new Set(["content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii"]);

/** The service reported an error in the place of a chunk. */
class ServiceError extends Error {}

/** @param onText gets the whole text so far, with thoughts, after each part of it */
export function collect(onText: (text: string) => void = () => {}) {
  let text = "";
  let refusal = "";
  let ending: string | undefined;
  let isDone = false;
  let usage: z.infer<typeof Chunk>["usage"];
  const calls = collectCalls();
  let maxReceivedUnits = maxUnits;
  const isTooLong = () => {
    const units = calls.size() + text.length + refusal.length;
    if (units > maxReceivedUnits && withoutThoughts(text) !== text) maxReceivedUnits = maxThoughtUnits;
    return units > maxReceivedUnits || calls.count() > maxCalls;
  };

  return {
    /** Returns false if the answer is too long to be used. @throws ServiceError; ZodError if the chunk is invalid */
    add(chunk: unknown): boolean {
      const { choices, usage: reported, error } = Chunk.parse(chunk);
      if (error) throw new ServiceError();
      usage = reported ?? usage;
      // One choice is requested. A service that sends more numbers them.
      const choice = choices?.find(({ index }) => Number(index ?? 0) === 0);
      const delta = choice?.delta ?? choice?.message;
      text += delta?.content ?? "";
      if (delta?.content) onText(text);
      refusal += delta?.refusal ?? "";
      for (const part of delta?.tool_calls ?? []) calls.add(part);
      // Some services send an empty reason with each chunk.
      ending = choice?.finish_reason?.toLowerCase() || (ending ?? choice?.finish_reason ?? undefined);
      return !isTooLong();
    },

    /** The service marked the end of its chunks. */
    done() {
      isDone = true;
    },

    /** Whether the service gave a reason for the end, so that no text is missing. */
    hasEnded: () => ending !== undefined && ending !== "",

    outcome(): Outcome {
      const shown = storable(withoutThoughts(text));
      if (isTooLong() || longEnds.has(ending ?? "") || [...shown].length > maxAnswerLength) return { kind: "long" };
      if (refusedEnds.has(ending ?? "") || refusal !== "") return { kind: "refused" };
      if (ending === undefined && !isDone) return { kind: "broken", reason: "the model service broke off its answer" };
      if (ending !== undefined && !goodEnds.has(ending)) {
        return { kind: "broken", reason: "the model service ended its answer for no known good reason" };
      }
      if (ending === "tool_calls" && calls.count() === 0) {
        return { kind: "broken", reason: "the model service announced tool calls and sent none" };
      }
      return { kind: "turn", text: shown, calls: calls.all() };
    },

    /** All text and tool calls received so far. */
    received: () => text + refusal + calls.received(),

    /** The service's own count, if it sent one. */
    usage: (): Usage | undefined => usage ?? undefined,
  };
}

/** Without what PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "");

export type Collected = ReturnType<typeof collect>;
