/** Request and outcome of one turn of a model. */
import { z } from "zod";

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

const Call = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type Call = z.infer<typeof Call>;

/** After these outcomes the run continues. They are kept for later executors. */
export const Continued = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("turn"), text: z.string(), calls: z.array(Call) }),
  /** Longer than the model's or our limit. */
  z.object({ kind: z.literal("long") }),
  /** The answer has no known good end. */
  z.object({ kind: z.literal("broken"), reason: z.string() }),
  /** The answer arrived in a form that this client does not know. The turn is not charged. */
  z.object({ kind: z.literal("unreadable"), reason: z.string() }),
]);
export type Continued = z.infer<typeof Continued>;

export type Outcome =
  | Continued
  /** The model refused, or a content filter did. */
  | { kind: "refused" }
  /** No answer, after all retries. */
  | { kind: "failed"; reason: string };

export type Tokens = {
  inputTokens: number;
  outputTokens: number;
  /** Whether the service reported counts that the sent and received bytes rule out. */
  implausible: boolean;
};
