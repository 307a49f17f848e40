/**
 * Batches: builds the input for SQL, and the answer from SQL's results. Each operation is validated as if it were sent
 * alone. (docs/specification/batch.md)
 */
import type { BatchItem } from "../contract/batch.ts";
import type { Operation } from "../contract/operation.ts";
import { type Detail, envelope, type Problem, type RefusalCode, refusals } from "../contract/refusals.ts";
import { etagOf, type Revision } from "../contract/revision.ts";
import { secretOf, withMember } from "../secrets/one-time.ts";
import { splitTarget } from "../web/head.ts";
import { bodyOf } from "./body.ts";
import type { BatchedOperation, Request } from "./request.ts";
import { match } from "./stages/match.ts";
import { type Settings, type Validated, validateInput } from "./stages/validate.ts";

type Prepared = {
  /** Null if no operation has the path. */
  operation: string | null;
  input?: Record<string, unknown>;
  problem?: Problem;
  /** The JSON member that shows the operation's secret in the answer. */
  member?: string | undefined;
  revision?: Revision | undefined;
};

type Batch = { atomic: boolean; operations: BatchItem[] };

/** The stage `validate` of a batch. Each operation has its own problem, if the batch itself has none. */
export function validateBatch(request: Request, settings: Settings): void {
  if (request.problem) return;
  const { input, problem } = validatedWhole(request, settings);
  if (problem) {
    request.problem = problem;
    return;
  }
  const { atomic, operations } = input as Batch;
  const prepared = operations.map((item, index) => prepare(item, index, settings));
  request.input = { atomic, operations: prepared.map(({ member, revision, ...rest }) => rest) };
  request.members = prepared.map(({ member }) => member);
  request.batch = prepared.map(({ revision }, index) => ({ id: operations[index]?.id ?? null, revision }));
}

/** Adds the operations that a batch must not contain to the details. */
function validatedWhole(request: Request, settings: Settings): Validated {
  const whole = validateInput(request, settings);
  if ("problem" in request.body) return whole;
  const details = [...(whole.problem?.details ?? []), ...unfitOperations(request.body.value)];
  return details.length > 0 ? { problem: { code: "invalid_request", details } } : whole;
}

function prepare(item: BatchItem, index: number, settings: Settings): Prepared {
  const { path, query } = splitTarget(item.path);
  const matched = match(item.method, path);
  if (matched.found === "nothing") {
    const details = [{ path: pathOf(index), message: "must be the path of an operation" }];
    return { operation: null, problem: { code: "invalid_request", details } };
  }
  if (matched.found === "path") return { operation: matched.nearest.name, problem: { code: "not_supported" } };
  const { operation, params } = matched;
  const checked = validateInput(
    {
      operation,
      params,
      path,
      query,
      body: bodyOf(item.body ?? {}),
      ifMatch: item.ifMatch,
    },
    settings,
  );
  if (checked.problem) return { operation: operation.name, problem: checked.problem };
  const secret = secretOf(operation, settings);
  return {
    operation: operation.name,
    input: { ...checked.input, ...secret?.stored },
    member: secret?.member,
    revision: operation.revision,
  };
}

/** Finds operations that a batch must not contain. It matches paths as the router does, even if the rest is invalid. */
function unfitOperations({ operations }: Record<string, unknown>): Detail[] {
  if (!Array.isArray(operations)) return [];
  return operations.slice(0, 50).flatMap((item: Partial<BatchItem> | null, index) => {
    if (typeof item?.path !== "string" || typeof item.method !== "string") return [];
    const matched = match(item.method.toUpperCase(), splitTarget(item.path).path);
    const operation = matched.found === "path" ? matched.nearest : matched.found === "operation" && matched.operation;
    const message = operation && unfitness(operation);
    return message ? [{ path: pathOf(index), message }] : [];
  });
}

function pathOf(index: number): string {
  return `body.operations.${index}.path`;
}

function unfitness(operation: Operation): string | undefined {
  if (operation.isBatch) return "must not be a batch itself";
  if (operation.storesDigest) return "must not be a part of an export";
  return operation.stream ? "must not be a stream" : undefined;
}

type Performed =
  | { status: number; body: string }
  | { refusal: RefusalCode; details: Detail[] | null; reason?: string | null };

/** Builds the answer from the results of api.batch. A replay gives the same answer. */
export function wordBatch(
  performed: string,
  batch: BatchedOperation[],
  members: (string | undefined)[],
  requestId: string,
): string {
  const results = (JSON.parse(performed) as Performed[]).map((each, index) => {
    const [status, body] =
      "refusal" in each
        ? [refusals[each.refusal].status, envelope(each.refusal, requestId, each.details)]
        : [each.status, withMember(each.body, members[index])];
    const reason = ("refusal" in each && each.reason) || null;
    const { id, revision } = batch[index] as BatchedOperation;
    const etag = revision && "body" in each ? etagOf(each.body, revision) : null;
    const head = { id, status, reason, etag };
    return `${JSON.stringify(head).slice(0, -1)},"body":${body}}`;
  });
  return `{"results":[${results.join(",")}]}`;
}
