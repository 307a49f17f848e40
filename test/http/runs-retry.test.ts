/** Retries of ended runs. (docs/specification/runs.md#retrying) */
import type { Pool } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { makeKey, makeMember, setLimits } from "../support/database.ts";
import { leased, type WorkInProgress, workInProgress } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

const office = officeOfFile();
let pool: Pool;
beforeAll(() => {
  pool = office.db.poolAs("runner");
});

const retry = ({ who }: WorkInProgress, id: string, body: Json = {}) =>
  who.ask("POST", `/runs/${id}/retry`, body, "mayFail");

/** A run that failed after these steps: of a key, or without one. */
async function failed(keys: (string | null)[] = [], options?: Parameters<typeof workInProgress>[2]) {
  const at = await workInProgress(office, pool, options);
  for (const key of keys) {
    if (key === null) await at.executor.step(at.run, 5);
    else await at.executor.keyedStep(at.run, key, `Result of ${key}.`);
  }
  await at.executor.fail(at.run);
  return { ...at, id: at.run.runId };
}

const stepsOf = async ({ who }: WorkInProgress, id: string) =>
  (await who.ask("GET", `/runs/${id}/steps`)).body.data.map(({ number, key, spendMicroCents, reusedAt }: Json) => ({
    ...{ number, key, spendMicroCents },
    reused: reusedAt !== null,
  }));

test("retry_run starts a run with the message, the taint and the metadata of the ended one", async () => {
  const at = await failed(["turn 1"], { untrusted: true, message: "Where is the ferry?" });
  await office.db.sql(
    "insert into app.run_metadata (organisation_id, run_id, key, value) values ($1, $2, 'order', '4711')",
    [at.run.organisationId, at.id],
  );
  const reply = await retry(at, at.id);
  const run = expectAnswer("retry_run", reply);
  const former = (await at.who.ask("GET", `/runs/${at.id}`)).body;
  expect(run).toMatchObject({
    ...{ botId: former.botId, conversationId: former.conversationId, retryOf: at.id, state: "queued", taint: true },
    ...{ steps: 0, spendMicroCents: 0, error: null, metadata: { order: "4711" } },
  });
  expect(former).toMatchObject({ retryOf: null, state: "failed" });
  const assignment = await leased(at.executor);
  expect(assignment).toMatchObject({ runId: run.id, message: "Where is the ferry?", taint: true, results: {} });
  const [entry] = await office.db.sql<{ entry: string }>(
    "select entry::text from app.audit_log entry where organisation_id = $1 and resource_id = $2 order by id limit 1",
    [at.run.organisationId, run.id],
  );
  expect(JSON.stringify(entry)).toContain(at.id);
});

test.each(["queued", "running", "waiting_approval", "blocked", "paused_limit"])(
  "retry_run refuses a %s run",
  async (state) => {
    const at = await workInProgress(office, pool);
    if (state !== "running") await office.db.sql("update app.runs set state = $2 where id = $1", [at.run.runId, state]);
    expectRefusal(await retry(at, at.run.runId), "run_not_ended");
  },
);

test.each(["completed", "cancelled"])("retry_run repeats a %s run", async (state) => {
  const at = await workInProgress(office, pool);
  await office.db.sql("update app.runs set state = $2 where id = $1", [at.run.runId, state]);
  expect(expectAnswer("retry_run", await retry(at, at.run.runId)).retryOf).toBe(at.run.runId);
});

test("retry_run with fromStep uses the results of the steps before again, free of charge", async () => {
  const at = await failed(["turn 1", "turn 1, call 1", null]);
  const { id, steps, spendMicroCents } = expectAnswer("retry_run", await retry(at, at.id, { fromStep: 3 }));
  expect([steps, spendMicroCents]).toEqual([2, 0]);
  const copied = [
    { number: 2, key: "turn 1, call 1", spendMicroCents: 0, reused: true },
    { number: 1, key: "turn 1", spendMicroCents: 0, reused: true },
  ];
  expect(await stepsOf(at, id)).toEqual(copied);
  const next = await leased(at.executor);
  expect(next.results).toEqual({ "turn 1": "Result of turn 1.", "turn 1, call 1": "Result of turn 1, call 1." });
  expect(await at.executor.keyedStep(next, "turn 1", "Other.")).toMatchObject({ repeated: true });
  await at.executor.keyedStep(next, "turn 2", "New.");
  await at.executor.finish(next);
  expect(await stepsOf(at, id)).toEqual([{ number: 3, key: "turn 2", spendMicroCents: 5, reused: false }, ...copied]);
});

test.each([
  ["after a step without a key", [null, "turn 1"], 3],
  ["after a step that there was not", ["turn 1"], 3],
])("retry_run with fromStep %s is refused, and starts nothing", async (_where, keys, fromStep) => {
  const at = await failed(keys);
  expectRefusal(await retry(at, at.id, { fromStep }), "step_without_result");
  expect(await at.executor.lease()).toBeNull();
});

test.each([0, 1_001, 1.5, "2", null])("retry_run refuses %p as fromStep", async (fromStep) => {
  const at = await failed();
  expectRefusal(await retry(at, at.id, { fromStep }), "invalid_request", ["body.fromStep"]);
});

test("retry_run with fromStep is refused after the erasure of a memory that a result cites", async () => {
  const at = await workInProgress(office, pool);
  const nils = { subjectKind: "third_party", subject: "Nils" };
  const memory = { scope: "organisation", kind: "note", ...nils, value: "Heliotrop" };
  const { id } = (await at.who.ask("POST", "/memories", memory)).body;
  await at.executor.keyedStep(at.run, "turn 1", "He likes heliotropes.", [id]);
  await at.executor.fail(at.run);
  await at.who.ask("POST", "/memories/erase", nils);
  expectRefusal(await retry(at, at.run.runId, { fromStep: 2 }), "step_without_result");
});

test("a retry during the erasure of a memory copies no result that cites it", async () => {
  const at = await workInProgress(office, pool);
  await setLimits(office.db, at.run.organisationId, { runStartsPerHour: 1000 });
  let { run } = at;
  for (let round = 0; round < 10; round += 1) {
    const nils = { subjectKind: "third_party", subject: `Nils ${round}` };
    const memory = { scope: "organisation", kind: "note", ...nils, value: "Heliotrop" };
    const { id } = (await at.who.ask("POST", "/memories", memory)).body;
    await at.executor.keyedStep(run, `turn ${round}`, "He likes heliotropes.", [id]);
    await at.executor.fail(run);
    const erase = () => at.who.ask("POST", "/memories/erase", nils);
    const again = () => retry(at, run.runId, { fromStep: 2 });
    const [, retried] = await Promise.all(round % 2 === 0 ? [erase(), again()] : [again(), erase()].reverse());
    expect([202, 409]).toContain(retried?.status);
    const kept = await office.db.sql("select key from app.step_results where memory_ids && array[$1::uuid]", [id]);
    expect(kept).toEqual([]);
    await at.who.ask("POST", "/runs", { botId: at.who.bot, message: `Round ${round}` });
    run = await leased(at.executor);
    if (run.message !== `Round ${round}`) {
      await at.executor.finish(run);
      run = await leased(at.executor);
    }
  }
});

test("retry_run answers not_found for another organisation and a deleted bot, and forbidden for another person", async () => {
  const [at, other] = [await failed(), await failed()];
  expectRefusal(await retry(other, at.id), "not_found");
  const admin = await makeMember(office.db, at.run.organisationId, "admin");
  const key = await makeKey(office.db, at.run.organisationId, admin, "write");
  const theirs = await office.api.call("POST", `/runs/${at.id}/retry`, { key: key.text, body: {} });
  expectRefusal(theirs, "not_own_conversation");
  await at.who.ask("DELETE", `/bots/${at.who.bot}`);
  expectRefusal(await retry(at, at.id), "not_found");
});

test("retry_run counts as a start, and is refused without payment and without an executor", async () => {
  const at = await failed();
  await setLimits(office.db, at.run.organisationId, { runStartsPerHour: 2 });
  expect((await retry(at, at.id)).status).toBe(202);
  expectRefusal(await retry(at, at.id), "limit_run_starts");
  await setLimits(office.db, at.run.organisationId, { runStartsPerHour: 100 });
  await office.db.sql("update app.executors set last_seen_at = now() - interval '2 minutes' where id = $1", [
    at.executor.id,
  ]);
  expectRefusal(await retry(at, at.id), "unavailable");
  await office.db.sql("update app.organisations set billing_state = 'none' where id = $1", [at.run.organisationId]);
  expectRefusal(await retry(at, at.id), "billing_inactive");
});

test("a retry has the concurrency key of its run, and waits while another run has it", async () => {
  const at = await failed();
  const start = { botId: at.who.bot, message: "Hi", concurrencyKey: "order 4711" };
  const { id } = (await at.who.ask("POST", "/runs", start)).body;
  await at.executor.fail(await leased(at.executor));
  const first = expectAnswer("retry_run", await retry(at, id));
  expect(first).toMatchObject({ retryOf: id, concurrencyKey: "order 4711", startAt: null });
  const second = expectAnswer("retry_run", await retry(at, id));
  const run = await leased(at.executor);
  expect(run.runId).toBe(first.id);
  expect(await at.executor.lease()).toBeNull();
  await at.executor.finish(run);
  expect((await leased(at.executor)).runId).toBe(second.id);
});

test("a run is retried 20 times, with retries of its retries; of 5 calls at once for the last, one succeeds", async () => {
  const at = await failed();
  await setLimits(office.db, at.run.organisationId, { runStartsPerHour: 1000 });
  let last = at.id;
  for (let count = 0; count < 19; count += 1) {
    const { id } = expectAnswer("retry_run", await retry(at, count % 2 === 0 ? at.id : last));
    await at.executor.fail(await leased(at.executor));
    last = id;
  }
  const replies = await Promise.all([at.id, last, at.id, last, last].map((id) => retry(at, id)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409]);
  for (const reply of replies) if (reply.status === 409) expectRefusal(reply, "run_retried_too_often");
});
