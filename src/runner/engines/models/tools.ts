/** The tools of a model. The capabilities of a run decide which of them the model gets. */
import { z } from "zod";
import { text } from "../../../contract/fields.ts";
import type { Assignment, EngineContext } from "../../engine.ts";
import { answerOf } from "./prompt.ts";
import type { Call, ChatTool } from "./turn.ts";

type Tool = {
  description: string;
  parameters: z.ZodType;
  /** Returns the result for the model. @throws RunEnded if the run waits for an answer or has ended */
  execute(input: unknown, calling: Calling): Promise<string>;
};

/** The step of a call in its run. */
export type Calling = { run: Assignment; context: EngineContext; key: string; kind: string };

/** A run has the tool if it has any of these capabilities. */
const capabilitiesFor: Record<string, string[]> = { remember: ["remember", "propose"], ask_person: ["ask_approval"] };

const ProposedMemory = z.object({
  scope: z.enum(["organisation", "bot", "member"]).default("bot").meta({
    description: "Who is to know: the whole organisation, this bot alone, or the person you talk to.",
  }),
  kind: text(1, 60).meta({ description: "The kind of memory in one word, such as fact, preference or policy." }),
  subject: text(1, 200).meta({ description: "What or whom it is about, in a few words." }),
  subjectKind: z.enum(["organisation", "member", "third_party"]).default("organisation").meta({
    description: "Of a person who is no member of the organisation: third_party.",
  }),
  value: text(1, 4000).meta({ description: "The memory itself, in whole sentences." }),
  confidence: z.number().min(0).max(1).default(1),
});

const Question = z.object({
  question: text(1, 2000).meta({ description: "A question to answer with yes or no." }),
  reason: text(1, 2000).meta({ description: "Why you ask, for a person who has not followed the conversation." }),
});

const refusals: Record<string, string> = {
  forbidden: "That is not allowed for this person or this kind of memory. Do not try again.",
  quota_exceeded: "That is not possible: there are too many questions and memories already. Do not try again.",
  invalid_request: "That is not a valid memory.",
};

const refusal = (code: string) => refusals[code] ?? "That is not possible.";

const tools: Record<string, Tool> = {
  remember: {
    description:
      "Store a memory beyond this conversation. The result says whether it is stored, or waits for a person's approval.",
    parameters: ProposedMemory,
    execute: (input, { context, key, kind }) =>
      context.once({ key, kind, result: z.string() }, async () => {
        const proposed = await context.proposeMemory(ProposedMemory.parse(input));
        if ("refused" in proposed) return { result: refusal(proposed.refused) };
        return {
          result:
            "memoryId" in proposed
              ? "It is stored."
              : "It is not stored yet: a person has to approve it first. Do not wait for the answer.",
        };
      }),
  },
  ask_person: {
    description:
      "Ask the person you work for a question of yes or no, when something is not yours to decide. You get the answer " +
      "when you continue, which may be days later. Use it alone and rarely.",
    parameters: Question,
    async execute(input, { run, context, key, kind }) {
      const { question, reason } = Question.parse(input);
      const questions = run.approvals.filter((approval) => approval.kind === "question");
      // Recorded first: the approval at this place answers this call, unless the call was refused. The answer is recorded too, for a retry in another run.
      const { place } = await context.once({ key, kind, result: z.object({ place: z.int() }) }, async () => ({
        result: { place: questions.length },
      }));
      return context.once({ key: `${key}, answer`, kind, result: z.string() }, async () => {
        const answered = questions[place];
        if (answered) return { result: JSON.stringify(answerOf(answered)) };
        return { result: refusal((await context.askApproval(question, reason)).refused) };
      });
    },
  },
};

export function toolsFor(capabilities: string[]): ChatTool[] {
  return Object.entries(tools)
    .filter(([name]) => capabilitiesFor[name]?.some((each) => capabilities.includes(each)))
    .map(([name, { description, parameters }]) => ({
      type: "function",
      function: { name, description, parameters: z.toJSONSchema(parameters, { io: "input", target: "draft-7" }) },
    }));
}

type Parsed = { toolCalls: ToolCall[] } | { flaw: string };
export type ToolCall = { call: Call; name: string; input: unknown };

/** Validates the calls of a turn. A question comes last, because it ends the work. */
export function parseToolCalls(calls: Call[], offered: ChatTool[]): Parsed {
  const toolCalls: ToolCall[] = [];
  for (const call of calls) {
    const tool = offered.some((each) => each.function.name === call.name) ? tools[call.name] : undefined;
    if (!tool) return { flaw: "it called an unknown tool" };
    const input = tool.parameters.safeParse(parsed(call.arguments));
    if (!input.success) {
      const faults = input.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
      return { flaw: `the arguments of ${call.name} are invalid (${faults.join("; ")})` };
    }
    toolCalls.push({ call, name: call.name, input: input.data });
  }
  return {
    toolCalls: toolCalls.sort((one, other) => Number(one.name === "ask_person") - Number(other.name === "ask_person")),
  };
}

export const execute = ({ name, input }: ToolCall, calling: Omit<Calling, "kind">): Promise<string> =>
  tools[name]?.execute(input, { ...calling, kind: name }) ?? Promise.reject(new Error(`there is no tool ${name}`));

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
