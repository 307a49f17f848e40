/** Another worker recovers the work of a killed worker within 30 seconds. */
import { customer, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import { killPrograms } from "../support/program.ts";
import { begun, lockWaits, terminateWaiting } from "../support/transactions.ts";
import { deliveryJobs, eventually, moveClock, testWorker, workerProcess } from "../support/worker.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
});
afterAll(async () => {
  await killPrograms();
  await office.close();
});

const locked = () => deliveryJobs(office.db, "locked_by is not null");

test("a post interrupted by a killed worker arrives again within 30 s with the same id", async () => {
  const who = await customer(office);
  const hook = office.hook(() => {}); // holds the post
  const endpoint = await who.subscribe(hook);
  const first = workerProcess(office);
  const { id } = (await who.ask("POST", `/webhooks/${endpoint.id}/test`)).body;
  await eventually(async () => hook.posts().length === 1);
  expect(await locked()).toHaveLength(1);
  await first.kill("SIGKILL");
  const killed = Date.now();
  const dead = (await locked())[0]?.locked_by;
  expect(dead).toBeDefined(); // the lock remains, so there is something to recover

  hook.answer = status(200);
  const second = workerProcess(office);
  const delivery = await eventually(async () => hook.posts().length === 2).then(() =>
    who.untilDelivery(endpoint, "delivered"),
  );
  console.info(`delivered again ${Date.now() - killed} ms after the kill`);
  expect(Date.now() - killed).toBeLessThan(30_000);
  expect(delivery.id).toBe(id);
  const [before, after] = hook.posts();
  expect(after?.headers["x-botstead-delivery"]).toBe(id);
  expect(after?.body).toBe(before?.body);
  // The interrupted attempt has no outcome, so it is not in the log.
  expect(delivery.attemptLog).toMatchObject([{ number: 1, trigger: "scheduled", statusCode: 200 }]);
  await eventually(async () => (await deliveryJobs(office.db)).length === 0);
  await second.kill("SIGTERM");
});

test("a delivery arrives within 30 s though its worker was killed after it took the job and before the lease", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  const locker = await begun(office.db);
  await locker.query("lock table app.webhook_endpoints in exclusive mode");
  const first = workerProcess(office);
  const session = "botstead worker, delivery leases";
  await eventually(async () => (await lockWaits(office.db, `application_name = '${session}'`)) > 0);
  expect(await locked()).toHaveLength(1);
  await first.kill("SIGKILL");
  const killed = performance.now();
  await terminateWaiting(office.db, session); // the server has not noticed the kill
  await locker.query("rollback");
  expect(await office.db.sql("select from app.deliveries where lease_id is not null")).toEqual([]);
  const second = workerProcess(office);
  await who.untilDelivery(endpoint, "delivered", 1);
  console.info(`delivered ${Math.round(performance.now() - killed)} ms after the kill`);
  expect(performance.now() - killed).toBeLessThan(30_000);
  await second.kill("SIGTERM");
  expect(hook.posts()).toHaveLength(1);
});

test("with orderPerRun, a post interrupted by a killed worker arrives again before the next one of its run", async () => {
  const who = await customer(office);
  const hook = office.hook(() => {}); // holds the post
  const events = ["run.started", "run.finished"];
  const endpoint = (await who.ask("POST", "/webhooks", { url: hook.url, events, orderPerRun: true })).body;
  const first = workerProcess(office);
  for (const kind of events) {
    await office.db.sql("insert into app.events (organisation_id, kind, data) values ($1, $2, $3)", [
      who.organisation.id,
      kind,
      JSON.stringify({ runId: endpoint.id }), // any id
    ]);
  }
  await eventually(async () => hook.posts().length === 1);
  await first.kill("SIGKILL");
  hook.answer = status(200);
  await moveClock(office.db, "13 seconds"); // past its lease
  const second = workerProcess(office);
  await who.untilDelivery(endpoint, "delivered", 1);
  expect(hook.posts().map(({ headers }) => headers["x-botstead-event"])).toEqual(["run.started", ...events]);
  await eventually(async () => (await deliveryJobs(office.db)).length === 0);
  await second.kill("SIGTERM");
});

test("a stopped worker exits with code 0 and leaves no lock", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  const executors = () => office.db.sql("select id from app.executors order by id");
  const others = await executors();
  const worker = workerProcess(office);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  await who.untilDelivery(endpoint, "delivered", 1);
  expect(await executors()).toHaveLength(others.length + 1);
  const { code } = await worker.kill("SIGTERM");
  expect(code).toBe(0);
  expect(await locked()).toEqual([]);
  expect(await executors()).toEqual(others); // it deregistered
});

test("maintenance requeues deliveries and mails whose jobs were lost", async () => {
  const who = await customer(office);
  const [now, later] = [office.hook(), office.hook(status(500))];
  const [first, second] = [await who.subscribe(now), await who.subscribe(later)];
  await who.ask("POST", `/webhooks/${second.id}/test`);
  let worker = await testWorker(office.db, office.settings);
  await who.untilDelivery(second, "pending", 1); // and now waits for its retry
  await worker.stop();
  later.answer = status(200);
  await who.ask("POST", `/webhooks/${first.id}/test`);
  const [mail] = await office.db.sql<{ id: string }>(
    `insert into app.mails (organisation_id, kind, recipient, data)
     values ($1, 'welcome', 'lost@example.test', '{"organisation":"Lost"}') returning id`,
    [who.organisation.id],
  );
  expect((await deliveryJobs(office.db)).length).toBeGreaterThanOrEqual(2);
  await office.db.sql("delete from graphile_worker._private_jobs");

  await moveClock(office.db, "2 minutes");
  worker = await testWorker(office.db, office.settings);
  await who.untilDelivery(first, "delivered", 1);
  await who.untilDelivery(second, "delivered", 2);
  await eventually(
    async () =>
      (await office.db.sql("select from app.mails where id = $1 and sent_at is not null", [mail?.id])).length === 1,
  );
  await worker.stop();
  expect([now.posts().length, later.posts().length]).toEqual([1, 2]);
});

test("concurrent maintenance runs queue one job per endpoint, and so does the next", async () => {
  const who = await customer(office);
  const hooks = [office.hook(), office.hook()];
  const endpoints = [];
  for (const hook of hooks) endpoints.push(await who.subscribe(hook));
  for (const { id } of endpoints) {
    for (let each = 0; each < 10; each += 1) await who.ask("POST", `/webhooks/${id}/test`);
  }
  await office.db.sql("delete from graphile_worker._private_jobs");
  await moveClock(office.db, "20 seconds");
  const pool = office.db.poolAs("worker", 8);
  const maintenance = async () => (await pool.query("select requeued from jobs.run_maintenance()")).rows[0].requeued;
  const maintained = await Promise.all(Array.from({ length: 8 }, maintenance));
  expect(maintained.reduce((sum, requeued) => sum + requeued, 0)).toBe(2);
  expect(await maintenance()).toBe(0);
  expect((await deliveryJobs(office.db)).map(({ endpoint }) => endpoint).sort()).toEqual(
    endpoints.map(({ id }) => id).sort(),
  );
  const worker = await testWorker(office.db, office.settings);
  await eventually(async () => (await deliveryJobs(office.db)).length === 0);
  await worker.stop();
  for (const hook of hooks) {
    expect(hook.posts()).toHaveLength(10);
    expect(new Set(hook.posts().map(({ headers }) => headers["x-botstead-delivery"])).size).toBe(10);
  }
});

test("maintenance does not touch long jobs of a running worker", async () => {
  const who = await customer(office);
  const responses: (() => void)[] = [];
  const hook = office.hook((_request, response) => void responses.push(() => response.writeHead(200).end()));
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  const worker = await testWorker(office.db, office.settings);
  await eventually(async () => responses.length === 1);
  const old =
    "update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_at is not null";
  await office.db.sql(old);
  expect((await office.db.sql("select freed from jobs.run_maintenance()"))[0]).toEqual({ freed: 0 });
  expect(await locked()).toHaveLength(1);
  for (const answer of responses) answer();
  await who.untilDelivery(endpoint, "delivered", 1);
  await worker.stop();
  expect(hook.posts()).toHaveLength(1);
});
