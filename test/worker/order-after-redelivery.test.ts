/** Redelivery at an endpoint that keeps the order of runs, and the end of the order. (docs/specification/deliveries.md#order-per-run) */
import { randomUUID } from "node:crypto";
import { kinds, orderedRuns } from "../support/ordered-runs.ts";
import { type Customer, customer, ownOfficeOfFile, status } from "../support/post-office.ts";
import { eventually, moveClock } from "../support/worker.ts";

const office = ownOfficeOfFile();
const { subscribe, announce, postsOf, failing, settled, deferred, bothFailed } = orderedRuns(office);

const redeliver = (who: Customer, delivery: string | undefined) => who.ask("POST", `/deliveries/${delivery}/redeliver`);

test("a redelivered delivery waits for an earlier pending one of its run, and holds back a later one", async () => {
  const { who, run, hook, endpoint, failed } = await bothFailed();
  const before = hook.posts().length;
  await redeliver(who, failed[0]);
  await settled(endpoint, "pending 2", "failed 1");
  await redeliver(who, failed[1]);
  await announce(who, run, "approval.needed");
  await eventually(async () => (await deferred(endpoint)) === 2);
  expect(postsOf(hook, run).slice(before)).toEqual(["run.started"]);
  hook.answer = status(200);
  await moveClock(office.db, "2 minutes");
  await settled(endpoint, "delivered 3", "delivered 2", "delivered 1");
  expect(postsOf(hook, run).slice(before)).toEqual(["run.started", "run.started", "run.finished", "approval.needed"]);
});

test("a later delivery between two attempts waits for a redelivered earlier one", async () => {
  const { who, run, hook, endpoint, failed } = await bothFailed();
  const before = hook.posts().length;
  await redeliver(who, failed[1]);
  await settled(endpoint, "failed 1", "pending 2");
  hook.answer = failing(({ event }) => event === "run.started");
  await redeliver(who, failed[0]);
  await settled(endpoint, "pending 2", "pending 2");
  for (const attempts of [3, 4]) {
    await moveClock(office.db, "8 minutes");
    await settled(endpoint, `pending ${attempts}`, "pending 2");
  }
  hook.answer = status(200);
  await moveClock(office.db, "40 minutes");
  await settled(endpoint, "delivered 5", "pending 2");
  await moveClock(office.db, "2 minutes");
  await office.db.sql("select jobs.recover_lost_jobs(interval '0')"); // as maintenance does
  await settled(endpoint, "delivered 5", "delivered 3");
  const retries = Array.from({ length: 4 }, () => "run.started");
  expect(postsOf(hook, run).slice(before)).toEqual(["run.finished", ...retries, "run.finished"]);
});

test("a delivery that is redelivered after a later one arrived is posted after it", async () => {
  const { who, run, hook, endpoint, failed } = await bothFailed();
  const before = hook.posts().length;
  hook.answer = status(200);
  for (const delivery of failed.toReversed()) {
    await redeliver(who, delivery);
    await eventually(async () => (await who.ask("GET", `/deliveries/${delivery}`)).body.state === "delivered");
  }
  await settled(endpoint, "delivered 2", "delivered 2");
  expect(postsOf(hook, run).slice(before)).toEqual(["run.finished", "run.started"]);
});

test("without orderPerRun any longer, waiting deliveries are posted at once, and a retry keeps its time", async () => {
  const who = await customer(office);
  const run = randomUUID();
  const hook = office.hook(failing(({ event }) => event === "run.started"));
  const endpoint = await subscribe(who, hook);
  await announce(who, run, ...kinds);
  await settled(endpoint, "pending 1", "pending 0", "pending 0", "pending 0");
  await eventually(async () => (await deferred(endpoint)) === 3);
  const first = async () => (await who.ask("GET", `/webhooks/${endpoint}/deliveries`)).body.data.at(-1);
  const { nextAttemptAt } = await first();
  await who.ask("PATCH", `/webhooks/${endpoint}`, { orderPerRun: false });
  await settled(endpoint, "pending 1", "delivered 1", "delivered 1", "delivered 1");
  expect((await first()).nextAttemptAt).toBe(nextAttemptAt);
});
