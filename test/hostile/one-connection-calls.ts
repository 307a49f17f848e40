/** Calls of two organisations on one connection: successful, refused and failed ones, each with its expected result. */
import { hash, randomUUID } from "node:crypto";
import { bodyOf } from "../../src/api/body.ts";
import { callHandle, type Result } from "../../src/api/stages/call.ts";
import { validateInput } from "../../src/api/stages/validate.ts";
import { operations } from "../../src/contract/operations.ts";
import type { ApiPools } from "../../src/database/connections/api-pools.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import type { TestKey } from "../support/database.ts";

/** Every text of the organisation contains its mark. */
export type Tenant = { mark: string; organisationId: string; key: TestKey; bot: string; memories: Written[] };
type Written = { subject: string; requestId: string };

/** The result of an operation as the API calls it, or the code of the database's error. */
type Outcome = { requestId: string; result?: Result; failed?: string };

export function ask(
  pools: ApiPools,
  { key }: Pick<Tenant, "key">,
  name: string,
  {
    id,
    body = {},
    query = "",
    raw,
    once,
  }: { id?: string; body?: object; query?: string; raw?: object; once?: string } = {},
): Promise<Outcome> {
  const operation = operations.find((each) => each.name === name);
  if (!operation) throw new Error(`There is no operation ${name}.`);
  const validated = validateInput(
    {
      operation,
      params: id ? { id } : {},
      path: operation.path,
      query: new URLSearchParams(query),
      body: bodyOf({ ...body }),
    },
    { allowed: { ranges: [], hosts: [] }, hasDirectory: false },
  );
  const requestId = randomUUID();
  const idempotencyKey = once ?? (operation.method === "post" ? requestId : undefined);
  const digest = idempotencyKey ? hash("sha256", `${key.text} ${idempotencyKey}`, "buffer") : undefined;
  const call = {
    credential: key.digest,
    address: undefined,
    operation,
    requestId,
    input: raw ? { ...raw } : validated.input,
    problem: raw ? undefined : validated.problem,
    idempotency: digest,
    fingerprint: digest,
  };
  return callHandle(pools, "point", call).then(
    (result) => ({ requestId, result }),
    (error: { code?: string }) => ({ requestId, failed: error.code ?? String(error) }),
  );
}

export type Kind = {
  name: string;
  /** Returns the fault as a sentence. */
  call(pools: ApiPools, mine: Tenant, theirs: Tenant, turn: number): Promise<string | undefined>;
};

export const leaked = (said: string, { mark, organisationId, bot }: Tenant) =>
  said.includes(mark) || said.includes(organisationId) || said.includes(bot);
/** Calls without effect, by cause. */
export const count = { refused: 0, failed: 0, cancelled: 0 };

/** A call that was cancelled has no effect and no result. */
function wasCancelled(failed: string | undefined): boolean {
  if (failed === "57014") count.cancelled += 1;
  return failed === "57014";
}

/** Executed for `mine`, with its mark and without text of `theirs`; or cancelled. */
function expectOwn({ result, failed }: Outcome, mine: Tenant, theirs: Tenant): string | undefined {
  if (wasCancelled(failed)) return undefined;
  if (!result?.status) return `failed: ${failed ?? result?.refusal}`;
  if (leaked(result.body, theirs)) return `shows what is another's: ${result.body.slice(0, 200)}`;
  return result.body.includes(mine.mark) ? undefined : `does not show its own: ${result.body.slice(0, 200)}`;
}

function expectRefused({ result, failed }: Outcome, theirs: Tenant, code: string): string | undefined {
  if (wasCancelled(failed)) return undefined;
  count.refused += 1;
  if (result?.refusal !== code) return `${failed ?? result?.refusal ?? result?.body} and not ${code}`;
  return leaked(JSON.stringify(result), theirs) ? "a refusal shows what is another's" : undefined;
}

export const kinds: Kind[] = [
  {
    name: "read",
    call: async (pools, mine, theirs) => expectOwn(await ask(pools, mine, "get_bot", { id: mine.bot }), mine, theirs),
  },
  {
    name: "organisation",
    call: async (pools, mine, theirs) => expectOwn(await ask(pools, mine, "get_own_organisation"), mine, theirs),
  },
  {
    name: "list",
    call: async (pools, mine, theirs) =>
      expectOwn(await ask(pools, mine, "list_memories", { query: "limit=200" }), mine, theirs),
  },
  {
    name: "search",
    call: async (pools, mine, theirs) => {
      const found = await ask(pools, mine, "list_memories", { query: `q=${mine.mark}+${theirs.mark}&limit=3` });
      return expectOwn(found, mine, theirs);
    },
  },
  {
    name: "write",
    call: async (pools, mine, theirs, turn) => {
      const subject = `${mine.mark} ${turn}`;
      const body = { scope: "organisation", kind: mine.mark, subject, value: mine.mark };
      const outcome = await ask(pools, mine, "create_memory", {
        body,
        once: turn % 3 === 0 ? subject : undefined,
      } as never);
      if (outcome.result?.status) mine.memories.push({ subject, requestId: outcome.requestId });
      return expectOwn(outcome, mine, theirs);
    },
  },
  {
    name: "another's id",
    call: async (pools, mine, theirs) =>
      expectRefused(await ask(pools, mine, "get_bot", { id: theirs.bot }), theirs, "not_found"),
  },
  {
    name: "another's id, written to",
    call: async (pools, mine, theirs) => {
      const body = { name: mine.mark };
      return expectRefused(await ask(pools, mine, "update_bot", { id: theirs.bot, body }), theirs, "not_found");
    },
  },
  {
    name: "a problem",
    call: async (pools, mine, theirs) => {
      return expectRefused(await ask(pools, mine, "create_memory", { body: { kind: 1 } }), theirs, "invalid_request");
    },
  },
  {
    name: "unknown",
    call: async (pools, _mine, theirs) => {
      const nobody = { key: { ...makeCredential("bsk"), id: "" } };
      return expectRefused(await ask(pools, nobody, "list_memories", { query: "limit=5" }), theirs, "unauthenticated");
    },
  },
  {
    name: "a failure",
    call: async (pools, mine) => {
      const { failed } = await ask(pools, mine, "get_bot", { raw: { id: "no-id" } });
      if (wasCancelled(failed)) return undefined;
      count.failed += 1;
      return failed === "22P02" ? undefined : `did not fail: ${failed}`;
    },
  },
];
