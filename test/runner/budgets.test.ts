/** The budget of a run: 50 steps, 2 euros, 10 minutes of work. (docs/specification/runs.md#budget) */
import type { Pool } from "pg";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { priceModel } from "../support/model-fixture.ts";
import { officeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const euros = (count: number) => count * 100_000_000;

async function started() {
  const place = await workplace(office, pool);
  const id = await place.who.run();
  return { ...place, id, run: await leased(place.executor) };
}

const row = async ({ who }: Workplace, id: string) => (await who.ask("GET", `/runs/${id}`)).body;

/** Sets the working time of the run. */
const worked = (id: string, time: string) =>
  office.db.sql("update app.runs set working_since = clock_timestamp() - $2::interval where id = $1", [id, time]);

test("a run can record fifty steps and then finish", async () => {
  const at = await started();
  for (let step = 1; step <= 50; step += 1) expect(await at.executor.step(at.run)).toBe("running");
  expect(await at.executor.finish(at.run)).toBe("completed");
  expect(await row(at, at.id)).toMatchObject({ state: "completed", steps: 50, error: null });
});

test("the fifty-first step fails the run and is not recorded", async () => {
  const at = await started();
  for (let step = 1; step <= 50; step += 1) await at.executor.step(at.run);
  expect(await at.executor.step(at.run, 7)).toBe("failed");
  expect(await row(at, at.id)).toMatchObject({
    state: "failed",
    steps: 50,
    spendMicroCents: 7, // its cost was counted nevertheless
    error: { code: "budget_steps", message: "The run used up its steps." },
  });
  await expect(at.executor.finish(at.run)).rejects.toMatchObject({ code: "OA002" });
});

test("a run can spend exactly two euros", async () => {
  const at = await started();
  expect(await at.executor.step(at.run, euros(1))).toBe("running");
  expect(await at.executor.step(at.run, euros(1))).toBe("running");
  await at.executor.finish(at.run);
  expect(await row(at, at.id)).toMatchObject({ state: "completed", spendMicroCents: 200_000_000, error: null });
});

test("one micro-cent above two euros fails the run", async () => {
  const at = await started();
  await at.executor.step(at.run, euros(2));
  expect(await at.executor.step(at.run, 1)).toBe("failed");
  expect(await row(at, at.id)).toMatchObject({
    state: "failed",
    spendMicroCents: 200_000_001,
    error: { code: "budget_spend", message: "The run used up what it may spend." },
  });
});

test("the organisation's month sums the cost of all runs, also of steps that exceeded a budget", async () => {
  const at = await started();
  await at.executor.step(at.run, 3);
  await at.executor.step(at.run, euros(2));
  const usage = await office.db.sql("select spend_micro_cents from app.monthly_usage where organisation_id = $1", [
    at.who.organisation.id,
  ]);
  expect(usage).toEqual([{ spend_micro_cents: "200000003" }]);
});

test("a run can work for almost ten minutes", async () => {
  const at = await started();
  await worked(at.id, "9 minutes 50 seconds");
  expect(await at.executor.step(at.run)).toBe("running");
  expect(await at.executor.finish(at.run)).toBe("completed");
});

test.each([
  ["a step", (at: Awaited<ReturnType<typeof started>>) => at.executor.step(at.run)],
  ["an answer", (at: Awaited<ReturnType<typeof started>>) => at.executor.finish(at.run)],
])("%s after ten minutes fails the run without an answer", async (_what, end) => {
  const at = await started();
  await worked(at.id, "10 minutes 1 second");
  expect(await end(at)).toBe("failed");
  expect(await row(at, at.id)).toMatchObject({
    state: "failed",
    error: { code: "budget_time", message: "The run used up its working time." },
  });
  const { data } = (await at.who.ask("GET", `/runs/${at.id}/messages`)).body;
  expect(data.map(({ author }: { author: string }) => author)).toEqual(["person"]);
});

test("a run whose executor is silent for more than ten minutes fails, even with a valid lease", async () => {
  const at = await started();
  await office.db.sql("update app.runs set lease_until = now() + interval '1 hour' where id = $1", [at.id]);
  await worked(at.id, "10 minutes 1 second");
  expect(await at.executor.lease()).toBeNull(); // leasing releases overdue runs
  expect(await row(at, at.id)).toMatchObject({ state: "failed", error: { code: "budget_time" } });
});

test.each([
  ["exactly ten minutes are within the budget", "10 minutes", "running"],
  ["a microsecond more is not", "10 minutes 1 microsecond", "failed"],
])("working time without calls of the executor: %s", async (_story, time, state) => {
  const at = await started();
  // Within one transaction now() is constant, so the exact edge can be tested.
  const transaction = await office.db.poolAs("owner", 1).connect();
  await transaction.query("begin");
  await transaction.query(
    `update app.runs set working_since = now() - $2::interval, lease_until = now() + interval '1 hour' where id = $1`,
    [at.id, time],
  );
  await transaction.query("select runner.release_expired()");
  await transaction.query("commit");
  transaction.release();
  expect((await row(at, at.id)).state).toBe(state);
  if (state === "running") await at.executor.fail(at.run); // it does no more work
});

test("step refuses a negative cost", async () => {
  const at = await started();
  await at.executor.step(at.run, 5);
  await expect(at.executor.step(at.run, -5)).rejects.toMatchObject({ code: "22023" });
  expect(await row(at, at.id)).toMatchObject({ state: "running", steps: 1, spendMicroCents: 5 });
});

test("step refuses negative tokens, also beyond the budget, so that the month's sum never falls", async () => {
  const at = await started();
  await priceModel(office.db, "priced", { input: 1000000, output: 1000000 });
  for (let step = 1; step <= 50; step += 1) await at.executor.step(at.run, 1);
  const { organisationId, runId, leaseId } = at.run;
  for (const tokens of [
    [-5, 0],
    [0, -5],
    [null, 0],
    [0, null],
  ]) {
    const step = pool.query("select runner.step($1, $2, $3, 'think', $4, $5, 0, 'priced')", [
      ...[organisationId, runId, leaseId],
      ...tokens,
    ]);
    await expect(step).rejects.toMatchObject({ code: "22023" });
  }
  const usage = "select spend_micro_cents from app.monthly_usage where organisation_id = $1";
  expect(await office.db.sql(usage, [organisationId])).toEqual([{ spend_micro_cents: "50" }]);
  expect(await row(at, at.id)).toMatchObject({ state: "running", spendMicroCents: 50 });
});

test.each(["budget_steps", "budget_spend", "budget_time", "executor_lost"])(
  "fail refuses the code %s, which only the database sets",
  async (code) => {
    const at = await started();
    await expect(at.executor.fail(at.run, code)).rejects.toMatchObject({ code: "22023" });
    expect(await row(at, at.id)).toMatchObject({ state: "running", error: null });
  },
);

test("the working time excludes waiting for a person", async () => {
  const at = await started();
  await worked(at.id, "9 minutes");
  await office.db.sql("update app.runs set state = 'waiting_approval' where id = $1", [at.id]);
  await office.db.sql("update app.runs set state = 'queued' where id = $1", [at.id]);
  const [kept] = await office.db.sql<{ minutes: number }>(
    "select extract(epoch from working)::float / 60 as minutes from app.runs where id = $1",
    [at.id],
  );
  expect(kept?.minutes).toBeGreaterThanOrEqual(9);
  expect(kept?.minutes).toBeLessThan(9.5);
  const again = await leased(at.executor); // continues from nine minutes
  await worked(at.id, "50 seconds");
  expect(await at.executor.step(again)).toBe("running");
  await worked(at.id, "61 seconds");
  expect(await at.executor.step(again)).toBe("failed");
});
