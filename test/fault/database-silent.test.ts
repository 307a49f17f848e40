/** A network that drops all data to the database without closing connections. */
import { randomUUID } from "node:crypto";
import { expectRefusal } from "../support/answers.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { openPostOffice } from "../support/post-office.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { eventually } from "../support/worker.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import { type Call, type Made, untilAnswered } from "./calls.ts";
import { makeTenant } from "./fixture.ts";
import { withinMs } from "./journal.ts";
import { type Client, writes } from "./mixed-load.ts";

let db: TestDatabase;
let api: ApiAlone;
let network: SlowNetwork;

beforeAll(async () => {
  db = await testDatabase();
  const address = new URL(db.adminUrl);
  network = await slowNetworkTo(Number(address.port));
  address.port = String(network.port);
  api = await apiAlone(db, address.href, db.dataDir);
  await api.start();
});
afterAll(async () => {
  await killPrograms();
  await network?.close();
  await db?.drop();
});

const sessions = () =>
  db.sql<{ pid: number; state: string }>(
    "select pid, state from pg_stat_activity where datname = current_database() and application_name = 'botstead api'",
  );
const outages = howMany(1, 10);

test("API with a silent database returns 503 in time; statements delivered later have no effect", async () => {
  const clients = await api.clients(3);
  const made: Made[] = [];
  const ask = (call: Call, giveUp?: AbortSignal) => untilAnswered(api.url, call, made, giveUp);
  const memories = await Promise.all(
    clients.map(async ({ key }) => {
      const body = { scope: "organisation", kind: "fact", subject: "Harbour", value: randomUUID() };
      return { key, id: (await api.call("POST", "/memories", { key, body })).body.id as string };
    }),
  );
  const change = ({ key, id }: (typeof memories)[number]): Call => {
    const mark = randomUUID();
    const effects = [{ table: "memories" as const, mark }];
    return { method: "PATCH", path: `/memories/${id}`, key, body: { value: mark }, effects };
  };
  const reads = ({ key }: Client): Call[] =>
    ["/me", "/bots", "/memories"].map((path) => ({ method: "GET", path, key, effects: [] }));

  for (let outage = 0; outage < outages; outage += 1) {
    await Promise.all([...clients.flatMap(reads), ...memories.map(change)].map((call) => ask(call)));
    // All connections are open, so the network drops statements and not connection attempts.
    await eventually(async () => {
      await Promise.all([1, 2, 3].flatMap(() => clients.flatMap(reads)).map((call) => ask(call)));
      return (await sessions()).length > 6; // sessions of reads by id, of lists and of changes
    });
    const before = await sessions();
    network.silence(true);
    network.stall(true);
    const posts = clients.flatMap((client) => writes.map((write) => write(client)));
    // The first calls use open connections, the later ones open new connections. Changes come first: the Idempotency-Key
    // protects a late POST, but a late change would overwrite newer changes.
    for (const round of [1, 2]) {
      const calls = [...(round === 1 ? memories.map(change) : []), ...posts, ...clients.flatMap(reads)];
      const requests = Promise.all(calls.map((call) => ask(call, AbortSignal.abort())));
      const asleep = performance.now();
      expect(await Promise.all([api.health("/healthz"), api.health("/readyz")])).toEqual([200, 503]);
      expect(performance.now() - asleep).toBeLessThan(withinMs);
      for (const { tries } of await requests) {
        expect(tries).toMatchObject([{ answer: { status: 503, code: "unavailable" } }]);
      }
    }
    expectRefusal(await api.call("GET", "/me", { key: clients[0]?.key }), "unavailable");

    // New connections work again and the service uses them; the old connections stay silent.
    network.stall(false);
    await eventually(async () => (await api.health("/readyz")) === 200);
    await Promise.all([...posts, ...memories.map(change)].map((call) => ask(call)));
    // The network now delivers the dropped data, on the same connections and before these reads.
    network.silence(false);
    await Promise.all(clients.flatMap(reads).map((call) => ask(call)));
    const old = new Set(before.map(({ pid }) => pid));
    await eventually(async () => !(await sessions()).some(({ pid, state }) => old.has(pid) && state === "active"));
  }
  await api.expectNothingLost(`database silent ${outages} times, dropped data delivered later`, made);
});

/**
 * Time-outs of the worker: 65 s for a statement, 15 s for leases and executors, 20 s for a listening connection. The rest is
 * for slow machines.
 */
const foundWithinMs = 240_000;

test("worker with silent connections opens new ones, and completes due runs, deliveries and mails", async () => {
  const office = await openPostOffice({ worker: false });
  const { sql, adminUrl, masterKey } = office.db;
  const address = new URL(adminUrl);
  const way = await slowNetworkTo(Number(address.port));
  address.port = String(way.port);
  const env = { ...office.settings, DATABASE_URL: address.href, MASTER_KEY: masterKey };
  const worker = runProgram(["worker"], { env });
  const sessionsOf = () =>
    sql<{ pid: number; name: string }>(
      `select pid, application_name as name from pg_stat_activity
       where datname = current_database() and usename in ('worker', 'runner')`,
    );
  try {
    const home = { api: `${office.api.url}/api/v1` };
    await eventually(async () => (await sessionsOf()).some(({ name }) => name === "botstead executor, listening"));
    const tenant = await makeTenant({ home, hooks: office, sql });
    await tenant.run();
    await tenant.untilTaken();

    const before = await sessionsOf();
    way.silence(true);
    const since = performance.now();
    const load = tenant.load();
    const [mail] = await sql<{ id: string }>(
      `insert into app.mails (organisation_id, kind, recipient, data)
       values ($1, 'welcome', 'late@example.test', '{"organisation":"Late"}') returning id`,
      [tenant.who.organisation.id],
    );
    await load.untilMore(5);
    await load.stop();
    await eventually(async () => tenant.prompt.hook.posts().length >= tenant.acknowledged.length, foundWithinMs);
    await eventually(
      async () => (await sql("select from app.mails where id = $1 and sent_at is not null", [mail?.id])).length === 1,
      foundWithinMs,
    );
    expect(performance.now() - since).toBeLessThan(foundWithinMs);
    const kept = (await sessionsOf()).filter(({ name }) => /listening|heartbeat/.test(name));
    expect(kept.length).toBeGreaterThan(before.filter(({ name }) => /listening|heartbeat/.test(name)).length);

    way.silence(false); // the network delivers the statements that the worker did not cancel
    await tenant.expectNothingLost("worker's connections silent, dropped data delivered later", since);

    // A stopping worker does not wait for silent connections, even with an outcome to record.
    const posts = tenant.prompt.hook.posts().length;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    tenant.prompt.hook.answer = (_request, response) => void answered.then(() => response.writeHead(200).end());
    await tenant.run();
    await eventually(async () => tenant.prompt.hook.posts().length > posts);
    way.silence(true);
    const stopping = performance.now();
    const ended = worker.kill("SIGTERM");
    answer();
    expect((await ended).code).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(120_000);
  } finally {
    await worker.kill();
    await way.close();
    await office.close();
  }
});
