/** Notified deliveries when their worker is killed or stops, when its connection ends, and when it has too many. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { makeOrganisation } from "../support/database.ts";
import { type EndpointKey, makeDue } from "../support/endpoint-leases.ts";
import { type Customer, customer, type Endpoint, ownOfficeOfFile } from "../support/post-office.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import { deliveryJobs, eventually, testWorker } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });
let worker: RunningWorker | undefined;
afterEach(() => worker?.stop());
afterAll(killPrograms);

const keyOf = (who: Customer, { id }: Endpoint): EndpointKey => ({
  organisationId: who.organisation.id,
  endpointId: id,
});

/** Waits until this many workers are notified of deliveries. */
const untilNotified = (count: number) =>
  eventually(
    async () => (await office.db.sql("select from app.worker_pools where notified_until > now()")).length === count,
  );

test("a delivery arrives within 30 s though its worker was killed after the notification and before the lease", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  const process = runProgram(["worker"], {
    env: {
      ...office.settings,
      DATABASE_URL: office.db.adminUrl,
      MASTER_KEY: readFileSync(join(office.db.dataDir, "master.key"), "utf8").trim(),
    },
  });
  await untilNotified(1);
  process.child.kill("SIGSTOP");
  await makeDue(office.db, keyOf(who, endpoint), 1);
  expect(await deliveryJobs(office.db)).toEqual([]); // only the notification names it
  await process.kill("SIGKILL");
  const killed = performance.now();
  worker = await testWorker(office.db, office.settings);
  await eventually(async () => hook.posts().length === 1);
  console.info(`delivered ${Math.round(performance.now() - killed)} ms after the kill`);
  expect(performance.now() - killed).toBeLessThan(30_000);
  await worker.stop();
  expect(hook.posts()).toHaveLength(1);
});

test("deliveries written while the listening connection is away arrive once each, and later ones are notified again", async () => {
  const who = await customer(office);
  const hooks = Array.from({ length: 9 }, () => office.hook());
  const endpoints = await Promise.all(hooks.map((hook) => who.subscribe(hook)));
  worker = await testWorker(office.db, office.settings);
  await untilNotified(1);
  for (const endpoint of endpoints) {
    await office.db.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'botstead worker, heartbeat'`,
    );
    await makeDue(office.db, keyOf(who, endpoint), 1);
  }
  await eventually(async () => hooks.every((hook) => hook.posts().length === 1));
  const last = office.hook();
  const later = await who.subscribe(last);
  await untilNotified(1);
  await eventually(async () => (await deliveryJobs(office.db)).length === 0);
  const jobsSoFar = () =>
    office.db.sql("select pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id'))");
  const before = await jobsSoFar();
  await makeDue(office.db, keyOf(who, later), 1);
  await eventually(async () => last.posts().length === 1);
  expect(await jobsSoFar()).toEqual(before); // it had no job
  await worker.stop();
  expect(hooks.map((hook) => hook.posts().length)).toEqual(hooks.map(() => 1));
});

test("a hundred notified deliveries that hang delay no other: the next ones get jobs", async () => {
  const [noisy, other] = [await customer(office), await customer(office)];
  worker = await testWorker(office.db, office.settings);
  await untilNotified(1);
  const responses: (() => void)[] = [];
  const hanging = office.hook((_request, response) => void responses.push(() => response.writeHead(200).end()));
  const source = await noisy.subscribe(hanging);
  for (let each = 0; each < 11; each += 1) {
    const { id } = await makeOrganisation(office.db); // an organisation may have ten endpoints
    const endpoints = await office.db.sql<{ id: string }>(
      `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       select $1, endpoint.url, endpoint.events, endpoint.secret_sealed
       from app.webhook_endpoints endpoint, generate_series(1, 10)
       where endpoint.id = $2
       returning id`,
      [id, source.id],
    );
    for (const endpoint of endpoints) await makeDue(office.db, { organisationId: id, endpointId: endpoint.id }, 1);
  }
  await eventually(async () => responses.length === 110);
  expect(await deliveryJobs(office.db, "locked_by is not null")).toHaveLength(10); // the others were notified
  const hook = office.hook();
  const prompt = await other.subscribe(hook);
  await makeDue(office.db, keyOf(other, prompt), 1);
  await eventually(async () => hook.posts().length === 1);
  expect(hanging.posts()).toHaveLength(110); // none of them ended first
  for (const answer of responses) answer();
  await worker.stop();
  expect(await office.db.sql("select from app.deliveries where state <> 'delivered'")).toEqual([]);
});

test("a stopping worker finishes its notified delivery, and deliveries written meanwhile get jobs", async () => {
  const who = await customer(office);
  const responses: (() => void)[] = [];
  const slow = office.hook((_request, response) => void responses.push(() => response.writeHead(200).end()));
  const [first, meanwhile] = [await who.subscribe(slow), await who.subscribe(office.hook())];
  worker = await testWorker(office.db, office.settings);
  await untilNotified(1);
  await makeDue(office.db, keyOf(who, first), 1);
  await eventually(async () => responses.length === 1);
  expect(await deliveryJobs(office.db)).toEqual([]); // it is a notified one
  const stopping = worker.stop();
  await untilNotified(0);
  await makeDue(office.db, keyOf(who, meanwhile), 1);
  expect(await deliveryJobs(office.db, "locked_by is null")).toHaveLength(1);
  for (const answer of responses) answer();
  await stopping;
  expect((await who.untilDelivery(first, "delivered", 1)).attemptLog).toHaveLength(1);
});
