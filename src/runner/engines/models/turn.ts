/** One turn of a model: what it is asked, and what came of it. */
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from "openai/resources/chat/completions";

export type Request = { model: string; messages: ChatCompletionMessageParam[]; tools?: ChatCompletionFunctionTool[] };

export type Call = { id: string; name: string; arguments: string };

export type Outcome =
  | { kind: "turn"; text: string; calls: Call[] }
  /** The model would not. */
  | { kind: "refused" }
  /** Whole, but longer than the model or we allow. */
  | { kind: "long" }
  /** It broke off. */
  | { kind: "broken"; reason: string }
  /** None was to be had: the SDK has asked again where that makes sense. */
  | { kind: "failed"; reason: string };

export type Tokens = { inputTokens: number; outputTokens: number };
