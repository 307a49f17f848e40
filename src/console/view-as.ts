/**
 * What to look at as somebody else, as it would have been sent to the API: read by the same contract, so that what SQL is
 * given is what a call would have given it.
 */
import type { Operation } from "../contract/operation.ts";
import { admit } from "../http/admission.ts";
import { match } from "../http/router.ts";
import { splitTarget } from "../http/target.ts";
import { Refusal } from "./refusal.ts";

const nothingAllowed = { allowed: [] as never };

/** @throws Refusal when the target is no reading of the API, or its query is not the contract's */
export function readAs(target: string): { operation: Operation; input: Record<string, unknown> } {
  const { path, query } = splitTarget(target);
  const matched = match("GET", path);
  if (matched.found !== "operation") throw new Refusal("not_found");
  const { operation, params } = matched;
  if (operation.keyClass !== "organisation" || operation.stream) throw new Refusal("not_found");
  const { input, problem } = admit(
    {
      operation,
      params,
      path,
      query,
      body: { value: {}, canonical: "" },
      idempotencyKey: undefined,
    },
    nothingAllowed,
  );
  if (problem) throw new Refusal(problem.code, {}, undefined, problem.details);
  return { operation, input };
}
