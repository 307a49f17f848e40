/**
 * The queue of a conversation under load: hundreds of concurrent starts, several executors, and cancellations at any
 * time. The result is read from the rows: when each run recorded its steps and ended.
 * (docs/specification/runs.md#states)
 */
import { randomInt, randomUUID } from "node:crypto";
import { Client } from "pg";
import { pino } from "pino";
import { urlAs } from "../../src/database/urls.ts";
import type { Engine } from "../../src/runner/engine.ts";
import { type Executor, startExecutor } from "../../src/runner/executor.ts";
import type { Json, Reply } from "../support/api.ts";
import { makeExecutor, makeKey, noteModels, setLimits } from "../support/database.ts";
import { customer, officeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = officeOfFile();

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An executor whose engine pauses between two steps. */
function thinking(model: string): Promise<Executor> {
  const engine: Engine = {
    models: async () => [model],
    async answer(_run, context) {
      await context.step({ kind: "begin" });
      await pause(randomInt(10)); // other executors work meanwhile
      await context.step({ kind: "end" });
      return { text: "Done.", memoryIds: [] };
    },
  };
  const connectionString = urlAs("runner", office.db.adminUrl, office.db.key);
  return startExecutor({ connectionString, engines: [engine], log: pino({ level: "silent" }) });
}

/**
 * Starts a run as a client does: after a 503 it retries with the same Idempotency-Key. Returns the time of the last
 * attempt and the response.
 */
async function startWithRetries(key: string, body: object): Promise<[number, Reply<Json>]> {
  const idempotencyKey = randomUUID();
  for (;;) {
    const requestedAt = performance.now();
    const reply = await office.api.call("POST", "/runs", { key, body, idempotencyKey });
    if (reply.status === 202) return [requestedAt, reply];
    expect(reply.status).toBe(503);
  }
}

type Row = { id: string; state: string; steps: number; began: Date | null; ended: Date };

const rowsOf = (conversation: string) =>
  office.db.sql<Row>(
    `select run.id, run.state, run.steps, run.finished_at as ended,
       (select min(step.created_at) from app.steps step where step.run_id = run.id) as began
     from app.runs run where run.conversation_id = $1 order by run.id`,
    [conversation],
  );

/** Runs of one conversation did not overlap, and ran in the order of their starts. */
function expectOneAtATimeInOrder(rows: Row[]): void {
  const worked = rows.filter(({ began }) => began !== null);
  for (const [index, run] of worked.entries()) {
    const before = worked[index - 1];
    if (before) expect(run.began?.getTime()).toBeGreaterThanOrEqual(before.ended.getTime());
  }
}

test("200 runs started at once run one at a time and in order while others are cancelled", async () => {
  const model = "thinking";
  const who = await customer(office, model);
  await makeExecutor(office.db, [model]);
  await setLimits(office.db, who.organisation.id, { runStartsPerHour: 1000 });
  const key = (await makeKey(office.db, who.organisation.id, who.organisation.ownerId, "write")).text;
  const executors = await Promise.all([1, 2, 3].map(() => thinking(model)));

  const starts = await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      const body = { botId: who.bot, message: `Question ${number}` };
      await pause(randomInt(2_000)); // starts hit different states of the queue
      const [requestedAt, reply] = await startWithRetries(key, body);
      const answered = performance.now();
      const cancelled = number % 5 === 0;
      if (cancelled) {
        await pause(randomInt(3_000)); // cancels hit queued, running and ended runs
        const cancel = () => who.ask("POST", `/runs/${reply.body.id}/cancel`, undefined, "mayFail");
        while ((await cancel()).status === 503);
      }
      return {
        id: reply.body.id as string,
        conversation: reply.body.conversationId as string,
        requestedAt,
        answered,
        cancelled,
      };
    }),
  );
  const [{ conversation = "" } = {}] = starts;
  await eventually(async () => (await rowsOf(conversation)).every(({ ended }) => ended !== null));
  await Promise.all(executors.map((executor) => executor.stop()));

  const rows = await rowsOf(conversation);
  expect(rows).toHaveLength(200);
  expectOneAtATimeInOrder(rows);
  for (const { id, state, steps } of rows) {
    const { cancelled } = starts.find((start) => start.id === id) ?? {};
    expect(cancelled ? ["completed", "cancelled"] : ["completed"]).toContain(state);
    if (state === "completed") expect(steps).toBe(2);
  }
  expect(rows.filter(({ state }) => state === "cancelled").length).toBeGreaterThan(0);
  // Runs start in the order of their responses.
  const byId = starts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  let latestRequest = 0;
  for (const { requestedAt, answered } of byId) {
    expect(answered).toBeGreaterThan(latestRequest);
    latestRequest = Math.max(latestRequest, requestedAt);
  }
  const left = await office.db.sql("select next_run_id from app.conversations where id = $1", [conversation]);
  expect(left).toEqual([{ next_run_id: null }]);
});

test("waiting runs can be cancelled at any place of the queue, and the rest continue in order", async () => {
  const model = "thinking too";
  const who = await customer(office, model);
  await makeExecutor(office.db, [model]);
  const ids: string[] = [];
  for (let number = 0; number < 6; number += 1) ids.push(await who.run());
  for (const place of [0, 2, 3]) await who.ask("POST", `/runs/${ids[place]}/cancel`); // including the first one in the queue
  const [{ conversation } = { conversation: "" }] = await office.db.sql<{ conversation: string }>(
    "select conversation_id as conversation from app.runs where id = $1",
    [ids[0]],
  );
  const executor = await thinking(model);
  await eventually(async () => (await rowsOf(conversation)).every(({ ended }) => ended !== null));
  await executor.stop();
  const rows = await rowsOf(conversation);
  expect(rows.map(({ id, state }) => [ids.indexOf(id), state])).toEqual([
    [0, "cancelled"],
    [1, "completed"],
    [2, "cancelled"],
    [3, "cancelled"],
    [4, "completed"],
    [5, "completed"],
  ]);
  expectOneAtATimeInOrder(rows);
});

test("a notification is sent when a run can be leased, not for runs behind it, and contains no data", async () => {
  const model = "word";
  const who = await customer(office, model);
  await makeExecutor(office.db, [model]);
  const listener = new Client({ connectionString: urlAs("runner", office.db.adminUrl, office.db.key) });
  const heard: string[] = [];
  listener.on("notification", ({ payload = "" }) => heard.push(payload));
  await listener.connect();
  await listener.query("listen botstead_runs");
  const word = async () => {
    await listener.query("select 1"); // earlier events arrived before this response
    return heard.splice(0);
  };
  const first = await who.run();
  expect(await word()).toEqual([""]);
  const [second, third] = [await who.run(), await who.run()];
  expect(await word()).toEqual([]);
  await who.ask("POST", `/runs/${third}/cancel`);
  expect(await word()).toEqual([]);
  await who.ask("POST", `/runs/${first}/cancel`);
  expect(await word()).toEqual([""]);
  await who.ask("POST", `/runs/${second}/cancel`);
  expect(await word()).toEqual([]);
  await listener.end();
});

test("a new model of a bot applies to its waiting runs", async () => {
  const who = await customer(office, "old model");
  await makeExecutor(office.db, ["old model"]);
  const [first, second] = [await who.run(), await who.run()];
  await noteModels(office.db, "new model");
  await who.ask("PATCH", `/bots/${who.bot}`, { model: "new model" });
  const executor = await thinking("new model");
  await eventually(async () => {
    const states = await office.db.sql<{ state: string }>("select state from app.runs where id = any ($1)", [
      [first, second],
    ]);
    return states.every(({ state }) => state === "completed");
  });
  await executor.stop();
});

test("a concurrent start and change of the model leave no run without an executor", async () => {
  const who = await customer(office, "model 0");
  await makeExecutor(
    office.db,
    Array.from({ length: 12 }, (_, number) => `model ${number}`),
  );
  for (let number = 1; number < 12; number += 1) {
    await Promise.all([who.run(), who.ask("PATCH", `/bots/${who.bot}`, { model: `model ${number}` })]);
    const [turn] = await office.db.sql("select next_model from app.conversations where bot_id = $1", [who.bot]);
    expect(turn).toEqual({ next_model: `model ${number}` });
    await office.db.sql("update app.runs set state = 'cancelled' where bot_id = $1 and state = 'queued'", [who.bot]);
  }
});
