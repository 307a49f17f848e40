/**
 * Each parameter of each function for executors, with values beyond its bounds. The names are compared with the catalogue, so
 * that a new parameter needs a case here.
 */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { makeExecutor } from "../support/database.ts";
import { workInProgress } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const id = () => randomUUID();
const noRun = {} as Assignment;
const long = (length: number) => "x".repeat(length);
const memory = { scope: "organisation", kind: "fact", subject: "The pier", value: "It is blue." };
const invalid = { code: "OA001", message: "invalid_request" };
const [bounds, check, nulls, words, lost] = ["22023", "23514", "23502", "22P02", "OA002"].map((code) => ({ code }));

/** Valid arguments, in order. The first ones of a run's functions are its lease. */
const accepted: Record<string, Record<string, unknown>> = {
  heartbeat: { executor: id(), name: "x", models: ["x"] },
  deregister: { executor: id() },
  lease_run: { executor: id(), lease: "30 seconds", share: 1 },
  renew: { until: "30 seconds" },
  search_memories: { question: "x", at_most: 5 },
  step: { kind: "x", input_tokens: 0, output_tokens: 0, spend_micro_cents: 0, model: null },
  keyed_step: {
    ...{ key: "x", kind: "x", input_tokens: 0, output_tokens: 0, spend_micro_cents: 0, model: null },
    ...{ result: null, memories: [] },
  },
  delta: { after: 0, text: "x", memories: [] },
  finish: { answer: "x", memories: [] },
  fail: { code: "refused" },
  block: { reason: "x" },
  propose_memory: { memory },
  ask_approval: { question: "x", reason: "x", expires_in: "3 days" },
  start_run: { bot: null, message: "x" },
  priced_models: {},
};
const ofRuns = Object.keys(accepted).filter(
  (name) => !["heartbeat", "deregister", "lease_run", "priced_models"].includes(name),
);

const times = [
  "infinity",
  "-infinity",
  "tomorrow",
  "epoch",
  "2999-01-01",
  "2999-01-01T00:00:00",
  "2999-01-01T00:00:00 CET",
  "10000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.9999Z",
  "9999-12-31T23:59:59-01:00",
  "0001-01-01T00:00:00+01:00",
  "0044-03-15T00:00:00Z BC",
  "",
  1,
];
const memories: unknown[] = [
  ...["scope", "kind", "subject", "value"].flatMap((field) =>
    [undefined, null, "", 1, ["x"], { x: 1 }].map((value) => ({ ...memory, [field]: value })),
  ),
  { ...memory, scope: "everybody" },
  { ...memory, kind: long(61) },
  { ...memory, subject: long(201) },
  { ...memory, value: long(4001) },
  ...["everybody", 1].map((subjectKind) => ({ ...memory, subjectKind })),
  ...["whim", []].map((lawfulBasis) => ({ ...memory, lawfulBasis })),
  ...[-0.1, 1.1, 1e300, "0.5", "NaN", true].map((confidence) => ({ ...memory, confidence })),
  ...times.map((validTo) => ({ ...memory, validTo })),
  [memory],
  "memory",
  null,
];

type Case = [name: string, parameter: string, values: unknown[], refused: object | undefined];
const leases = [null, "0 seconds", "-1 second", "3601 seconds", "infinity", "-infinity"];
const counts = [-1, 10_000_001, 2_147_483_647, null];

const cases: Case[] = [
  ["heartbeat", "executor", [null], nulls],
  ["heartbeat", "name", ["", long(121), null], bounds],
  ["heartbeat", "models", [null, [null], [""], [long(101)], Array(1001).fill("x"), [["x"], [""]]], bounds],
  ["lease_run", "lease", leases, bounds],
  ["lease_run", "share", [0, -1, 1001, null], bounds],
  ["renew", "until", leases, bounds],
  ["search_memories", "question", ["", long(32_001), null], bounds],
  ["search_memories", "at_most", [0, -1, 201, 2_147_483_647, null], bounds],
  ...["step", "keyed_step"].flatMap((name): Case[] => [
    [name, "kind", ["", long(61), null], bounds],
    [name, "input_tokens", counts, bounds],
    [name, "output_tokens", counts, bounds],
    [name, "spend_micro_cents", [-1, 100_000_000_001, "9223372036854775807", null], bounds],
    [name, "model", ["without a price", "", long(101)], bounds],
  ]),
  ["keyed_step", "key", ["", long(201), null], bounds],
  ["keyed_step", "result", [JSON.stringify(long(262_143))], { code: "OA001", message: "quota_exceeded" }],
  ["keyed_step", "result", ["{"], words],
  ["keyed_step", "memories", [null, [null], Array.from({ length: 101 }, id)], bounds],
  ["delta", "after", [-1, 32_000, 2_147_483_647, null], bounds],
  ["delta", "text", ["", long(1001), null], bounds],
  ["delta", "memories", [null, [null], Array.from({ length: 101 }, id)], bounds],
  ["finish", "answer", ["", long(32_001)], check],
  ["finish", "answer", [null], nulls],
  ["finish", "memories", [null, [null], Array.from({ length: 101 }, id)], bounds],
  ["fail", "code", [null, "budget_steps", "executor_lost"], bounds],
  ["fail", "code", ["whim"], words],
  ["block", "reason", ["", long(32_001)], check],
  ["block", "reason", [null], nulls],
  ["propose_memory", "memory", memories.map((each) => JSON.stringify(each)), invalid],
  ["ask_approval", "question", ["", long(2001), null], bounds],
  ["ask_approval", "reason", ["", long(2001), null], bounds],
  ["ask_approval", "expires_in", [null, "0", "-1 day", "59 seconds", "31 days", "infinity", "-infinity"], bounds],
  ["start_run", "bot", [null, id()], { code: "OA001", message: "not_found" }],
  ["start_run", "message", ["", long(32_001), null], invalid],
  ...ofRuns.flatMap((name) =>
    ["organisation", "run", "lease"].map((parameter): Case => [name, parameter, [null, id()], lost]),
  ),
];

/** Unknown ids are not an error here. */
const harmless = [
  ["deregister", "executor"],
  ["lease_run", "executor"],
];

test("every parameter of every function for executors has a case", async () => {
  const parameters = await office.db.sql<{ name: string; parameter: string | null }>(
    `select function.proname as name, parameter
     from pg_proc function left join lateral unnest(function.proargnames) parameter on true
     where function.pronamespace = 'runner'::regnamespace and has_function_privilege('runner', function.oid, 'execute')`,
  );
  const tried = new Set([...cases, ...harmless].map(([name, parameter]) => `${name}.${parameter}`));
  const missing = parameters.filter(({ name, parameter }) => parameter && !tried.has(`${name}.${parameter}`));
  expect(missing).toEqual([]);
  expect([...new Set(parameters.map(({ name }) => name))].sort()).toEqual(Object.keys(accepted).sort());
});

/** A call with valid arguments except for some. */
async function call(name: string, of: Assignment, others: Record<string, unknown>) {
  const lease = { organisation: of.organisationId, run: of.runId, lease: of.leaseId };
  const given = { ...(ofRuns.includes(name) ? lease : {}), ...accepted[name], ...others };
  const [names, values] = [Object.keys(given), Object.values(given)];
  const list = names.map((parameter, index) => `${parameter} => $${index + 1}`).join(", ");
  return (await pool.query(`select runner.${name}(${list}) as answer`, values)).rows[0].answer;
}

describe.each([false, true])("for a run with taint %s", (untrusted) => {
  let run: Assignment;
  let bot: string;
  beforeAll(async () => {
    const at = await workInProgress(office, pool, { untrusted });
    run = at.run;
    bot = at.who.bot;
  });

  test.each(cases)(
    "%s refuses its %s beyond the bounds, and the run continues",
    async (name, parameter, values, refused) => {
      for (const value of values) {
        const others = name === "start_run" && parameter === "message" ? { bot } : {};
        await expect(call(name, run, { ...others, [parameter]: value })).rejects.toMatchObject(refused ?? {});
      }
      const [row] = await office.db.sql(
        `select state, steps, spend_micro_cents::integer as spend,
         (select count(*)::integer from app.memories where run_id = run.id) as memories
       from app.runs run where id = $1`,
        [run.runId],
      );
      expect(row).toEqual({ state: "running", steps: 0, spend: 0, memories: 0 });
    },
  );
});

test("functions for executors accept values just within the bounds", async () => {
  const { run } = await workInProgress(office, pool);
  await call("heartbeat", run, { name: long(120), models: Array.from({ length: 1000 }, () => long(100)) });
  for (const until of ["1 second", "1 hour"]) await call("renew", run, { until });
  await call("search_memories", run, { question: long(32_000), at_most: 200 });
  for (const validTo of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2999-01-01T00:00+14:00", null]) {
    const other = { ...memory, kind: long(60), subject: long(200), value: long(4000), validTo, confidence: 0.5 };
    expect(await call("propose_memory", run, { memory: { ...other, scope: "bot" } })).toHaveProperty("memoryId");
  }
  const tokens = { input_tokens: 10_000_000, output_tokens: 10_000_000 };
  expect(await call("step", run, { kind: long(60), ...tokens })).toBe("running");
  const keyed = { key: long(200), kind: long(60), ...tokens, result: JSON.stringify(long(262_142)) };
  expect(await call("keyed_step", run, keyed)).toMatchObject({ state: "running", repeated: false, kept: true });
  expect(await call("finish", run, { answer: long(32_000) })).toBe("completed");
});

describe("finish accepts citations of", () => {
  const answerOf = (run: Assignment) =>
    office.db.sql("select text, memory_ids as cited from app.messages where run_id = $1 and author = 'bot'", [
      run.runId,
    ]);

  test("up to 100 memories that the run can read", async () => {
    const { run, who } = await workInProgress(office, pool);
    const cited: string[] = [];
    for (const scope of [{ scope: "organisation" }, { scope: "bot", botId: who.bot }]) {
      cited.push((await who.ask("POST", "/memories", { ...memory, ...scope })).body.id);
    }
    cited.push((await call("propose_memory", run, { memory: { ...memory, scope: "member" } })).memoryId);
    const all = Array.from({ length: 100 }, (_, number) => cited[number % cited.length]);
    expect(await call("finish", run, { memories: all })).toBe("completed");
    expect(await answerOf(run)).toEqual([{ text: "x", cited: all }]);
  });

  test("no memory of another bot or member, and in a tainted run none of its person", async () => {
    const [{ run, who }, tainted] = [
      await workInProgress(office, pool),
      await workInProgress(office, pool, { untrusted: true }),
    ];
    const other = (await who.ask("POST", "/bots", { name: "Other" })).body.id;
    const ofBot = (await who.ask("POST", "/memories", { ...memory, scope: "bot", botId: other })).body.id;
    const ofMember = async (of: Assignment, member: string) => {
      const [row] = await office.db.sql<{ id: string }>(
        `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
         values ($1, 'member', $2, 'fact', 'The pier', 'It is blue.', 'member', 'api') returning id`,
        [of.organisationId, member],
      );
      return row?.id;
    };
    const person = tainted.who.organisation.ownerId;
    for (const [of, cited] of [
      [run, ofBot],
      [run, await ofMember(run, person)],
      [tainted.run, await ofMember(tainted.run, person)],
    ] as const) {
      await expect(call("finish", of, { memories: [cited] })).rejects.toMatchObject(bounds ?? {});
    }
  });

  test("no memory of another organisation, which blanks the answer like an erased one", async () => {
    const [{ run }, other] = [await workInProgress(office, pool), await workInProgress(office, pool)];
    const foreign = (await other.who.ask("POST", "/memories", memory)).body.id;
    expect(await call("finish", run, { memories: [foreign] })).toBe("completed");
    expect(await answerOf(run)).toEqual([{ text: "", cited: [] }]);
  });
});

test("propose_memory writes at most 50 memories of a run, also over two connections at once", async () => {
  const { run } = await workInProgress(office, pool);
  const proposed = await Promise.allSettled(
    Array.from({ length: 60 }, (_, number) =>
      call("propose_memory", run, { memory: { ...memory, subject: `Pier ${number}` } }),
    ),
  );
  const refused = proposed.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  expect(refused.map(({ reason }) => reason.message)).toEqual(Array(10).fill("quota_exceeded"));
  const [row] = await office.db.sql("select count(*)::integer as memories from app.memories where run_id = $1", [
    run.runId,
  ]);
  expect(row).toEqual({ memories: 50 });
  // A repeated proposal gets the first result.
  expect(await call("propose_memory", run, { memory: { ...memory, subject: "Pier 0" } })).toHaveProperty("memoryId");
});

/** Registers a new executor, again while others register. Returns the code of a refusal. */
async function register(): Promise<string | undefined> {
  const refusal = await call("heartbeat", noRun, { executor: id() }).then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
  return refusal === "55P03" ? register() : refusal;
}

test("heartbeat registers at most 500 executors, also concurrently, and accepts registered ones", async () => {
  const [row] = await office.db.sql<{ count: number }>("select count(*)::integer as count from app.executors");
  const free = 500 - (row?.count ?? 0);
  await Promise.all(Array.from({ length: free - 5 }, () => makeExecutor(office.db, ["crowd"])));
  const open = office.db.poolAs("runner", 1);
  await open.query("begin");
  await open.query("select pg_current_xact_id()"); // no longer alone: it locks out others
  await open.query("select runner.heartbeat($1, 'open', '{crowd}')", [id()]);
  await expect(call("heartbeat", noRun, { executor: id() })).rejects.toMatchObject({ code: "55P03" });
  await open.query("rollback");

  const late = await Promise.all(Array.from({ length: 20 }, register));
  expect(late.toSorted()).toEqual([...Array(15).fill("22023"), ...Array(5).fill(undefined)]);
  const [some] = await office.db.sql<{ id: string }>("select id from app.executors limit 1");
  await call("heartbeat", noRun, { executor: some?.id });
  await office.db.sql("delete from app.executors where models = '{crowd}'");
});

test("the month's sum stops at its maximum, and later steps do not fail", async () => {
  const { run, who, executor } = await workInProgress(office, pool);
  await office.db.sql(
    `insert into app.monthly_usage (organisation_id, month, spend_micro_cents)
     values ($1, date_trunc('month', now() at time zone 'UTC'), 8999999999999990)`,
    [who.organisation.id],
  );
  expect(await executor.step(run, 100)).toBe("running");
  expect(await executor.step(run, 100)).toBe("running");
  expect((await who.ask("GET", "/me")).body.limits.monthlySpendMicroCents.used).toBe(9_000_000_000_000_000);
  expect(await executor.finish(run)).toBe("completed");
});
