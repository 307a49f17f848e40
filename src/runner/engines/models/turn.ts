/** Request and outcome of one turn of a model. */
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: RequestedCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

type RequestedCall = { id: string; type: "function"; function: { name: string; arguments: string } };

export type ChatTool = {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

export type Request = { model: string; messages: ChatMessage[]; tools?: ChatTool[] };

export type Call = { id: string; name: string; arguments: string };

export type Outcome =
  | { kind: "turn"; text: string; calls: Call[] }
  /** The model refused, or a content filter did. */
  | { kind: "refused" }
  /** Longer than the model's or our limit. */
  | { kind: "long" }
  /** The answer has no known good end. */
  | { kind: "broken"; reason: string }
  /** The answer arrived in a form that this client does not know. The turn is not charged. */
  | { kind: "unreadable"; reason: string }
  /** No answer, after all retries. */
  | { kind: "failed"; reason: string };

export type Tokens = {
  inputTokens: number;
  outputTokens: number;
  /** Whether the service reported counts that the sent and received bytes rule out. */
  implausible: boolean;
};
