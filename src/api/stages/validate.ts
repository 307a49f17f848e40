/**
 * Validates the request with the contract, makes secrets, and prepares the operations of a batch. A problem is no answer yet:
 * api.handle returns it in its place in the order of checks, after the credential and under the Idempotency-Key.
 * (docs/specification/conventions.md#order-of-checks)
 */
import { isBatch } from "../../contract/operation.ts";
import type { AllowedTargets } from "../../delivery/webhook-url.ts";
import { problemOfHead, type ValidatedInput, validateInput } from "../../request/validation.ts";
import type { MasterKey } from "../../secrets/master-key.ts";
import { secretOf } from "../../secrets/one-time.ts";
import { type Batch, prepareBatch, unfitOperations } from "../batch.ts";
import type { Request } from "../request.ts";

export type Validate = (request: Request) => void;

type Settings = {
  /** Seals secrets. */
  master: MasterKey;
  /** Targets of webhooks beyond public addresses. */
  allowed: AllowedTargets;
  /** Whether this process serves several cells. */
  hasDirectory: boolean;
  /** Address of the portal, without a trailing slash. */
  portalUrl: string;
};

export function makeValidate(settings: Settings): Validate {
  return (request) => {
    if (request.problem) return;
    const { input, problem } = validateWhole(request);
    if (problem) request.problem = problem;
    else if (isBatch(request.operation)) Object.assign(request, prepareBatch(input as Batch, settings));
    else {
      request.input = input;
      if (request.operation.secret) addSecret(request);
    }
  };

  function addSecret(request: Request): void {
    const secret = secretOf(request.operation, settings);
    request.input = { ...request.input, ...secret?.stored };
    request.members = [secret?.member];
  }

  /** Adds the operations that a batch must not contain to the details. */
  function validateWhole(request: Request): ValidatedInput {
    const validated = validateInput(request, settings);
    if (!isBatch(request.operation) || "problem" in request.body || problemOfHead(request)) return validated;
    const details = [...(validated.problem?.details ?? []), ...unfitOperations(request.body.value)];
    return details.length > 0 ? { problem: { code: "invalid_request", details } } : validated;
  }
}
