/** Order of the deliveries of a run, at endpoints that ask for it. (docs/specification/deliveries.md#order-per-run) */
import { randomUUID } from "node:crypto";
import { makeOrganisation } from "../support/database.ts";
import { leaseDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { kinds, orderedRuns } from "../support/ordered-runs.ts";
import { customer, ownOfficeOfFile, status } from "../support/post-office.ts";
import { whenTestEnds } from "../support/test-ends.ts";
import { deliveryJobs, eventually, moveClock, testWorker } from "../support/worker.ts";

const office = ownOfficeOfFile();
const { subscribe, announce, recover, posts, postsOf, failing, states, settled, deferred, bothFailed } =
  orderedRuns(office);

test("later deliveries of a run wait for the retry of an earlier one, and other runs do not wait", async () => {
  const who = await customer(office);
  const [stuck, other] = [randomUUID(), randomUUID()];
  const hook = office.hook(failing(({ data }) => data.runId === stuck));
  const endpoint = await subscribe(who, hook);
  await announce(who, stuck, "run.started");
  await settled(endpoint, "pending 1");
  await announce(who, stuck, "run.blocked", "run.finished");
  await announce(who, other, "run.started", "run.finished");
  await settled(endpoint, "pending 1", "pending 0", "pending 0", "delivered 1", "delivered 1");
  await eventually(async () => (await deferred(endpoint)) === 2);
  expect(posts(hook)).toEqual([
    [stuck, "run.started"],
    [other, "run.started"],
    [other, "run.finished"],
  ]);
  hook.answer = status(200);
  await moveClock(office.db, "2 minutes");
  await settled(endpoint, "delivered 2", "delivered 1", "delivered 1", "delivered 1", "delivered 1");
  expect(postsOf(hook, stuck)).toEqual(["run.started", "run.started", "run.blocked", "run.finished"]);
});

test("a run of the API is delivered in order", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await subscribe(who, hook);
  const run = await who.run();
  await settled(endpoint, "delivered 1", "delivered 1");
  expect(posts(hook)).toEqual([
    [run, "run.started"],
    [run, "run.finished"],
  ]);
});

test("the next delivery of a run follows when the earlier one is given up, and recovered ones keep the order", async () => {
  const { who, run, hook, endpoint } = await bothFailed();
  expect(postsOf(hook, run)).toEqual(["run.started", "run.finished"]);

  hook.answer = failing(({ event }) => event === "run.started");
  expect(await recover(who, endpoint, "failed")).toBe(2);
  await settled(endpoint, "pending 2", "pending 1");
  hook.answer = status(200);
  await moveClock(office.db, "2 minutes");
  await settled(endpoint, "delivered 3", "delivered 2");
  expect(postsOf(hook, run).slice(2)).toEqual(["run.started", "run.started", "run.finished"]);
});

test("missing deliveries of a run are posted in its order", async () => {
  const who = await customer(office);
  const runs = Array.from({ length: 4 }, () => randomUUID());
  for (const kind of kinds) for (const run of runs) await announce(who, run, kind);
  const hook = office.hook(failing(({ event }) => event === "run.started"));
  const endpoint = await subscribe(who, hook);
  expect(await recover(who, endpoint, "missing")).toBe(16);
  const unsent = Array.from({ length: 12 }, () => "pending 0");
  await settled(endpoint, ...runs.map(() => "pending 1"), ...unsent);
  hook.answer = status(200);
  await moveClock(office.db, "2 minutes");
  await settled(endpoint, ...runs.map(() => "delivered 2"), ...unsent.map(() => "delivered 1"));
  for (const run of runs) expect(postsOf(hook, run).slice(-4)).toEqual(kinds);
});

test("without orderPerRun a delivery does not wait", async () => {
  const who = await customer(office);
  const run = randomUUID();
  const hook = office.hook(failing(({ event }) => event === "run.started"));
  const endpoint = await subscribe(who, hook, { orderPerRun: false });
  await announce(who, run, "run.started");
  await settled(endpoint, "pending 1");
  await announce(who, run, "run.finished");
  await settled(endpoint, "pending 1", "delivered 1");
});

test("several workers keep the order of forty runs, whose first deliveries fail", async () => {
  const others = await Promise.all([1, 2].map(() => testWorker(office.db, office.settings)));
  whenTestEnds(() => Promise.all(others.map((worker) => worker.stop())));
  const who = await customer(office);
  const runs = Array.from({ length: 40 }, () => randomUUID());
  const seen = new Set<string>();
  const hook = office.hook(
    failing(({ event, data }) => event === "run.started" && !seen.has(data.runId) && !!seen.add(data.runId)),
  );
  const endpoint = await subscribe(who, hook);
  await Promise.all(runs.map((run) => announce(who, run, ...kinds)));
  await eventually(async () => seen.size === 40);
  await eventually(async () => (await deliveryJobs(office.db, "locked_by is not null")).length === 0);
  expect(hook.posts()).toHaveLength(40);
  await moveClock(office.db, "2 minutes");
  await eventually(async () => (await states(endpoint)).every((state) => state.startsWith("delivered")));
  // A post that a busy machine answers after its time-out is repeated, before the next of its run.
  const inOrder = (posts: string[]) => posts.filter((kind, at) => kind !== posts[at - 1]);
  for (const run of runs) expect(inOrder(postsOf(hook, run))).toEqual(kinds);
});

test("an expired lease of a lost worker holds the run back until its delivery is made again", async () => {
  const { id } = await makeOrganisation(office.db);
  const endpoint = await makeEndpoint(office.db, id);
  await office.worker?.stop(); // two other workers make the calls below
  await office.db.sql("update app.webhook_endpoints set order_per_run = true where id = $1", [endpoint.endpointId]);
  const run = JSON.stringify({ runId: randomUUID() });
  const write = "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', $2)";
  for (let each = 0; each < 3; each += 1) await office.db.sql(write, [id, run]);
  const worker = office.db.poolAs("worker", 2);
  const [lost, ...more] = await leaseDue(worker, endpoint);
  expect(more).toEqual([]);
  expect(await leaseDue(worker, endpoint)).toEqual([]);
  await moveClock(office.db, "13 seconds");
  const [again] = await leaseDue(worker, endpoint);
  expect(again?.deliveryId).toBe(lost?.deliveryId);
  if (!lost || !again) throw new Error("nothing was leased");
  await record(worker, id, [[lost, { statusCode: 200 }]]); // too late: the lease has another holder
  expect(await leaseDue(worker, endpoint)).toEqual([]);
  await record(worker, id, [[again, { statusCode: 200 }]]);
  expect(await leaseDue(worker, endpoint)).toHaveLength(1);
});

test("however many deliveries of a run wait, deliveries of other runs are leased", async () => {
  const { id } = await makeOrganisation(office.db);
  const endpoint = await makeEndpoint(office.db, id);
  await office.db.sql("update app.webhook_endpoints set order_per_run = true where id = $1", [endpoint.endpointId]);
  const write = `insert into app.events (organisation_id, kind, data)
    select $1, 'run.finished', json_build_object('runId', $2::text) from generate_series(1, $3)`;
  const worker = office.db.poolAs("worker", 2);
  const stuck = randomUUID();
  await office.db.sql(write, [id, stuck, 1]);
  const [first] = await leaseDue(worker, endpoint);
  if (!first) throw new Error("nothing was leased");
  await office.db.sql(write, [id, stuck, 450]);
  await office.db.sql(write, [id, randomUUID(), 1]);
  await record(worker, id, [[first, { statusCode: 500 }]]); // waits for its retry
  expect(await leaseDue(worker, endpoint)).toHaveLength(1); // of the other run
  expect(await deferred(endpoint.endpointId)).toBe(450);
});
