/** Leases of runs: one executor at a time, and recovery from lost executors. (docs/specification/runs.md#states) */

import type { Pool } from "pg";
import { pino } from "pino";
import { urlAs } from "../../src/database/urls.ts";
import type { Engine } from "../../src/runner/engine.ts";
import { recallEngine } from "../../src/runner/engines/recall.ts";
import { startExecutor } from "../../src/runner/executor.ts";
import { makeExecutor } from "../support/database.ts";
import { expireLease, handExecutor, leased, workplace } from "../support/hand-executor.ts";
import { customer, officeOfFile } from "../support/post-office.ts";
import { begun, terminateWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const log = pino({ level: "silent" });

test("a run of a silent executor is leased by another, which gets the recorded steps", async () => {
  const at = await workplace(office, pool);
  const other = await handExecutor(office.db, pool, [at.model]);
  const id = await at.who.run("Where is the harbour?");
  const first = await leased(at.executor);
  await at.executor.step(first, 5);
  expect(await other.lease()).toBeNull(); // until the lease expires
  await expireLease(office.db, id);
  const second = await leased(other);
  expect(second).toMatchObject({ runId: id, steps: 1, message: "Where is the harbour?" });
  expect(second.leaseId).not.toBe(first.leaseId);
  await other.step(second);
  await other.finish(second);
  expect((await at.who.ask("GET", `/runs/${id}`)).body).toMatchObject({
    state: "completed",
    steps: 2,
    spendMicroCents: 5,
  });
});

test("an executor with an expired lease writes nothing", async () => {
  const at = await workplace(office, pool);
  const other = await handExecutor(office.db, pool, [at.model]);
  const id = await at.who.run();
  const old = await leased(at.executor);
  await expireLease(office.db, id);
  const lease = await leased(other);
  const everything = () =>
    office.db.sql(
      `select run.*, (select count(*) from app.steps where run_id = run.id) as steps_written,
         (select count(*) from app.messages where run_id = run.id) as messages_written
       from app.runs run where run.id = $1`,
      [id],
    );
  const before = await everything();
  const attempts = [
    () => at.executor.step(old, 1),
    () => at.executor.finish(old, "Too late."),
    () => at.executor.fail(old),
    () => at.executor.renew(old),
    () => at.executor.searchMemories(old, "harbour"),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "OA002" });
  expect(await everything()).toEqual(before);
  expect(await other.step(lease)).toBe("running"); // the holder may, the late executor may not
  await other.finish(lease);
});

test("a lease is valid only for its run and organisation", async () => {
  const [one, two] = [await workplace(office, pool), await workplace(office, pool)];
  await one.who.run();
  await two.who.run();
  const [mine, theirs] = [await leased(one.executor), await leased(two.executor)];
  const stolen = { ...theirs, leaseId: mine.leaseId };
  await expect(one.executor.finish(stolen)).rejects.toMatchObject({ code: "OA002" });
  const foreign = { ...mine, organisationId: theirs.organisationId };
  await expect(one.executor.finish(foreign)).rejects.toMatchObject({ code: "OA002" });
  expect(await one.executor.finish(mine)).toBe("completed");
  expect(await two.executor.finish(theirs)).toBe("completed");
});

test("a run fails after its third lost executor", async () => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  for (let lost = 1; lost <= 2; lost += 1) {
    await leased(at.executor);
    await expireLease(office.db, id);
  }
  const third = await leased(at.executor); // two losses are allowed
  expect(await at.executor.step(third)).toBe("running");
  await expireLease(office.db, id);
  expect(await at.executor.lease()).toBeNull();
  expect((await at.who.ask("GET", `/runs/${id}`)).body).toMatchObject({
    state: "failed",
    steps: 1,
    error: { code: "executor_lost", message: "The executors that took the run went silent." },
  });
});

test("a lease that is renewed in time does not expire", async () => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  const run = await leased(at.executor);
  await office.db.sql("update app.runs set lease_until = now() + interval '1 second' where id = $1", [id]);
  await at.executor.renew(run);
  const [row] = await office.db.sql<{ long: boolean }>(
    "select lease_until > now() + interval '25 seconds' as long from app.runs where id = $1",
    [id],
  );
  expect(row).toEqual({ long: true });
  await at.executor.finish(run);
});

test("the engine of a cancelled run is aborted", async () => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  const run = await leased(at.executor);
  await at.who.ask("POST", `/runs/${id}/cancel`);
  await expect(at.executor.finish(run)).rejects.toMatchObject({ code: "OA002" });
  expect((await at.who.ask("GET", `/runs/${id}`)).body.state).toBe("cancelled");
});

test("an executor stops when it is stopped during its start", async () => {
  const connectionString = urlAs("runner", office.db.adminUrl, office.db.key);
  for (let times = 0; times < 20; times += 1) {
    await (await startExecutor({ connectionString, engines: [recallEngine], log })).stop();
  }
});

type Work = { runId: string; executor: number; from: number; to: number };

/** An executor whose engine takes a moment and records the times of its runs. */
function slowExecutor(executor: number, model: string, work: Work[]) {
  const engine: Engine = {
    models: async () => [model],
    async answer({ runId }, context) {
      const from = performance.now();
      await context.step({ kind: "think" });
      await new Promise((resolve) => setTimeout(resolve, 5)); // so that overlapping work would show
      work.push({ runId, executor, from, to: performance.now() });
      return { text: "Done.", memoryIds: [] };
    },
  };
  const connectionString = urlAs("runner", office.db.adminUrl, office.db.key);
  return startExecutor({ connectionString, engines: [engine], log });
}

// Concurrent starts: a run with a lower id may be committed after one with a higher id was leased. So the order is
// checked after all runs are queued and before any lease.
test.each(["while the runs are started", "after all were started"])(
  "two executors that start %s run one run of a conversation at a time",
  async (when) => {
    const model = `slow, ${when}`;
    const who = await customer(office, model);
    await makeExecutor(office.db, [model]);
    const work: Work[] = [];
    const twoExecutors = () => Promise.all([0, 1].map((number) => slowExecutor(number, model, work)));
    const starts = () => Promise.all(Array.from({ length: 20 }, (_, number) => who.run(`Question ${number}`)));
    const late = when.startsWith("after");
    const early = late ? [] : await twoExecutors();
    const runs = await starts();
    const executors = late ? await twoExecutors() : early;
    await eventually(async () => work.length >= 20);
    await Promise.all(executors.map((executor) => executor.stop()));

    for (const [index, { from }] of work.entries()) {
      if (index > 0) expect(from).toBeGreaterThanOrEqual(work[index - 1]?.to ?? 0);
    }
    expect(new Set(work.map(({ runId }) => runId))).toEqual(new Set(runs));
    if (late) expect(work.map(({ runId }) => runId)).toEqual([...runs].sort());
    const states = await office.db.sql<{ state: string }>("select state from app.runs where id = any ($1)", [runs]);
    expect(states.every(({ state }) => state === "completed")).toBe(true);
  },
);

test("runs of different conversations run concurrently", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const bot = (await at.who.ask("POST", "/bots", { name: "Second", model: at.model })).body.id;
  await at.who.ask("POST", "/runs", { botId: bot, message: "Hello" });
  const [one, two] = [await leased(at.executor), await leased(at.executor)];
  expect(one.runId).not.toBe(two.runId);
  await at.executor.finish(one);
  await at.executor.finish(two);
});

test("an engine that throws fails its run, and the next run is leased", async () => {
  const who = await customer(office, "brittle");
  await makeExecutor(office.db, ["brittle"]);
  const brittle: Engine = {
    models: async () => ["brittle"],
    answer: async ({ message }) => {
      if (message === "break") throw new Error("broken");
      return { text: "Whole.", memoryIds: [] };
    },
  };
  const connectionString = urlAs("runner", office.db.adminUrl, office.db.key);
  const executor = await startExecutor({ connectionString, engines: [brittle], log });
  const [first, second] = [await who.run("break"), await who.run("do not break")];
  const state = async (id: string) => (await who.ask("GET", `/runs/${id}`)).body;
  await eventually(async () => (await state(second)).state === "completed");
  await executor.stop();
  expect(await state(first)).toMatchObject({
    state: "failed",
    error: { code: "executor_failed", message: "The executor could not finish the run." },
  });
});

test.each([
  ["its answer", "messages", 0],
  ["a step", "steps", 1],
])("a run is completed although its session ends during %s", async (_what, table, lost) => {
  const who = await customer(office);
  await makeExecutor(office.db);
  const id = await who.run();
  const holder = await begun(office.db);
  await holder.query(`lock table app.${table} in share row exclusive mode`); // the existing steps are read, none is added
  const executor = await startExecutor({
    connectionString: urlAs("runner", office.db.adminUrl, office.db.key),
    engines: [recallEngine],
    log,
  });
  try {
    await terminateWaiting(office.db, "botstead executor", "relation"); // sessions that lease may wait for each other
    await holder.query("rollback");
    const [row] = await office.db.sql<{ state: string }>("select state from app.runs where id = $1", [id]);
    expect(row?.state).toBe("running");
    if (lost > 0) await expireLease(office.db, id); // otherwise it would take the 30 seconds of the lease
    const finished = async () =>
      (await office.db.sql("select from app.runs where id = $1 and state in ('completed', 'failed')", [id])).length ===
      1;
    await eventually(finished);
    const runs = await office.db.sql("select state, error, executors_lost as lost from app.runs where id = $1", [id]);
    expect(runs).toEqual([{ state: "completed", error: null, lost }]);
  } finally {
    await holder.end();
    await executor.stop();
  }
});
