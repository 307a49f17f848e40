/** A hanging endpoint or model delays no other work, and a stopping worker finishes its posts. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { makeOrganisation } from "../support/database.ts";
import { makeDue } from "../support/endpoint-leases.ts";
import { priceModel } from "../support/model-fixture.ts";
import { says, saysNothing, startModelServer } from "../support/model-server.ts";
import { customer, ownOfficeOfFile, status } from "../support/post-office.ts";
import { begun, lockWaits, terminateWaiting } from "../support/transactions.ts";
import { deliveryJobs, eventually, testWorker } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });

test("an endpoint that never answers, with a thousand pending deliveries, does not delay other endpoints", async () => {
  const [silent, other] = [await customer(office), await customer(office)];
  const hanging = office.hook(() => {});
  const endpoint = await silent.subscribe(hanging);
  await makeDue(office.db, { organisationId: silent.organisation.id, endpointId: endpoint.id }, 1_000);
  const worker = await testWorker(office.db, office.settings);
  await eventually(async () => hanging.posts().length === 10); // its share hangs
  const hook = office.hook();
  const prompt = await other.subscribe(hook);
  const neighbour = office.hook(); // of the same organisation
  const beside = await silent.subscribe(neighbour);
  for (let each = 0; each < 5; each += 1) {
    await other.ask("POST", `/webhooks/${prompt.id}/test`);
    await silent.ask("POST", `/webhooks/${beside.id}/test`);
  }
  await eventually(async () => hook.posts().length === 5 && neighbour.posts().length === 5);
  expect(hanging.posts()).toHaveLength(10); // none of them ended first
  await silent.ask("DELETE", `/webhooks/${endpoint.id}`); // its waiting deliveries fail at once
  const [left] = await office.db.sql<{ count: string }>(
    "select count(*) from app.deliveries where endpoint_id = $1 and state = 'pending'",
    [endpoint.id],
  );
  expect(left?.count).toBe("10");
  await worker.stop();
  const [ended] = await office.db.sql<{ count: string }>(
    "select count(*) from app.deliveries where endpoint_id = $1 and state = 'failed' and last_failure = 'timeout'",
    [endpoint.id],
  );
  expect(ended?.count).toBe("10"); // the stopping worker waited for them and recorded their outcomes
});

test("seventy runs of a model that never answers do not delay other runs", async () => {
  const server = await startModelServer();
  server.scripts.set("slow", [saysNothing]).set("prompt", [says("Hello.")]);
  for (const model of ["slow", "prompt"]) await priceModel(office.db, model);
  const worker = await testWorker(office.db, {
    ...office.settings,
    MODEL_BASE_URL: server.url,
    MODEL_API_KEY: "sk-test",
  });
  try {
    const [noisy, other] = [await customer(office, "slow"), await customer(office, "prompt")];
    for (let run = 0; run < 70; run += 1) {
      const bot = (await noisy.ask("POST", "/bots", { name: "Noisy", model: "slow" })).body.id;
      await noisy.ask("POST", "/runs", { botId: bot, message: "Hello" });
    }
    await eventually(async () => server.requests("slow").length === 16); // its share hangs
    const own = (await noisy.ask("POST", "/bots", { name: "Offline", model: "recall" })).body.id;
    const beside = (await other.ask("POST", "/bots", { name: "Offline", model: "recall" })).body.id;
    const runs = [
      (await noisy.ask("POST", "/runs", { botId: own, message: "Hello" })).body.id,
      (await other.ask("POST", "/runs", { botId: beside, message: "Hello" })).body.id,
      await other.run("Hello"),
    ];
    const completed = async () =>
      (await office.db.sql("select from app.runs where id = any ($1) and state = 'completed'", [runs])).length;
    await eventually(async () => (await completed()) === runs.length);
    expect(server.requests("slow")).toHaveLength(16); // none of them ended first
    await office.db.sql(
      "update app.runs set state = 'cancelled' where organisation_id = $1 and state in ('queued', 'running')",
      [noisy.organisation.id],
    );
  } finally {
    await worker.stop();
    await server.close();
  }
});

test("a silent mail server, with more mails than slots, delays no delivery", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  await office.db.sql(
    `insert into app.mails (organisation_id, kind, recipient, data)
     select $1, 'welcome', number || '@example.test', '{"organisation":"Harbour"}' from generate_series(1, 250) number`,
    [who.organisation.id],
  );
  const waiting: Socket[] = [];
  const silent = createServer((socket) => void waiting.push(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as AddressInfo;
  const worker = await testWorker(office.db, { ...office.settings, SMTP_URL: `smtp://127.0.0.1:${port}` });
  try {
    await eventually(async () => waiting.length === 5);
    await who.ask("POST", `/webhooks/${endpoint.id}/test`);
    await eventually(async () => hook.posts().length === 1);
  } finally {
    silent.close();
    for (const socket of waiting) socket.destroy();
    await worker.stop();
    await office.db.sql("delete from app.mails where sent_at is null");
    await office.db.sql("delete from graphile_worker._private_jobs where key like 'mail:%'");
  }
});

test("200 endpoints that hang at their first delivery delay no other", async () => {
  const [noisy, other] = [await customer(office), await customer(office)];
  const responses: (() => void)[] = [];
  const hanging = office.hook((_request, response) => void responses.push(() => response.writeHead(200).end()));
  const source = await noisy.subscribe(hanging);
  for (let each = 0; each < 20; each += 1) {
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
  const worker = await testWorker(office.db, office.settings);
  await eventually(async () => responses.length === 200);
  const hook = office.hook();
  const prompt = await other.subscribe(hook);
  await makeDue(office.db, { organisationId: other.organisation.id, endpointId: prompt.id }, 1);
  await eventually(async () => hook.posts().length === 1);
  expect(hanging.posts()).toHaveLength(200); // none of them ended first
  for (const answer of responses) answer();
  await worker.stop();
  expect(await office.db.sql("select from app.deliveries where state = 'pending'")).toEqual([]);
});

test("deliveries written while the connection that listens for jobs is away arrive once each", async () => {
  const who = await customer(office);
  const hooks = Array.from({ length: 9 }, () => office.hook());
  const endpoints = await Promise.all(hooks.map((hook) => who.subscribe(hook)));
  const worker = await testWorker(office.db, office.settings);
  for (const { id } of endpoints) {
    await office.db.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'botstead worker, jobs' and query like 'LISTEN%'`,
    );
    await makeDue(office.db, { organisationId: who.organisation.id, endpointId: id }, 1);
  }
  await eventually(async () => hooks.every((hook) => hook.posts().length === 1));
  await worker.stop();
  expect(hooks.map((hook) => hook.posts().length)).toEqual(hooks.map(() => 1));
});

test("a stopping worker records its running attempts, begins none, and leaves the rest queued", async () => {
  const who = await customer(office);
  const responses: (() => void)[] = [];
  const hook = office.hook((_request, response) => void responses.push(() => response.writeHead(200).end()));
  const other = office.hook();
  const [endpoint, meanwhile] = [await who.subscribe(hook), await who.subscribe(other)];
  await makeDue(office.db, { organisationId: who.organisation.id, endpointId: endpoint.id }, 25);
  const first = await testWorker(office.db, office.settings);
  await eventually(async () => responses.length === 10);
  const stopping = first.stop();
  await makeDue(office.db, { organisationId: who.organisation.id, endpointId: meanwhile.id }, 1);
  for (const answer of responses) answer();
  await stopping;
  const delivered = async () =>
    (await office.db.sql("select from app.deliveries where endpoint_id = $1 and state = 'delivered'", [endpoint.id]))
      .length;
  expect([await delivered(), hook.posts().length]).toEqual([10, 10]);
  expect(await deliveryJobs(office.db, "locked_by is not null")).toEqual([]);
  const queued = (await deliveryJobs(office.db)).map((job) => job.endpoint);
  expect(new Set(queued)).toEqual(new Set([endpoint.id, meanwhile.id])); // for the remaining fifteen, and the one since

  hook.answer = status(200);
  const next = await testWorker(office.db, office.settings);
  await eventually(async () => (await delivered()) === 25 && other.posts().length === 1);
  await next.stop();
  expect(hook.posts()).toHaveLength(25);
});

test("outcomes are recorded even while no job can be fetched or completed", async () => {
  const who = await customer(office);
  const responses: (() => void)[] = [];
  const slow = office.hook((_request, response) => void responses.push(() => response.writeHead(200).end()));
  const endpoints = await Promise.all(Array.from({ length: 9 }, () => who.subscribe(slow)));
  for (const { id } of endpoints) await who.ask("POST", `/webhooks/${id}/test`);
  const worker = await testWorker(office.db, office.settings);
  await eventually(async () => responses.length === endpoints.length);
  const delivered = async () =>
    (
      await office.db.sql("select from app.deliveries where endpoint_id = any ($1) and state = 'delivered'", [
        endpoints.map(({ id }) => id),
      ])
    ).length;
  const waiting = async () =>
    (
      await office.db.sql(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
    ).length;

  const blocker = await begun(office.db);
  try {
    await blocker.query("lock table graphile_worker._private_jobs in access exclusive mode");
    for (const answer of responses.slice(1)) answer();
    await eventually(async () => (await waiting()) >= 2); // every connection that could complete a job
    responses[0]?.();
    await eventually(async () => (await delivered()) === endpoints.length);
    expect(await waiting()).toBeGreaterThanOrEqual(2);
  } finally {
    await blocker.query("rollback");
    await worker.stop();
  }
});

test("a worker that loses its connections while it completes jobs completes them later, and continues", async () => {
  const who = await customer(office);
  const [first, second] = [office.hook(), office.hook()];
  const [one, other] = [await who.subscribe(first), await who.subscribe(second)];
  const responses: (() => void)[] = [];
  first.answer = (_request, response) => void responses.push(() => response.writeHead(200).end());
  const worker = await testWorker(office.db, office.settings);
  await who.ask("POST", `/webhooks/${one.id}/test`);
  await eventually(async () => responses.length === 1);
  const session = "botstead worker, jobs";
  const blocker = await begun(office.db);
  await blocker.query("lock table graphile_worker._private_jobs in access exclusive mode");
  responses[0]?.();
  await eventually(
    async () => (await lockWaits(office.db, `application_name = '${session}' and query like '%delete from%'`)) === 1,
  );
  await terminateWaiting(office.db, session);
  await blocker.query("rollback");
  await who.ask("POST", `/webhooks/${other.id}/test`);
  await eventually(async () => second.posts().length === 1 && (await deliveryJobs(office.db)).length === 0);
  await worker.stop();
  expect([first.posts().length, second.posts().length]).toEqual([1, 1]);
});
