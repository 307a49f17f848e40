/** A network that swallows what is said to the database, and closes nothing. */
import { randomUUID } from "node:crypto";
import { expectRefusal } from "../support/answers.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Line, lineTo } from "../support/line.ts";
import { killPrograms } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import { type Call, type Made, untilAnswered } from "./calls.ts";
import { withinMs } from "./journal.ts";
import { type Client, writes } from "./mixed-load.ts";

let db: TestDatabase;
let api: ApiAlone;
let line: Line;

beforeAll(async () => {
  db = await testDatabase();
  const address = new URL(db.adminUrl);
  line = await lineTo(Number(address.port));
  address.port = String(line.port);
  api = await apiAlone(db, address.href, db.dataDir);
  await api.start();
}, 60_000);
afterAll(async () => {
  await killPrograms();
  await line?.close();
  await db?.drop();
});

const sessions = () =>
  db.sql<{ pid: number; state: string }>(
    "select pid, state from pg_stat_activity where datname = current_database() and application_name = 'botstead api'",
  );
const outages = howMany(1, 10);

test("callers get 503 in time, and what they were told 503 for is not done behind their back, when it is heard after all", async () => {
  const clients = await api.clients(3);
  const made: Made[] = [];
  const ask = (call: Call, giveUp?: AbortSignal) => untilAnswered(api.url, call, made, giveUp);
  const claims = await Promise.all(
    clients.map(async ({ key }) => {
      const body = { scope: "organisation", kind: "fact", subject: "Harbour", value: randomUUID() };
      return { key, id: (await api.call("POST", "/memories", { key, body })).body.id as string };
    }),
  );
  const change = ({ key, id }: (typeof claims)[number]): Call => {
    const mark = randomUUID();
    const effects = [{ table: "memories" as const, mark }];
    return { method: "PATCH", path: `/memories/${id}`, key, body: { value: mark }, effects };
  };
  const reads = ({ key }: Client): Call[] =>
    ["/me", "/bots", "/memories"].map((path) => ({ method: "GET", path, key, effects: [] }));

  for (let outage = 0; outage < outages; outage += 1) {
    await Promise.all([...clients.flatMap(reads), ...claims.map(change)].map((call) => ask(call)));
    // All are connected, so that what is swallowed is a statement that was sent.
    await eventually(async () => {
      await Promise.all([1, 2, 3].flatMap(() => clients.flatMap(reads)).map((call) => ask(call)));
      return (await sessions()).length > 10;
    });
    const before = await sessions();
    line.silence(true);
    line.hold(true);
    const posts = clients.flatMap((client) => writes.map((write) => write(client)));
    // The first to come speak into what is connected, those after them into what they connect to. Changes are the first: a
    // POST that is heard late is known by its key, and a change would undo what has been changed since.
    for (const round of [1, 2]) {
      const calls = [...(round === 1 ? claims.map(change) : []), ...posts, ...clients.flatMap(reads)];
      const asked = Promise.all(calls.map((call) => ask(call, AbortSignal.abort())));
      const asleep = performance.now();
      expect(await Promise.all([api.health("/healthz"), api.health("/readyz")])).toEqual([200, 503]);
      expect(performance.now() - asleep).toBeLessThan(withinMs);
      for (const { tries } of await asked) {
        expect(tries).toMatchObject([{ answer: { status: 503, code: "unavailable" } }]);
      }
    }
    expectRefusal(await api.call("GET", "/me", { key: clients[0]?.key }), "unavailable");

    // There is a way again, and it is found; what was connected is still silent.
    line.hold(false);
    await eventually(async () => (await api.health("/readyz")) === 200, 10_000);
    await Promise.all([...posts, ...claims.map(change)].map((call) => ask(call)));
    // Now what was said is heard: by the same line and before these reads, whose answers come by it.
    line.silence(false);
    await Promise.all(clients.flatMap(reads).map((call) => ask(call)));
    const old = new Set(before.map(({ pid }) => pid));
    await eventually(async () => !(await sessions()).some(({ pid, state }) => old.has(pid) && state === "active"));
  }
  await api.expectNothingLost(`database unheard ${outages} times, then heard after all`, made);
}, 180_000);
