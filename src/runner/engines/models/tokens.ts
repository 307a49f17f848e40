/**
 * The tokens that a turn is charged for. Normally these are the counts of the model service. Counts that the sent and received
 * bytes rule out are corrected: too high a count would use up an organisation's budget, and zero would evade it.
 */
import type { Request, Tokens } from "./turn.ts";

/** Natural language takes a token for 3 to 4 bytes, so this estimate is rather too high. */
const bytesPerToken = 3;
/** The most efficient vocabularies use one token for 9 to 12 bytes of scripts such as Tamil. */
const maxBytesPerToken = 16;
/** Services add their own system prompt and separators. */
const maxHiddenInputTokens = 2_000;
/** Hidden reasoning is charged as output. The fastest services generate about this many tokens a second. */
const maxHiddenOutputTokensPerSecond = 1_000;
/** Limit of runner.step. */
const maxTokens = 10_000_000;

export type Usage = { prompt_tokens: number; completion_tokens: number };

type Turn = {
  request: Request;
  /** The model's text and tool calls. */
  received: string;
  /** From the request to the end of the answer. */
  elapsedMs: number;
};

/** @param usage as reported by the service; undefined if missing or invalid */
export function chargedTokens(usage: Usage | undefined, { request, received, elapsedMs }: Turn): Tokens {
  const sentBytes = bytesOf(JSON.stringify(request));
  const receivedBytes = bytesOf(received);
  const estimate = { input: estimated(sentBytes), output: estimated(receivedBytes) };
  if (!usage) return { inputTokens: estimate.input, outputTokens: estimate.output, implausible: false };
  const inputTokens = within(usage.prompt_tokens, {
    // Without the tools, because services shorten their JSON.
    min: bytesOf(JSON.stringify(request.messages)) / maxBytesPerToken,
    max: sentBytes + maxHiddenInputTokens,
    estimate: estimate.input,
  });
  const outputTokens = within(usage.completion_tokens, {
    min: receivedBytes / maxBytesPerToken,
    max: receivedBytes + Math.ceil((elapsedMs / 1000) * maxHiddenOutputTokensPerSecond),
    estimate: estimate.output,
  });
  const implausible = inputTokens !== usage.prompt_tokens || outputTokens !== usage.completion_tokens;
  return { inputTokens, outputTokens, implausible };
}

type Bounds = { min: number; max: number; estimate: number };

/** Lowers a count to the maximum. Replaces a count below the minimum by the estimate. */
function within(reported: number, { min, max, estimate }: Bounds): number {
  return Math.min(reported < Math.floor(min) ? estimate : reported, max, maxTokens);
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const estimated = (bytes: number) => Math.min(Math.ceil(bytes / bytesPerToken), maxTokens);
