/** Graceful stop of the API: what happens to requests and kept connections. (docs/decisions/0011-http-requests.md) */
import type { Pool } from "pg";
import { type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { aRawConnection, type RawConnection } from "../support/raw-connection.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
let api: TestApi;
let connections: RawConnection[] = [];
beforeAll(() => {
  pool = here.db.poolAs("runner");
});
beforeEach(async () => {
  api = await testApi(here.db);
});
afterEach(async () => {
  for (const connection of connections) connection.destroy();
  connections = [];
  await api.stop();
});

/** How long kept connections stay open after the stop, so that a load balancer can notice it. */
const quietMs = 1_000;

async function aConnection(): Promise<RawConnection> {
  const connection = await aRawConnection(api.url);
  connections.push(connection);
  return connection;
}

const requestText = ({ key }: Member, method: string, path: string, body = "") =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test("stop answers or closes connections in constant use, without a lost change, and waits for no next request", async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => here.owner()));
  const newMemory = { scope: "organisation", kind: "fact", subject: "Harbour", value: "0" };
  const changes = members.map(() => 0);
  const done = Promise.all(
    members.map(async (ada, each) => {
      const { id } = (await ada.post("/memories", newMemory)).body;
      const { request } = await aConnection();
      for (let value = 1; ; value += 1) {
        const body = JSON.stringify({ value: `${value}` });
        const changed = await request(requestText(ada, "PATCH", `/memories/${id}`, body));
        if (changed) {
          expect(changed.status).toBe(200);
          changes[each] = value;
        }
        const read = changed && !changed.closes ? await request(requestText(ada, "GET", "/me")) : undefined;
        if (read) expect(read.status).toBe(200);
        if (!read || read.closes) return { ada, id, last: changes[each] };
      }
    }),
  );
  const silent = await aConnection();
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const waiter = await aConnection();
  const waits = waiter.request(requestText(ada, "GET", `/runs/${run.id}?wait=25`));
  await eventually(async () => waiter.serverResponses.length === 1 && changes.every((count) => count > 1));

  const began = performance.now();
  await api.stop(quietMs);
  expect(performance.now() - began).toBeLessThan(15_000); // the waiting request alone would take 25 s
  expect(await waits).toMatchObject({ status: 200, closes: true });
  for (const { ada, id, last } of await done) {
    expect(last).toBeGreaterThan(0);
    expect((await ada.get(`/memories/${id}`)).body.value).toBe(`${last}`);
  }
  await eventually(async () => silent.isClosed());
});

test("stop answers a change that waits for a lock, and a wait whose head is incomplete, as the last of their connections", async () => {
  const ada = await here.owner();
  const other = await here.owner();
  const run = await watchedRun(here, pool, other);
  const changer = await aConnection();
  const waiter = await aConnection();
  const row = await begun(here.db);
  await row.query("select from app.organisations where id = $1 for update", [ada.organisation.id]);
  const changed = changer.request(requestText(ada, "PATCH", "/organisation", JSON.stringify({ name: "Port" })));
  await untilWaiting(here.db, 1, changed);
  const wait = requestText(other, "GET", `/runs/${run.id}?wait=25`);
  await waiter.send(wait.slice(0, 20));
  await eventually(async () => waiter.serverSocket.bytesRead === 20);
  const began = performance.now();
  const stopped = api.stop(quietMs);
  expect(await waiter.request(wait.slice(20))).toMatchObject({ status: 200, closes: true });
  await row.query("rollback");
  expect(await changed).toMatchObject({ status: 200, closes: true });
  expect(JSON.parse((await changed)?.body ?? "").name).toBe("Port");
  await stopped;
  expect(performance.now() - began).toBeLessThan(3_000);
});

test("a kept connection answers a request within the quiet time, and begins none after its end", async () => {
  const ada = await here.owner();
  const rename = (name: string) => requestText(ada, "PATCH", "/organisation", JSON.stringify({ name }));
  const [early, late] = [await aConnection(), await aConnection()];
  for (const one of [early, late])
    expect(await one.request(requestText(ada, "GET", "/me"))).toMatchObject({ status: 200, closes: false });
  const stopped = api.stop(quietMs);
  // A fixed wait: the test is about a request in the middle of the quiet time.
  await new Promise((resolve) => setTimeout(resolve, quietMs / 2));
  expect(await early.request(rename("Early"))).toMatchObject({ status: 200, closes: true });
  expect(await late.nextResponse()).toBeUndefined();
  const before = late.serverSocket.bytesRead;
  await late.send(rename("Late"));
  await eventually(async () => late.serverSocket.bytesRead === before + rename("Late").length);
  late.end();
  await stopped;
  expect(late.errors).toEqual([]); // the connection is ended, not reset
  expect((await ada.get("/organisation")).body.name).toBe("Early");
});

test("a request after the quiet time, behind a response that is still being read, is performed and answered, or neither", async () => {
  const ada = await here.owner();
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, created_by)
     select $1, 'organisation', 'note', 'Memory ' || number, repeat('€', 4000), 'import', 'test', person_id
     from app.memberships, generate_series(1, 200) number where organisation_id = $1`,
    [ada.organisation.id],
  );
  const [slow, idle] = [await aConnection(), await aConnection()];
  const page = requestText(ada, "GET", "/memories?limit=200");
  slow.pause();
  // Sends pages until the system's buffers are full, which leaves the last response begun and unfinished.
  let [pages, stalledPolls] = [0, 0];
  while (stalledPolls < 10) {
    await slow.send(page);
    pages += 1;
    await eventually(async () => {
      const last = slow.serverResponses[pages - 1];
      stalledPolls = last?.headersSent && !last.closed ? stalledPolls + 1 : 0;
      return last?.closed === true || stalledPolls === 10;
    });
  }
  const stopped = api.stop(100);
  await eventually(async () => idle.isClosed()); // at the end of the quiet time
  await slow.send(requestText(ada, "PATCH", "/organisation", JSON.stringify({ name: "Behind" })));
  slow.resume();
  const statuses: number[] = [];
  for (let answer = await slow.nextResponse(); answer; answer = await slow.nextResponse()) {
    statuses.push(answer.status);
    if (answer.closes) break;
  }
  await stopped;
  const isDone = (await ada.get("/organisation")).body.name === "Behind";
  expect(statuses).toEqual(Array(isDone ? pages + 1 : pages).fill(200));
});
