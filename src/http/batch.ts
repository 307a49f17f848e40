/**
 * A batch, from what was sent to what SQL is given, and from what SQL did to its answer. Each operation is admitted as
 * if it came alone. (decisions: "Batch".)
 */
import type { AskedInBatch } from "../contract/batch.ts";
import type { Operation } from "../contract/operation.ts";
import { type Detail, envelope, type Problem, type RefusalCode, refusals } from "../contract/refusals.ts";
import type { AllowedRanges } from "../delivery/address.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { admit } from "./admission.ts";
import { match } from "./router.ts";
import { makeSecret, withMember } from "./secrets.ts";
import { splitTarget } from "./target.ts";

export type Batch = { atomic: boolean; operations: AskedInBatch[] };

type Prepared = {
  /** Null where no operation has that path. */
  operation: string | null;
  input?: Record<string, unknown>;
  problem?: Problem;
  /** The member of the answer that shows the operation's secret. */
  member?: string | undefined;
  /** Why it belongs in no batch. */
  unfit?: string;
};

/** What SQL is given, and the members that show secrets, one an operation. */
export function prepareBatch(
  { atomic, operations }: Batch,
  settings: { allowed: AllowedRanges; master: MasterKey },
): { input?: Record<string, unknown>; problem?: Problem; members: (string | undefined)[] } {
  const prepared = operations.map((asked) => prepare(asked, settings));
  // By what was matched, not by how the path is spelled.
  const details = prepared.flatMap(({ unfit }, place) =>
    unfit ? [{ path: `body.operations.${place}.path`, message: unfit }] : [],
  );
  if (details.length > 0) return { problem: { code: "invalid_request", details }, members: [] };
  return {
    input: { atomic, operations: prepared.map(({ member, ...rest }) => rest) },
    members: prepared.map(({ member }) => member),
  };
}

function prepare(asked: AskedInBatch, settings: { allowed: AllowedRanges; master: MasterKey }): Prepared {
  const { path, query } = splitTarget(asked.path);
  const matched = match(asked.method, path);
  if (matched.found === "nothing") return { operation: null, problem: { code: "not_found" } };
  const unfit = unfitness(matched.found === "path" ? matched.nearest : matched.operation);
  if (unfit) return { operation: null, unfit };
  if (matched.found === "path") return { operation: matched.nearest.name, problem: { code: "not_supported" } };
  const { operation, params } = matched;
  const admission = admit(
    {
      operation,
      params,
      path,
      query,
      body: { value: asked.body ?? {}, canonical: "" },
      idempotencyKey: "the batch's own", // one for the whole
    },
    settings,
  );
  if (admission.problem) return { operation: operation.name, problem: admission.problem };
  const secret = operation.secret && makeSecret(operation.secret, settings.master);
  return {
    operation: operation.name,
    input: { ...admission.input, ...secret?.stored },
    member: secret?.member,
  };
}

function unfitness(operation: Operation): string | undefined {
  if (isBatch(operation)) return "must not be a batch itself";
  return operation.stream ? "must not be a stream" : undefined;
}

type Performed = { status: number; body: string } | { refusal: RefusalCode; details: Detail[] | null };

/** The answer, from what api.batch did; a replay comes to the same. */
export function wordBatch(
  performed: string,
  { operations }: Pick<Batch, "operations">,
  members: (string | undefined)[],
  requestId: string,
): string {
  const results = (JSON.parse(performed) as Performed[]).map((each, place) => {
    const [status, body] =
      "refusal" in each
        ? [refusals[each.refusal].status, envelope(each.refusal, requestId, each.details)]
        : [each.status, withMember(each.body, members[place])];
    return `{"id":${JSON.stringify(operations[place]?.id ?? null)},"status":${status},"body":${body}}`;
  });
  return `{"results":[${results.join(",")}]}`;
}

export function isBatch(operation: Operation): boolean {
  return operation.name === "batch";
}
