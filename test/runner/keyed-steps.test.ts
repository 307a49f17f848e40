/** Steps with a key are recorded once, and their results pass to the next executor. (docs/specification/executors.md#keyed-steps) */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { expectAnswer } from "../support/answers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import {
  executorOn,
  expireLease,
  leased,
  type WorkInProgress,
  workInProgress,
  workplace,
} from "../support/hand-executor.ts";
import { openPostOffice, type PostOffice } from "../support/post-office.ts";
import { tablesWithText } from "../support/tables-with-text.ts";

let office: PostOffice;
let pool: Pool;
beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  pool = office.db.poolAs("runner");
});
afterAll(() => office.close());

/** The next executor's lease, after the present one has expired. */
async function takenOver({ executor, run }: WorkInProgress): Promise<Assignment> {
  await expireLease(office.db, run.runId);
  return leased(executor);
}

const booksOf = async ({ runId }: Assignment) =>
  (
    await office.db.sql(
      `select steps, spend_micro_cents::integer as spend,
         (select json_agg(key order by number) from app.steps where run_id = run.id) as keys,
         (select count(*)::integer from app.step_results where run_id = run.id) as results
       from app.runs run where id = $1`,
      [runId],
    )
  )[0];

const resultsOf = ({ runId }: Assignment) =>
  office.db.sql("select key from app.step_results where run_id = $1 order by key", [runId]);

test("keyed_step records a key once, and returns the stored result when it is repeated", async () => {
  const { executor, run } = await workInProgress(office, pool);
  const first = { text: "Nine.", places: [1, null] };
  expect(await executor.keyedStep(run, "turn 1", first)).toEqual({
    state: "running",
    repeated: false,
    kept: true,
    result: first,
  });
  const again = { state: "running", repeated: true, kept: true, result: first };
  expect(await executor.keyedStep(run, "turn 1", "Ten.")).toEqual(again);
  expect(await executor.keyedStep(run, "done")).toMatchObject({ repeated: false, kept: true, result: null });
  expect(await executor.keyedStep(run, "done", "Ten.")).toMatchObject({ repeated: true, result: null });
  await executor.step(run, 5);
  expect(await booksOf(run)).toEqual({ steps: 3, spend: 15, keys: ["turn 1", "done", null], results: 2 });
});

test("keyed_step with the same key in another run is recorded", async () => {
  const [one, other] = [await workInProgress(office, pool), await workInProgress(office, pool)];
  await one.executor.keyedStep(one.run, "turn 1", "Nine.");
  expect(await other.executor.keyedStep(other.run, "turn 1", "Ten.")).toMatchObject({
    repeated: false,
    result: "Ten.",
  });
});

test("the next lease of a run has the results of its keyed steps, and list_run_steps the keys", async () => {
  const at = await workInProgress(office, pool);
  expect(at.run.results).toEqual({});
  await at.executor.keyedStep(at.run, "turn 1", { text: "Nine." });
  await at.executor.keyedStep(at.run, "done");
  await at.executor.step(at.run);
  const next = await takenOver(at);
  expect(next.results).toEqual({ "turn 1": { text: "Nine." }, done: null });
  const { body } = await at.who.ask("GET", `/runs/${next.runId}/steps`);
  expect(body.data.map(({ key }: { key: string | null }) => key)).toEqual([null, "done", "turn 1"]);
  expect(JSON.stringify(body)).not.toContain("Nine.");
});

test("list_run_steps shows when results were passed to the next executor, and not for a step without one", async () => {
  const at = await workInProgress(office, pool);
  await at.executor.keyedStep(at.run, "turn 1", "Nine.");
  await at.executor.step(at.run);
  const reused = async () => {
    const { body } = await at.who.ask("GET", `/runs/${at.run.runId}/steps`);
    return body.data.map(({ number, reusedAt }: { number: number; reusedAt: string | null }) => [
      number,
      reusedAt !== null,
    ]);
  };
  const never = [
    [2, false],
    [1, false],
  ];
  expect(await reused()).toEqual(never);
  const next = await takenOver(at);
  const once = [
    [2, false],
    [1, true],
  ];
  expect(await reused()).toEqual(once);
  await at.executor.keyedStep(next, "turn 2", "Ten.");
  expect(await reused()).toEqual([[3, false], ...once]);
});

test("a run that an untrusted message resumes has no results of the time before, and a trusted one keeps them", async () => {
  for (const untrusted of [true, false]) {
    const at = await workInProgress(office, pool);
    await at.executor.keyedStep(at.run, "turn 1", "Nine, as the board said.");
    await at.executor.block(at.run, "Which of the two?");
    await at.who.ask("POST", `/runs/${at.run.runId}/resume`, { message: "The left one.", untrusted });
    const next = await leased(at.executor);
    expect(next.taint).toBe(untrusted);
    expect(next.results).toEqual(untrusted ? {} : { "turn 1": "Nine, as the board said." });
  }
});

test("keyed_step is refused under the lease of an executor that was replaced", async () => {
  const at = await workInProgress(office, pool);
  await at.executor.keyedStep(at.run, "turn 1", "Nine.");
  const next = await takenOver(at);
  await expect(at.executor.keyedStep(at.run, "turn 1")).rejects.toMatchObject({ code: "OA002" });
  await expect(at.executor.keyedStep(at.run, "turn 2", "Ten.")).rejects.toMatchObject({ code: "OA002" });
  expect(await at.executor.keyedStep(next, "turn 2", "Eleven.")).toMatchObject({ repeated: false });
  expect(await booksOf(next)).toMatchObject({ steps: 2, spend: 10, keys: ["turn 1", "turn 2"] });
});

test("two connections that record a key at once record it once, and both get the same result", async () => {
  const { executor, run } = await workInProgress(office, pool);
  const other = executorOn(pool, executor.id);
  for (let turn = 1; turn <= 10; turn += 1) {
    const both = await Promise.all([
      executor.keyedStep(run, `turn ${turn}`, "Nine."),
      other.keyedStep(run, `turn ${turn}`, "Ten."),
    ]);
    expect(both.filter(({ repeated }) => repeated)).toHaveLength(1);
    expect(both[0].result).toBe(both[1].result);
  }
  expect(await booksOf(run)).toMatchObject({ steps: 10, spend: 50, results: 10 });
});

test("a run keeps results of exactly 1 MB, and keyed_step refuses one more without a charge", async () => {
  const { executor, run } = await workInProgress(office, pool);
  const largest = "x".repeat(262_142); // with its quotes, 256 KB
  for (let number = 1; number <= 4; number += 1) await executor.keyedStep(run, `turn ${number}`, largest);
  await expect(executor.keyedStep(run, "turn 5", 1)).rejects.toMatchObject({
    code: "OA001",
    message: "quota_exceeded",
  });
  expect(await executor.keyedStep(run, "done")).toMatchObject({ kept: true });
  expect(await executor.step(run)).toBe("running");
  expect(await booksOf(run)).toMatchObject({ steps: 6, spend: 25, results: 5 });
});

test("the step beyond the budget is charged, and its result is not kept", async () => {
  const { executor, run } = await workInProgress(office, pool);
  await office.db.sql("update app.runs set budget_steps = 1 where id = $1", [run.runId]);
  await executor.keyedStep(run, "turn 1", "Nine.");
  expect(await executor.keyedStep(run, "turn 2", "Ten.")).toMatchObject({ state: "failed", kept: false });
  expect(await booksOf(run)).toEqual({ steps: 1, spend: 10, keys: ["turn 1"], results: 1 });
});

describe("the erasure of a memory", () => {
  const canary = "Heliotrop";
  const nils = { subjectKind: "third_party", subject: "Nils" };
  const aMemory = async ({ who }: WorkInProgress, subject = "Nils"): Promise<string> => {
    const memory = { scope: "organisation", kind: "note", ...nils, subject, value: canary };
    return (await who.ask("POST", "/memories", memory)).body.id;
  };
  const erase = async ({ who }: WorkInProgress) =>
    expectAnswer("erase_memories", await who.ask("POST", "/memories/erase", nils));

  test("deletes all results of a run that cites it, and no other", async () => {
    const at = await workInProgress(office, pool);
    const [memory, other] = [await aMemory(at), await aMemory(at, "Nora")];
    await at.executor.keyedStep(at.run, "turn 1", "He likes heliotropes.", [other, memory]);
    await at.executor.keyedStep(at.run, "turn 2", `So: ${canary}.`);
    await at.executor.finish(at.run);
    await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "And Nora?" });
    const second = await leased(at.executor);
    await at.executor.keyedStep(second, "turn 1", "She likes asters.", [other]);

    expect(await erase(at)).toMatchObject({ memories: 1, complete: true });
    expect(await tablesWithText(office.db, "heliotropes")).toEqual([]);
    expect(await resultsOf(at.run)).toEqual([]);
    expect(await resultsOf(second)).toEqual([{ key: "turn 1" }]);
  });

  test("deletes the results of a run whose answer cites it", async () => {
    const at = await workInProgress(office, pool);
    const memory = await aMemory(at);
    await at.executor.keyedStep(at.run, "turn 1", "He likes heliotropes.");
    const { organisationId, runId, leaseId } = at.run;
    await pool.query("select runner.finish($1, $2, $3, $4, $5)", [
      ...[organisationId, runId, leaseId],
      ...[canary, [memory]],
    ]);
    expect(await erase(at)).toMatchObject({ answers: 1, complete: true });
    expect(await resultsOf(at.run)).toEqual([]);
  });

  test("during the run lets keyed_step charge a step that cites it, and not keep its result", async () => {
    const at = await workInProgress(office, pool);
    const memory = await aMemory(at);
    await at.executor.keyedStep(at.run, "turn 1", "He likes heliotropes.", [memory]);
    await erase(at);
    expect(await at.executor.keyedStep(at.run, "turn 2", canary, [memory])).toMatchObject({
      repeated: false,
      kept: false,
    });
    expect(await booksOf(at.run)).toEqual({ steps: 2, spend: 10, keys: ["turn 1", null], results: 0 });
    expect((await takenOver(at)).results).toEqual({});
  });

  test("of more runs than a call handles keeps the memory until their results are deleted", async () => {
    const at = await workInProgress(office, pool);
    const memory = await aMemory(at);
    await setLimits(office.db, at.run.organisationId, { runStartsPerHour: 1000 });
    await office.db.sql(
      `with conversation as (
         insert into app.conversations (organisation_id, bot_id, person_id)
         select organisation_id, bot_id, $2 from app.runs where id = $1 returning *
       ), run as (
         insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
         select conversation.organisation_id, uuidv7(), bot_id, id, person_id, 'api', 'completed', now()
         from conversation, generate_series(1, 201) returning *
       )
       insert into app.step_results (organisation_id, run_id, conversation_id, number, key, result, memory_ids)
       select organisation_id, id, conversation_id, 1, 'turn 1', '"He likes heliotropes."', array[$3::uuid] from run`,
      [at.run.runId, await colleagueOf(at), memory],
    );
    expect(await erase(at)).toMatchObject({ memories: 0, complete: false });
    expect(await erase(at)).toMatchObject({ memories: 1, complete: true });
    expect(await tablesWithText(office.db, "heliotropes")).toEqual([]);
  });
});

const colleagueOf = ({ run }: WorkInProgress) => makeMember(office.db, run.organisationId, "member");

test("the deletion of a bot deletes the results of its runs, and of no other bot's", async () => {
  const [at, other] = [await workInProgress(office, pool), await workInProgress(office, pool)];
  await at.executor.keyedStep(at.run, "turn 1", "Nine.");
  await other.executor.keyedStep(other.run, "turn 1", "Ten.");
  await at.who.ask("DELETE", `/bots/${at.who.bot}`);
  expect(await resultsOf(at.run)).toEqual([]);
  expect(await resultsOf(other.run)).toHaveLength(1);
});

test("the worker deletes the results that the deletion of a bot left", async () => {
  const at = await workplace(office, pool);
  const id = await at.who.run();
  const run = await leased(at.executor);
  await at.executor.finish(run);
  await office.db.sql(
    `insert into app.step_results (organisation_id, run_id, conversation_id, number, key)
     select organisation_id, id, conversation_id, number, 'turn ' || number from app.runs, generate_series(1, 2500) number where id = $1`,
    [id],
  );
  await at.who.ask("DELETE", `/bots/${at.who.bot}`);
  expect(await resultsOf(run)).toHaveLength(1500);
  const worker = office.db.poolAs("worker", 1);
  const more = async () => (await worker.query("select jobs.delete_memories_of_bots() as more")).rows[0].more;
  while (await more());
  expect(await resultsOf(run)).toEqual([]);
});
