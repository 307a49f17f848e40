/**
 * What an engine is: it takes the message of a run to an answer. It reaches the database only through its hands, each
 * of which is a function of schema runner under the run's lease.
 */

/** What the executor was told of the run. (runner.assignment; docs/executors.md.) */
export type Assignment = {
  organisationId: string;
  runId: string;
  leaseId: string;
  conversationId: string;
  trigger: string;
  taint: boolean;
  /** What the run may do beside making steps and answering: recall, ask_approval, block; remember and start_run or, tainted, propose. */
  capabilities: string[];
  /** Made so far, by whoever worked on it before as well. */
  steps: number;
  /** What remains of its budgets at the moment of the claim. */
  left: { steps: number; spendMicroCents: number; workingMs: number };
  model: string;
  instructions: string;
  /** What the run was started with. */
  message: string;
  /** The latest words of the conversation, oldest first, those of this run among them. */
  messages: Said[];
  /** The cards that the run has raised, oldest first: whoever goes on with it finds the answers here. */
  approvals: Approval[];
};

export type Approval = {
  id: string;
  kind: "question" | "memory" | "run";
  /** Null for what the run proposed to write. */
  question: string | null;
  state: "pending" | "approved" | "refused" | "expired" | "withdrawn";
  answeredAt: string | null;
};

export type Said = { id: string; runId: string; author: "person" | "bot"; text: string; createdAt: string };

export type Claim = { id: string; kind: string; subject: string; value: string; confidence: number; rank: number };

export type Hands = {
  /** The claims the bot may read that share words with the question, best first. */
  recall(question: string, atMost: number): Promise<Claim[]>;
  /** Records a step, before or after it is made, with what it cost. @throws RunEnded when it passes a budget. */
  step(step: { kind: string; inputTokens?: number; outputTokens?: number; spendMicroCents?: number }): Promise<void>;
};

export type Answer = {
  /** 1 to 32,000 characters. */
  text: string;
  /** The claims it rests on, best first. */
  memoryIds: string[];
};

export type Engine = {
  /** Values of a bot's `model` that it serves. */
  models: string[];
  /** @throws whatever keeps it from an answer: the run fails with executor_failed */
  answer(assignment: Assignment, hands: Hands): Promise<Answer>;
};

/** The run has ended, or has gone to another executor: nothing more can be written to it. */
export class RunEnded extends Error {}
