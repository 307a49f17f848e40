/** What a process that is asked to stop says to those whose connections are kept. */
import { connect, type Socket } from "node:net";
import type { Pool } from "pg";
import { type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
let api: TestApi;
let sockets: Socket[] = [];
beforeAll(() => {
  pool = here.db.poolAs("runner");
});
beforeEach(async () => {
  api = await testApi(here.db);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await api.stop();
});

/** As long as a balancer may need. */
const quietMs = 1_000;

type Answer = { status: number; closes: boolean; body: string };

/** One connection, on which one request after another is asked; undefined where it was closed before a word of an answer. */
async function talker() {
  const errors: Error[] = [];
  const at = { port: Number(new URL(api.url).port), host: "127.0.0.1", allowHalfOpen: true };
  const socket = connect(at).on("error", (error) => errors.push(error));
  sockets.push(socket);
  await new Promise((resolve) => socket.once("connect", resolve));
  let heard = "";
  let closed = false; // by the other side
  let look = () => {};
  socket.setEncoding("latin1").on("data", (part) => {
    heard += part;
    look();
  });
  for (const end of ["end", "close"]) {
    socket.once(end, () => {
      closed = true;
      look();
    });
  }
  const say = (text: string) => void socket.write(text);
  const hear = async (): Promise<Answer | undefined> => {
    for (;;) {
      const end = heard.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(heard)?.[1]);
      if (end >= 0 && heard.length >= end + 4 + length) {
        const [head, body] = [heard.slice(0, end), heard.slice(end + 4, end + 4 + length)];
        heard = heard.slice(end + 4 + length);
        return { status: Number(head.slice(9, 12)), closes: /\r\nconnection: close/i.test(head), body };
      }
      if (closed) {
        expect(heard).toBe(""); // no half of an answer
        return undefined;
      }
      await new Promise<void>((resolve) => (look = resolve));
    }
  };
  const ask = (text: string) => {
    say(text);
    return hear();
  };
  return {
    say,
    hear,
    ask,
    errors,
    isClosed: () => closed,
    end: () => void socket.end(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  };
}

const words = ({ key }: Member, method: string, path: string, body = "") =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.text}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test("who asks again and again is answered whole or closed before it was read, and the stop waits for nobody's next request", async () => {
  const members = await Promise.all(Array.from({ length: 4 }, () => here.owner()));
  const claim = { scope: "organisation", kind: "fact", subject: "Harbour", value: "0" };
  const done = Promise.all(
    members.map(async (ada) => {
      const { id } = (await ada.post("/memories", claim)).body;
      const { ask } = await talker();
      for (let value = 1; ; value += 1) {
        const changed = await ask(words(ada, "PATCH", `/memories/${id}`, JSON.stringify({ value: `${value}` })));
        if (changed) expect(changed.status).toBe(200);
        const last = changed ? value : value - 1;
        const read = changed && !changed.closes ? await ask(words(ada, "GET", "/me")) : undefined;
        if (read) expect(read.status).toBe(200);
        if (!read || read.closes) return { ada, id, last };
      }
    }),
  );
  const silent = await talker();
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const waiter = await talker();
  const waits = waiter.ask(words(ada, "GET", `/runs/${run.id}?wait=25`));
  await new Promise((resolve) => setTimeout(resolve, 300)); // so that all are amid their talk

  const began = performance.now();
  await api.stop(quietMs);
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(await waits).toMatchObject({ status: 200, closes: true });
  for (const { ada, id, last } of await done) {
    expect(last).toBeGreaterThan(0);
    expect((await ada.get(`/memories/${id}`)).body.value).toBe(`${last}`);
  }
  await eventually(async () => silent.isClosed());
}, 30_000);

test("a change that is held is answered, as the last of its connection; a wait whose head comes then is answered at once", async () => {
  const ada = await here.owner();
  const other = await here.owner();
  const run = await watchedRun(here, pool, other);
  const changer = await talker();
  const waiter = await talker();
  const row = await begun(here.db);
  await row.query("select from app.organisations where id = $1 for update", [ada.organisation.id]);
  const changed = changer.ask(words(ada, "PATCH", "/organisation", JSON.stringify({ name: "Port" })));
  await untilWaiting(here.db, 1, changed);
  const wait = words(other, "GET", `/runs/${run.id}?wait=25`);
  waiter.say(wait.slice(0, 20)); // and the rest once it stops
  await new Promise((resolve) => setTimeout(resolve, 100));
  const began = performance.now();
  const stopped = api.stop(quietMs);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await waiter.ask(wait.slice(20))).toMatchObject({ status: 200, closes: true });
  await row.query("rollback");
  expect(await changed).toMatchObject({ status: 200, closes: true });
  expect(JSON.parse((await changed)?.body ?? "").name).toBe("Port");
  await stopped;
  expect(performance.now() - began).toBeLessThan(3_000);
}, 30_000);

test("what is sent on a kept connection before its end is answered, and what is sent after it is not begun", async () => {
  const ada = await here.owner();
  const rename = (name: string) => words(ada, "PATCH", "/organisation", JSON.stringify({ name }));
  const [early, late] = [await talker(), await talker()];
  for (const one of [early, late])
    expect(await one.ask(words(ada, "GET", "/me"))).toMatchObject({ status: 200, closes: false });
  const stopped = api.stop(quietMs);
  await new Promise((resolve) => setTimeout(resolve, quietMs / 2));
  expect(await early.ask(rename("Early"))).toMatchObject({ status: 200, closes: true });
  expect(await late.hear()).toBeUndefined();
  late.say(rename("Late"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  late.end();
  await stopped;
  expect(late.errors).toEqual([]); // it sees an end, not a connection that is cut
  expect((await ada.get("/organisation")).body.name).toBe("Early");
}, 30_000);

test("what is sent behind an answer that is still being taken, after the quiet time, is done and answered, or neither", async () => {
  const ada = await here.owner();
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, created_by)
     select $1, 'organisation', 'note', 'Claim ' || number, repeat('€', 4000), 'import', 'test', person_id
     from app.memberships, generate_series(1, 200) number where organisation_id = $1`,
    [ada.organisation.id],
  );
  const slow = await talker();
  const page = words(ada, "GET", "/memories?limit=200");
  slow.pause();
  slow.say(page + page); // the second is more than the system holds for who takes nothing, and has begun to be said
  await new Promise((resolve) => setTimeout(resolve, 500));
  const stopped = api.stop(100);
  await new Promise((resolve) => setTimeout(resolve, 400));
  slow.say(words(ada, "PATCH", "/organisation", JSON.stringify({ name: "Behind" })));
  await new Promise((resolve) => setTimeout(resolve, 200));
  slow.resume();
  const statuses: number[] = [];
  for (let answer = await slow.hear(); answer; answer = await slow.hear()) {
    statuses.push(answer.status);
    if (answer.closes) break;
  }
  await stopped;
  const isDone = (await ada.get("/organisation")).body.name === "Behind";
  expect(statuses).toEqual(isDone ? [200, 200, 200] : [200, 200]);
}, 30_000);
