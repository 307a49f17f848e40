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
  /** The claims that the run has proposed, by whoever worked on it. */
  remembered: Remembered[];
};

export type Approval = {
  id: string;
  kind: "question" | "memory" | "run";
  /** Null for what the run proposed to write. */
  question: string | null;
  state: "pending" | "approved" | "refused" | "expired" | "withdrawn";
  answeredAt: string | null;
};

/** `landed`, or the state of its card. */
export type Remembered = { kind: string; subject: string; value: string; state: "landed" | Approval["state"] };

export type Said = { id: string; runId: string; author: "person" | "bot"; text: string; createdAt: string };

export type Claim = { id: string; kind: string; subject: string; value: string; confidence: number; rank: number };

/** A claim that a bot wants to be remembered. Lengths and who may write what are looked at in SQL. */
export type Proposal = {
  scope: "organisation" | "bot" | "member";
  kind: string;
  subject: string;
  subjectKind: "organisation" | "member" | "third_party";
  value: string;
  /** 0 to 1. */
  confidence: number;
};

/** It has landed, or waits for a person. */
export type Proposed = { memoryId: string } | { approvalId: string };

/** It may not be, and the word says why: forbidden, quota_exceeded, invalid_request. The run stays as it is. */
export type Refused = { refused: string };

export type Step = {
  kind: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Beside what its tokens cost. */
  spendMicroCents?: number;
  /** Whose tokens they are: the table of prices says what they cost. */
  model?: string;
};

export type Hands = {
  /** Aborts when the run has ended or gone to another, or the executor stops: whatever is under way is for nothing. */
  signal: AbortSignal;
  /** The claims the bot may read that share words with the question, best first. */
  recall(question: string, atMost: number): Promise<Claim[]>;
  /** Records a step, before or after it is made, with what it cost. @throws RunEnded when it passes a budget. */
  step(step: Step): Promise<void>;
  /** Proposed again in the same run, a claim is answered as it was before. */
  remember(claim: Proposal): Promise<Proposed | Refused>;
  /**
   * Asks the person of the run, who answers yes or no: the run waits, and goes on with whoever claims it then. Each has
   * 1 to 2,000 characters.
   * @throws RunEnded unless it is refused: with the question this work is over.
   */
  ask(question: string, reason: string): Promise<Refused>;
};

export type Answer = {
  /** 1 to 32,000 characters. */
  text: string;
  /** The claims it rests on, best first. */
  memoryIds: string[];
};

export type Engine = {
  /**
   * Values of a bot's `model` that it serves now; asked before each sign of life. What is in nobody's list waits.
   * @param priced those that have a price
   */
  models(priced: () => Promise<string[]>): Promise<string[]>;
  /** @throws whatever keeps it from an answer: the run fails with the code of a RunFailed, or with executor_failed */
  answer(assignment: Assignment, hands: Hands): Promise<Answer>;
};

/** There is no answer, and the run ends. The message goes to the log: it tells nothing of what was said in the run. */
export class RunFailed extends Error {
  readonly code: "executor_failed" | "refused";
  constructor(code: RunFailed["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The run has ended, or has gone to another executor: nothing more can be written to it. */
export class RunEnded extends Error {}
