/** Prepares the input of a statement: validates the request, makes secrets, and prepares the operations of a batch. */
import type { Problem } from "../contract/refusals.ts";
import type { AllowedTargets } from "../delivery/webhook-url.ts";
import { problemOfHead, type ValidatedInput, validateInput } from "../request/validation.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { secretOf } from "../secrets/one-time.ts";
import { type Batch, type BatchedOperation, isBatch, prepareBatch, unfitOperations } from "./batch.ts";
import type { RequestContext } from "./context.ts";

export type Prepared = {
  input?: Record<string, unknown>;
  problem?: Problem;
  /** The JSON members that show secrets, one for each row of the answer. */
  members: (string | undefined)[];
  /** Set if the operation is a batch. */
  batch?: BatchedOperation[];
};

export type Prepare = (context: RequestContext) => Prepared;

export type PreparationSettings = {
  /** Seals secrets. */
  master: MasterKey;
  /** Targets of webhooks beyond public addresses. */
  allowed: AllowedTargets;
  /** Whether this process serves several cells. */
  hasDirectory: boolean;
  /** Address of the portal, without a trailing slash. */
  portalUrl: string;
};

export function makePrepare(settings: PreparationSettings): Prepare {
  return (context) => {
    const validated = context.problem ? { problem: context.problem } : validateWhole(context);
    if (validated.problem) return { problem: validated.problem, members: [] };
    if (isBatch(context.operation)) return prepareBatch(validated.input as Batch, settings);
    const secret = secretOf(context.operation, settings);
    return { input: { ...validated.input, ...secret?.stored }, members: [secret?.member] };
  };

  /** Adds the operations that a batch must not contain to the details. */
  function validateWhole(context: RequestContext): ValidatedInput {
    const validated = validateInput(context, settings);
    if (!isBatch(context.operation) || "problem" in context.body || problemOfHead(context)) return validated;
    const details = [...(validated.problem?.details ?? []), ...unfitOperations(context.body.value)];
    return details.length > 0 ? { problem: { code: "invalid_request", details } } : validated;
  }
}
