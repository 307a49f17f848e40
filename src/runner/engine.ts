/** Types of engines. An engine answers the message of a run, and reaches the database only through its EngineContext. */
import type { z } from "zod";

/** A leased run, as returned by runner.assignment. (docs/specification/executors.md#assignment) */
export type Assignment = {
  organisationId: string;
  runId: string;
  leaseId: string;
  conversationId: string;
  trigger: string;
  taint: boolean;
  /** recall, ask_approval, block; also remember and start_run or, for a tainted run, propose. */
  capabilities: string[];
  /** Steps so far, including steps of earlier executors. */
  steps: number;
  /** Remaining budgets at the time of the lease. */
  left: { steps: number; spendMicroCents: number; workingMs: number };
  model: string;
  instructions: string;
  /** The message that started the run. */
  message: string;
  /** The latest messages of the conversation including this run's, oldest first. */
  messages: Message[];
  /** The approvals that the run requested, oldest first, with their answers. */
  approvals: Approval[];
  /** The memories that the run proposed, including proposals by earlier executors. */
  remembered: ProposedMemory[];
  /** The results of the keyed steps so far, by key; null for a step without a result. */
  results: Record<string, unknown>;
};

export type Approval = {
  id: string;
  kind: "question" | "memory" | "run";
  /** Null for a proposed memory or run. */
  question: string | null;
  state: "pending" | "approved" | "refused" | "expired" | "withdrawn";
  answeredAt: string | null;
  /** The person's comment with the answer. */
  comment: string | null;
};

/** `landed`: the memory exists. Otherwise the state of its approval. */
export type ProposedMemory = { kind: string; subject: string; value: string; state: "landed" | Approval["state"] };

export type Message = { id: string; runId: string; author: "person" | "bot"; text: string; createdAt: string };

export type MemoryMatch = {
  id: string;
  kind: string;
  subject: string;
  value: string;
  confidence: number;
  createdAt: string;
  validFrom: string | null;
  /** Memories that are valid now and say something else about the subject, newest first. */
  conflictsWith: Pick<MemoryMatch, "id" | "value" | "confidence" | "createdAt" | "validFrom">[];
  rank: number;
};

/** A memory that a bot wants to store. SQL checks lengths and permissions. */
export type Proposal = {
  scope: "organisation" | "bot" | "member";
  kind: string;
  subject: string;
  subjectKind: "organisation" | "member" | "third_party";
  value: string;
  /** 0 to 1. */
  confidence: number;
};

/** The stored memory, or the approval that a person must answer first. */
export type Proposed = { memoryId: string } | { approvalId: string };

/** Refusal code: forbidden, quota_exceeded or invalid_request. The run is unchanged. */
export type Refused = { refused: string };

export type Step = {
  kind: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Cost in addition to the tokens'. */
  spendMicroCents?: number;
  /** The model that the tokens are priced for. */
  model?: string;
};

/** What is done once in a run, and remembered under its key. The key is shown to members, so it quotes no text. */
export type Once<Result> = { key: string; kind: string; result: z.ZodType<Result> };

/** A result for later executors, the tokens that it took, and the memories on which it draws. */
export type Done<Result> = { result: Result; spent?: Omit<Step, "kind">; memoryIds?: string[] };

export type EngineContext = {
  /** Aborts when the run has ended, its lease is lost or the executor stops. Further work is useless. */
  signal: AbortSignal;
  /** Memories that the bot may read and that share words with the question, best first. */
  searchMemories(question: string, limit: number): Promise<MemoryMatch[]>;
  /** Records a step and its cost, before or after the step. @throws RunEnded if it exceeds a budget */
  step(step: Step): Promise<void>;
  /**
   * Returns the result of an earlier executor, or does the work and records it as a step with its result. A result that cannot
   * be stored, or is unknown here, ends the use of keys for this lease: later results would follow from it.
   * @throws RunEnded if no step is left, before the work, or if the step exceeds a budget
   */
  once<Result>(step: Once<Result>, work: () => Promise<Done<Result>>): Promise<Result>;
  /** Stores a memory or requests its approval. Repeating a proposal in the same run returns the same result. */
  proposeMemory(memory: Proposal): Promise<Proposed | Refused>;
  /**
   * Shows the text of the answer so far to its person, who may be watching. Returns at once, and never throws.
   * @param read returns the text, without anything that the answer would not show
   */
  preview(read: () => string, memoryIds: string[]): void;
  /**
   * Requests an approval of the run's person. The run waits for the answer, then an executor leases it again. Question and
   * reason have 1 to 2,000 characters each.
   * @throws RunEnded unless refused, because the run waits from then on
   */
  askApproval(question: string, reason: string): Promise<Refused>;
};

export type Answer = {
  /** 1 to 32,000 characters. */
  text: string;
  /** The memories used, best first. */
  memoryIds: string[];
};

export type Engine = {
  /**
   * Returns the models that this engine serves now. Called before each heartbeat. Runs of unserved models wait.
   * @param priced returns the models that have a price
   */
  models(priced: () => Promise<string[]>): Promise<string[]>;
  /** @throws any error if there is no answer: the run fails with the code of a RunFailed, or with executor_failed */
  answer(assignment: Assignment, context: EngineContext): Promise<Answer>;
};

/** Ends the run without an answer. The message is logged, so it must not quote the run. */
export class RunFailed extends Error {
  readonly code: "executor_failed" | "refused";
  constructor(code: RunFailed["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The run has ended or another executor has its lease, so nothing more can be written to it. */
export class RunEnded extends Error {}
