/** An endpoint that hangs under a backlog keeps nobody waiting, and a worker that stops finishes what it sends. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { customer, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import { makeDue } from "../support/visits.ts";
import { eventually, testWorker, visits } from "../support/worker.ts";

let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
});
afterAll(() => office.close());

test("beside an endpoint that never answers, with a thousand pending, everybody else is delivered to", async () => {
  const [silent, other] = [await customer(office), await customer(office)];
  const hanging = office.hook(() => {});
  const endpoint = await silent.subscribe(hanging);
  await makeDue(office.db, { organisationId: silent.organisation.id, endpointId: endpoint.id }, 1_000);
  const worker = await testWorker(office.db, office.settings);
  await eventually(async () => hanging.posts().length === 10); // its share hangs, and stays
  const hook = office.hook();
  const prompt = await other.subscribe(hook);
  const neighbour = office.hook(); // of the same organisation
  const beside = await silent.subscribe(neighbour);
  for (let each = 0; each < 5; each += 1) {
    await other.ask("POST", `/webhooks/${prompt.id}/test`);
    await silent.ask("POST", `/webhooks/${beside.id}/test`);
  }
  await eventually(async () => hook.posts().length === 5 && neighbour.posts().length === 5);
  expect(hanging.posts()).toHaveLength(10); // none of them had to end first
  await silent.ask("DELETE", `/webhooks/${endpoint.id}`); // and what waits there has failed at once
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
  expect(ended?.count).toBe("10"); // a stopping worker waited for them, and recorded what came of them
}, 40_000);

test("a mail server that says nothing, with more mails than there are slots, keeps no delivery waiting", async () => {
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
    await eventually(async () => hook.posts().length === 1, 5_000);
  } finally {
    silent.close();
    for (const socket of waiting) socket.destroy();
    await worker.stop();
    await office.db.sql("delete from app.mails where sent_at is null");
    await office.db.sql("delete from graphile_worker._private_jobs where key like 'mail:%'");
  }
}, 40_000);

test("a worker that stops records what it is sending, begins nothing new, and leaves the rest to the next", async () => {
  const who = await customer(office);
  const held: (() => void)[] = [];
  const hook = office.hook((_request, response) => void held.push(() => response.writeHead(200).end()));
  const endpoint = await who.subscribe(hook);
  await makeDue(office.db, { organisationId: who.organisation.id, endpointId: endpoint.id }, 25);
  const first = await testWorker(office.db, office.settings);
  await eventually(async () => held.length === 10);
  const stopping = first.stop();
  for (const answer of held) answer();
  await stopping;
  const delivered = async () =>
    (await office.db.sql("select from app.deliveries where endpoint_id = $1 and state = 'delivered'", [endpoint.id]))
      .length;
  expect([await delivered(), hook.posts().length]).toEqual([10, 10]);
  expect(await visits(office.db, "locked_by is not null")).toEqual([]);
  expect(await visits(office.db)).not.toEqual([]); // somebody will come for the fifteen that are left

  hook.answer = status(200);
  const next = await testWorker(office.db, office.settings);
  await eventually(async () => (await delivered()) === 25);
  await next.stop();
  expect(hook.posts()).toHaveLength(25);
});

test("while no job can be fetched or ended, what came of an attempt is recorded", async () => {
  const who = await customer(office);
  const held: (() => void)[] = [];
  const slow = office.hook((_request, response) => void held.push(() => response.writeHead(200).end()));
  const endpoints = await Promise.all(Array.from({ length: 9 }, () => who.subscribe(slow)));
  const worker = await testWorker(office.db, office.settings);
  for (const { id } of endpoints) await who.ask("POST", `/webhooks/${id}/test`);
  await eventually(async () => held.length === endpoints.length);
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

  const blocker = new Client({ connectionString: office.db.adminUrl });
  await blocker.connect();
  try {
    await blocker.query("begin; lock table graphile_worker._private_jobs in access exclusive mode");
    for (const answer of held.slice(1)) answer();
    await eventually(async () => (await waiting()) >= 4); // every connection on which a job could be ended
    held[0]?.();
    await eventually(async () => (await delivered()) === endpoints.length);
    expect(await waiting()).toBeGreaterThanOrEqual(4);
  } finally {
    await blocker.end();
    await worker.stop();
  }
});
