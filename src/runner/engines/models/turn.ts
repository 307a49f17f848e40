/** Request and outcome of one turn of a model. */
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from "openai/resources/chat/completions";

export type Request = { model: string; messages: ChatCompletionMessageParam[]; tools?: ChatCompletionFunctionTool[] };

export type Call = { id: string; name: string; arguments: string };

export type Outcome =
  | { kind: "turn"; text: string; calls: Call[] }
  /** The model refused, or a content filter did. */
  | { kind: "refused" }
  /** Longer than the model's or our limit. */
  | { kind: "long" }
  /** The stream ended early. */
  | { kind: "broken"; reason: string }
  /** No answer, after the SDK's retries. */
  | { kind: "failed"; reason: string };

export type Tokens = {
  inputTokens: number;
  outputTokens: number;
  /** Whether the service reported counts that the sent and received bytes rule out. */
  implausible: boolean;
};
