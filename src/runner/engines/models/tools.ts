/** The tools that a model is offered, and what they do. Which of them a run has is for its capabilities to say. */
import type { ChatCompletionFunctionTool } from "openai/resources/chat/completions";
import { z } from "zod";
import { text } from "../../../contract/fields.ts";
import type { Hands } from "../../engine.ts";
import type { Call } from "./turn.ts";

type Tool = {
  description: string;
  parameters: z.ZodType;
  /** Answers what the model is told. @throws RunEnded when the run waits or is over */
  use(given: unknown, hands: Hands): Promise<string>;
};

/** Any of these capabilities brings the tool. */
const capabilitiesFor: Record<string, string[]> = { remember: ["remember", "propose"], ask_person: ["ask_approval"] };

const Claim = z.object({
  scope: z.enum(["organisation", "bot", "member"]).default("bot").meta({
    description: "Who is to know: the whole organisation, this bot alone, or the person you talk to.",
  }),
  kind: text(1, 60).meta({ description: "What kind of claim it is, in a word, such as fact, preference or policy." }),
  subject: text(1, 200).meta({ description: "What or whom it is about, in a few words." }),
  subjectKind: z.enum(["organisation", "member", "third_party"]).default("organisation").meta({
    description: "Of a person who is no member of the organisation: third_party.",
  }),
  value: text(1, 4000).meta({ description: "The claim itself, in whole sentences." }),
  confidence: z.number().min(0).max(1).default(1),
});

const Question = z.object({
  question: text(1, 2000).meta({ description: "To be answered with yes or no." }),
  reason: text(1, 2000).meta({ description: "Why you ask, for somebody who has not followed the conversation." }),
});

const refusals: Record<string, string> = {
  forbidden: "That may not be: the person, or this kind of claim, is not allowed it. Do not try again.",
  quota_exceeded: "That may not be: there are too many questions and claims already. Do not try again.",
  invalid_request: "That is not a claim that can be held.",
};

const refusal = (word: string) => refusals[word] ?? "That may not be.";

const tools: Record<string, Tool> = {
  remember: {
    description:
      "Have a claim remembered beyond this conversation. The answer says whether it is, or waits for a person's approval.",
    parameters: Claim,
    async use(given, hands) {
      const proposed = await hands.remember(Claim.parse(given));
      if ("refused" in proposed) return refusal(proposed.refused);
      return "memoryId" in proposed
        ? "It is remembered."
        : "It is not remembered yet: a person has been asked whether it may be. Do not wait for the answer.";
    },
  },
  ask_person: {
    description:
      "Ask the person you work for a question of yes or no, when something is not yours to decide. You are told the answer " +
      "when you go on, which may be days later. Use it alone and rarely.",
    parameters: Question,
    async use(given, hands) {
      const { question, reason } = Question.parse(given);
      return refusal((await hands.ask(question, reason)).refused);
    },
  },
};

export function toolsFor(capabilities: string[]): ChatCompletionFunctionTool[] {
  return Object.entries(tools)
    .filter(([name]) => capabilitiesFor[name]?.some((each) => capabilities.includes(each)))
    .map(([name, { description, parameters }]) => ({
      type: "function",
      function: { name, description, parameters: z.toJSONSchema(parameters, { io: "input", target: "draft-7" }) },
    }));
}

export type Wish = { call: Call; name: string; given: unknown };

/** What the calls of a turn ask for, the question last because it ends the work; or what is wrong with them. */
export function wishesOf(calls: Call[], offered: ChatCompletionFunctionTool[]): { wishes: Wish[] } | { flaw: string } {
  const wishes: Wish[] = [];
  for (const call of calls) {
    const tool = offered.some((each) => each.function.name === call.name) ? tools[call.name] : undefined;
    if (!tool || call.id === "") return { flaw: "it called a tool that there is not" };
    const given = tool.parameters.safeParse(parsed(call.arguments));
    if (!given.success) {
      const faults = given.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
      return { flaw: `what it gave to ${call.name} does not fit (${faults.join("; ")})` };
    }
    wishes.push({ call, name: call.name, given: given.data });
  }
  return {
    wishes: wishes.sort((one, other) => Number(one.name === "ask_person") - Number(other.name === "ask_person")),
  };
}

export const fulfil = ({ name, given }: Wish, hands: Hands): Promise<string> =>
  tools[name]?.use(given, hands) ?? Promise.reject(new Error(`there is no tool ${name}`));

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
