/** `X-Botstead-Reason`: each reason of each operation is provoked alone, in a replay, and in a batch. */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { refusal } from "../../src/api/stages/respond.ts";
import { type Limit, limits } from "../../src/contract/limits.ts";
import { isReason, type Reason, reasons } from "../../src/contract/reasons.ts";
import { expectRefusal } from "../support/answers.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { readSource } from "../support/source-rules.ts";
import { codesOf, type Documented, readDocument } from "./document.ts";
import { makeContractFixture } from "./fixture.ts";
import { type Provoked, type Setting, ways } from "./reasons.ts";

const { operations } = readDocument(openApiDocument("http://127.0.0.1:3000"));
const suite: Setting["suite"] = ownApiOfFile();

/** Posts to hooks: hook-inbox.test.ts. */
const listed = operations
  .filter(({ id }) => id !== "receive_hook" && id !== "get_contract")
  .flatMap((operation) =>
    operation.reasons
      .filter((reason) => reason in ways)
      .map((reason) => [operation.id, reason as Provoked, operation] as const),
  );

test.each(listed)("%s refuses with %s, and replays it", async (_id, reason, operation) => {
  const setting = await prepared(operation);
  const body = await setting.fixture.example(operation);
  const changes = { body, ...(await ways[reason](setting)), idempotencyKey: "once" };
  expectRefusal(await setting.fixture.send(operation, changes), reason);
  const again = await setting.fixture.send(operation, changes);
  expectRefusal(again, reason);
  const isReplayed = operation.method === "POST" && reason !== "organisation_suspended";
  expect(again.headers.get("idempotent-replayed")).toBe(isReplayed ? "true" : null);
});

const inNoBatch = ["batch", "watch_run", "make_export_part"];
const inBatch = listed.filter(([id, reason, operation]) => {
  return !operation.platform && !inNoBatch.includes(id) && reason !== "organisation_suspended";
});

test.each(inBatch)("%s refuses with %s in a batch, and undoes an atomic one", async (_id, reason, operation) => {
  const setting = await prepared(operation);
  const { id, body, headers, ...others } = await ways[reason](setting);
  const ifMatch = headers?.["if-match"];
  const path = operation.path.replace(/\{\w+\}/, id ?? (await setting.fixture.pathId(operation)));
  const example = body ?? (await setting.fixture.example(operation));
  const operations = [
    { method: "GET", path: "/me" },
    { method: operation.method, path, ...(example ? { body: example } : {}), ifMatch },
  ];
  const key = setting.fixture.admin;
  const reply = await suite.api.call("POST", "/batch", { key, ...others, body: { operations } });
  expect(reply.body.results.map((each: { reason: string | null }) => each.reason)).toEqual([null, reason]);
  expect(reply.headers.get("x-botstead-reason")).toBeNull();
  const undone = await suite.api.call("POST", "/batch", { key, ...others, body: { atomic: true, operations } });
  expect(undone.body.results).toMatchObject([
    { status: 409, reason: "batch_undone" },
    { status: reply.body.results[1].status, reason },
  ]);
});

test("every reason belongs to an operation, to a result of a batch, or to a portal session", () => {
  const met = new Set(operations.flatMap((operation) => operation.reasons));
  expect(Object.keys(reasons).filter((reason) => !met.has(reason as Reason))).toEqual([
    "outside_portal_session",
    "csrf_token_missing",
    "batch_undone",
  ]);
});

/** Occurs only for runs of routines: in jobs, in calls of executors, and on approval pages. */
const internalReason = "limit_routine_starts";

test("the rows of app.limits and the contract list the same limits in the same order, with the same defaults and reasons", async () => {
  const rows = await suite.db.sql(
    `select name, coalesce(to_jsonb(maximum), to_jsonb(default_from)) as default, nullif(reason, $1) as reason
     from app.limits order by position`,
    [internalReason],
  );
  expect(rows).toEqual(
    Object.entries<Limit>(limits).map(([name, { reason = null, default: usual }]) => ({
      name,
      default: usual,
      reason,
    })),
  );
  const refused = Object.values<Limit>(limits).flatMap(({ refuses }) => refuses ?? []);
  expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(refused));
});

test("SQL raises no reason outside the contract but limit_routine_starts, which no answer carries", () => {
  const raised = Object.entries(readSource())
    .filter(([file]) => file.startsWith("sql/"))
    .flatMap(([, text]) => [...text.matchAll(/reason => (case[\s\S]*?\bend\b|'\w+')/g)])
    .flatMap(([, words = ""]) => [...words.matchAll(/(?:^|then |else )'(\w+)'/g)].map(([, word = ""]) => word));
  expect(raised).toContain("last_owner");
  expect(raised.filter((word) => !isReason(word))).toEqual([]);
  const { headers } = refusal("quota_exceeded", "00000000-0000-7000-8000-000000000000", null, internalReason);
  expect(headers).not.toHaveProperty("x-botstead-reason");
});

test("an operation lists a reason for each refusal that has one", () => {
  const codesWith = new Set(Object.values(reasons).map(({ code }) => code as string));
  for (const operation of operations) {
    const explained = new Set(operation.reasons.map((reason) => reasons[reason].code));
    const codes = Object.values(operation.responses).flatMap((response) => codesOf(response) ?? []);
    expect([operation.id, ...explained].toSorted()).toEqual(
      [operation.id, ...codes.filter((code) => codesWith.has(code))].toSorted(),
    );
  }
});

async function prepared(operation: Documented): Promise<Setting> {
  const fixture = await makeContractFixture(suite.db, suite.api);
  await fixture.prepare(operation);
  return { fixture, operation, suite };
}
