/**
 * Property test of taint: an executor and a person act in any order, and outside text is never stored untainted or
 * unapproved. (docs/specification/runs.md#taint)
 */
import fc from "fast-check";
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { linkOf, press } from "../support/approvals.ts";
import { setLimits, type TestDatabase, testDatabase } from "../support/database.ts";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";

let db: TestDatabase;
let api: TestApi;
let pool: Pool;

beforeAll(async () => {
  db = await testDatabase();
  const plenty = { ...specified, key: 1e9, organisation: 1e9, address: 1e9 };
  api = await testApi(db, {}, makeRateLimiter(Date.now, plenty));
  pool = db.poolAs("runner");
});
afterAll(async () => {
  await api?.stop();
  await db?.drop();
});

/** Text from outside, also when repeated. */
const ink = "INK";
/** Private text of the person. */
const secret = "SECRET";

type Step =
  | { kind: "start"; untrusted: boolean; bot: number }
  | { kind: "lease" | "recall" | "step" | "ask" | "block" | "finish" | "fail" | "lose"; run: number }
  | { kind: "propose"; run: number; scope: string; pretence: object }
  | { kind: "spawn"; run: number; bot: number }
  | { kind: "answer"; approval: number; approve: boolean }
  | { kind: "expire"; approval: number }
  | { kind: "resume"; untrusted: boolean };

const run = fc.nat(3);
const bot = fc.nat(1);
const of = <Name extends string>(...names: Name[]) => fc.record({ kind: fc.constantFrom(...names), run });
const pretence = fc.constantFrom(
  {},
  { provenance: "run" },
  { source: "api", taint: false },
  { run_id: null, runId: null },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("start" as const), untrusted: fc.boolean(), bot }) },
    { weight: 4, arbitrary: of("lease") },
    { weight: 3, arbitrary: of("recall", "ask", "block", "finish", "finish", "step", "fail", "lose") },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("propose" as const),
        run,
        scope: fc.constantFrom("organisation", "bot", "member"),
        pretence,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("spawn" as const), run, bot }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("answer" as const), approval: fc.nat(9), approve: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("expire" as const), approval: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("resume" as const), untrusted: fc.boolean() }) },
  ),
  { minLength: 10, maxLength: 40 },
);

/** A fixed sequence in which every checked case occurs. */
const plain: Step[] = [
  { kind: "start", untrusted: false, bot: 0 },
  { kind: "lease", run: 0 },
  { kind: "propose", run: 0, scope: "organisation", pretence: {} },
  { kind: "spawn", run: 0, bot: 1 },
  { kind: "finish", run: 0 },
  { kind: "start", untrusted: false, bot: 0 },
  { kind: "lease", run: 0 }, // results of spawned runs
  { kind: "lease", run: 0 }, // the result of the first
  { kind: "finish", run: 1 },
  { kind: "finish", run: 2 },
  { kind: "start", untrusted: true, bot: 1 },
  { kind: "lease", run: 0 },
  { kind: "propose", run: 3, scope: "bot", pretence: {} },
  { kind: "spawn", run: 3, bot: 0 },
  { kind: "finish", run: 3 },
  { kind: "answer", approval: 0, approve: true },
  { kind: "answer", approval: 1, approve: true },
];

/** Refusals are expected; any other error is a fault. */
const refusals = ["OA001", "OA002"];
async function tried<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: { code?: string }) => {
    if (!refusals.includes(error.code ?? "")) throw error;
    return undefined;
  });
}

/** Cases that occurred in all sequences together, to prove that the property was tested. */
const seen = { approvedMemories: 0, cleanMemories: 0, taintedSpawned: 0, cleanSpawned: 0, history: 0 };

type Fixture = Workplace & { bots: string[]; leased: Assignment[]; inked: Set<string>; said: number };

async function makeFixture(): Promise<Fixture> {
  const at = await workplace({ db, api }, pool);
  await setLimits(db, at.who.organisation.id, { runStartsPerHour: 1000000 });
  const other = (await at.who.ask("POST", "/bots", { name: "Other", model: at.model })).body.id as string;
  await db.sql(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
     values ($1, 'member', $2, 'note', 'harbour', $3, 'member', 'app')`,
    [at.who.organisation.id, at.who.organisation.ownerId, `harbour ${secret}`],
  );
  return { ...at, bots: [at.who.bot, other], leased: [], inked: new Set(), said: 0 };
}

/** The executor repeats outside text if its run may contain some. */
const words = (at: Fixture, { runId }: Assignment) => `harbour ${++at.said}${at.inked.has(runId) ? ` ${ink}` : ""}`;

/** Checks an assignment against what the run may contain. */
function hear(at: Fixture, run: Assignment): void {
  const all = JSON.stringify(run);
  if (run.taint) {
    at.inked.add(run.runId);
    expect(new Set(run.messages.map(({ runId }) => runId))).toEqual(new Set([run.runId]));
  } else {
    expect(all).not.toContain(ink);
    if (new Set(run.messages.map(({ runId }) => runId)).size > 1) seen.history += 1;
  }
  expect(run.capabilities.includes("remember")).toBe(!run.taint);
  expect(run.capabilities.includes("start_run")).toBe(!run.taint);
  at.leased.push(run);
}

async function perform(at: Fixture, step: Step): Promise<void> {
  const { executor, who } = at;
  if (step.kind === "start") {
    const message = step.untrusted ? `harbour ${ink}` : `harbour ${secret}`;
    await who.ask("POST", "/runs", { botId: at.bots[step.bot], message, untrusted: step.untrusted });
  } else if (step.kind === "lease") {
    const run = await executor.lease();
    if (run) hear(at, run);
  } else if (step.kind === "answer" || step.kind === "expire") {
    const approvals = await db.sql<{ id: string }>(
      "select id from app.approvals where organisation_id = $1 order by id",
      [who.organisation.id],
    );
    const id = approvals[step.approval % Math.max(approvals.length, 1)]?.id;
    if (!id) return;
    if (step.kind === "expire") await db.sql("update app.approvals set expires_at = now() where id = $1", [id]);
    else await press(api, await linkOf(db, id), step.approve ? "approved" : "refused");
  } else if (step.kind === "resume") {
    const [blocked] = await db.sql<{ id: string }>(
      "select id from app.runs where organisation_id = $1 and state = 'blocked' limit 1",
      [who.organisation.id],
    );
    const message = step.untrusted ? `harbour ${ink}` : `harbour ${secret}`;
    if (blocked) await who.ask("POST", `/runs/${blocked.id}/resume`, { message, untrusted: step.untrusted }, "mayFail");
  } else {
    const leased = at.leased[step.run % Math.max(at.leased.length, 1)];
    if (leased) await work(at, leased, step);
  }
}

async function work(
  at: Fixture,
  leased: Assignment,
  step: Exclude<Step, { kind: "start" | "answer" | "expire" | "resume" }>,
) {
  const { executor } = at;
  const text = words(at, leased);
  if (step.kind === "propose") {
    const memory = { ...step.pretence, scope: step.scope, kind: text, subject: text, value: text };
    await tried(executor.propose(leased, memory));
  } else if (step.kind === "spawn") await tried(executor.start(leased, at.bots[step.bot] ?? "", text));
  else if (step.kind === "ask") await tried(executor.ask(leased, text, text));
  else if (step.kind === "block") await tried(executor.block(leased, text));
  else if (step.kind === "finish") await tried(executor.finish(leased, text));
  else if (step.kind === "fail") await tried(executor.fail(leased));
  else if (step.kind === "step") await tried(executor.step(leased));
  else if (step.kind === "lose")
    await db.sql("update app.runs set lease_until = now() where lease_id = $1", [leased.leaseId]);
  else if (step.kind === "recall") {
    const memories = (await tried(executor.searchMemories(leased, "harbour", 100))) ?? [];
    if (leased.taint) expect(JSON.stringify(memories)).not.toContain(secret);
  }
}

/** Checks all memories and runs of the organisation. */
async function nothingLaundered({ who, inked }: Fixture): Promise<void> {
  const { id } = who.organisation;
  const memories = await db.sql<{
    text: string;
    provenance: string;
    tainted: boolean | null;
    approved: number;
    parent: boolean;
  }>(
    `select memory.kind || memory.subject || memory.value as text, memory.provenance, run.taint as tainted,
       (select count(*)::int from app.approvals approval
        where approval.run_id = run.id and approval.kind = 'memory' and approval.state = 'approved'
          and approval.person_id = memory.created_by and approval.proposal ->> 'value' = memory.value) as approved
     from app.memories memory left join app.runs run on run.id = memory.run_id
     where memory.organisation_id = $1`,
    [id],
  );
  for (const { text, provenance, approved } of memories) {
    if (text.includes(ink)) expect([provenance, approved]).toEqual(["run-tainted", 1]);
    if (provenance === "run-tainted") seen.approvedMemories += 1;
    if (provenance === "run") seen.cleanMemories += 1;
  }
  const runs = await db.sql<{ id: string; taint: boolean; heard: boolean; parent: boolean | null; approved: number }>(
    `select run.id, run.taint, parent.taint as parent,
       exists (select from app.messages message where message.run_id = run.id and message.text like '%${ink}%') as heard,
       (select count(*)::int from app.approvals approval
        where approval.run_id = parent.id and approval.kind = 'run' and approval.state = 'approved') as approved
     from app.runs run left join app.runs parent on parent.id = run.parent_run_id
     where run.organisation_id = $1`,
    [id],
  );
  for (const { id: runId, taint, heard, parent, approved } of runs) {
    if (heard || inked.has(runId)) expect(taint).toBe(true);
    if (parent && taint) expect(approved).toBeGreaterThan(0);
    if (parent !== null) seen[taint ? "taintedSpawned" : "cleanSpawned"] += 1;
  }
}

test("no sequence of actions stores outside text as an untainted or unapproved memory", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const at = await makeFixture();
      for (const step of sequence) await perform(at, step);
      await nothingLaundered(at);
      await db.sql("delete from app.executors where id = $1", [at.executor.id]);
    }),
    { numRuns: 60, examples: [[plain]] },
  );
  for (const [what, times] of Object.entries(seen)) expect([what, times > 0]).toEqual([what, true]);
});

describe("the messages of a conversation", () => {
  async function talked(...untrusted: boolean[]) {
    const at = await workplace({ db, api }, pool);
    let last: Assignment | undefined;
    for (const [number, each] of untrusted.entries()) {
      const message = `${each ? ink : secret} ${number}`;
      await at.who.ask("POST", "/runs", { botId: at.who.bot, message, untrusted: each });
      last = await leased(at.executor);
      if (number < untrusted.length - 1) await at.executor.finish(last, `Answer to ${message}`);
    }
    return last?.messages.map(({ text }) => text);
  }

  test("of untainted runs are part of later assignments", async () => {
    expect(await talked(false, false)).toEqual([`${secret} 0`, `Answer to ${secret} 0`, `${secret} 1`]);
  });
  test("of a tainted run, and its answer, are not part of other assignments", async () => {
    expect(await talked(false, true, false)).toEqual([`${secret} 0`, `Answer to ${secret} 0`, `${secret} 2`]);
  });
  test("before a tainted run are not part of its assignment", async () => {
    expect(await talked(false, true, true)).toEqual([`${ink} 2`]);
  });
});

test("searchMemories returns a person's memories in untainted runs only", async () => {
  for (const untrusted of [false, true]) {
    const at = await workplace({ db, api }, pool);
    await db.sql(
      `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source)
       select $1, scope::app.memory_scope, case scope when 'member' then $2::uuid end, 'note', 'harbour', scope, 'member', 'app'
       from unnest(array['member', 'organisation']) scope`,
      [at.who.organisation.id, at.who.organisation.ownerId],
    );
    await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "harbour", untrusted });
    const run = await leased(at.executor);
    const values = (await at.executor.searchMemories(run, "harbour")).map(({ value }) => value).toSorted();
    expect(values).toEqual(untrusted ? ["organisation"] : ["member", "organisation"]);
    expect(run.capabilities).toEqual(
      untrusted
        ? ["recall", "ask_approval", "block", "propose"]
        : ["recall", "ask_approval", "block", "remember", "start_run"],
    );
  }
});
