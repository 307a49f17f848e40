/** Runs as they are watched: server-sent events. (decisions: "Beyond the specification", 1.) */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Pool } from "pg";
import { operations } from "../../src/contract/operations.ts";
import { makeBuckets, specified } from "../../src/http/buckets.ts";
import { type Limits, usual } from "../../src/http/watching/watching.ts";
import { expectRefusal } from "../support/answers.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import type { Told } from "../support/event-stream.ts";
import { openStream, type Stream, watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const watch = (who: Member, { id }: { id: string }, lastEventId?: string | number, api = here.api): Promise<Stream> =>
  openStream(api.url, id, { key: who.key.text, lastEventId });

const reply = operations.find(({ name }) => name === "watch_run")?.reply;

/** In short: number, name, and what is particular. Each is one of the contract's events, with nothing beside. */
const inShort = (events: Told[]): string[] =>
  events.map((told) => {
    expect(reply?.parse(told)).toEqual(told);
    const { id, event, data } = told;
    return [id, event, data.state ?? data.text ?? data.kind].join(" ");
  });

const whole = ["1 state queued", "2 state running", "3 step think", "4 approval question"].map((line) =>
  line.replace("approval question", "approval pending"),
);

const rest = [
  "5 state waiting_approval",
  "6 state queued",
  "7 state running",
  "8 step think",
  "9 message Deep.",
  "10 end completed",
];

/** A run with something of every kind. */
async function story(ada: Member) {
  const run = await watchedRun(here, pool, ada);
  return {
    id: run.id,
    async ask(): Promise<void> {
      const assignment = await run.begin();
      await run.executor.step(assignment, 7);
      await run.executor.ask(assignment);
    },
    async finish(): Promise<void> {
      await here.db.sql("update app.approvals set state = 'approved', answered_at = now() where run_id = $1", [run.id]);
      const assignment = await run.begin();
      await run.executor.step(assignment, 5);
      await run.executor.finish(assignment, "Deep.");
    },
  };
}

test("who watches from the beginning, from the middle or after the end is told the same, each event once", async () => {
  const ada = await here.owner();
  const run = await story(ada);
  const early = await watch(ada, run);
  expect(early.status).toBe(200);
  expect(early.headers.get("content-type")).toBe("text/event-stream");
  expect(early.headers.get("cache-control")).toBe("private, no-store");
  expect(early.headers.get("x-accel-buffering")).toBe("no");
  expect(early.headers.get("ratelimit")).not.toBeNull();
  expect(inShort(await early.until(1))).toEqual(["1 state queued"]);
  await run.ask();
  expect(inShort(await early.until(5))).toEqual([...whole, rest[0]]);
  const amid = await watch(ada, run);
  await amid.until(5);
  await run.finish();
  const told = await early.ended;
  expect(inShort(told)).toEqual([...whole, ...rest]);
  expect(await amid.ended).toEqual(told);
  expect(await (await watch(ada, run)).ended).toEqual(told);

  const { body: row } = await ada.get(`/runs/${run.id}`);
  expect(told.at(-1)?.data).toEqual(row);
  expect(told[0]?.data).toEqual({ ...row, state: "queued", steps: 0, spendMicroCents: 0, finishedAt: null });
  expect(told[4]?.data).toMatchObject({ state: "waiting_approval", steps: 1, spendMicroCents: 7, finishedAt: null });
  const { data: steps } = (await ada.get(`/runs/${run.id}/steps`)).body;
  expect([told[7]?.data, told[2]?.data]).toEqual(steps);
  const { data: messages } = (await ada.get(`/runs/${run.id}/messages`)).body;
  expect(told[8]?.data).toEqual(messages[0]);
});

test("whoever goes on after any event misses none and is told none again; the end is told to everybody", async () => {
  const ada = await here.owner();
  const run = await story(ada);
  await run.ask();
  const streams = await Promise.all([0, 1, 2, 3, 4, 5].map((after) => watch(ada, run, after)));
  await run.finish();
  for (const [after, stream] of streams.entries()) {
    expect(inShort(await stream.ended)).toEqual([...whole, ...rest].slice(after));
  }
  for (const after of [0, 4, 9]) {
    expect(inShort(await (await watch(ada, run, after)).ended)).toEqual([...whole, ...rest].slice(after));
  }
  expect(inShort(await (await watch(ada, run, 10)).ended)).toEqual(["10 end completed"]);
  // Of a history that is not this one, so all is told.
  for (const after of [11, 999_999_999]) {
    expect(inShort(await (await watch(ada, run, after)).ended)).toEqual([...whole, ...rest]);
  }
});

test.each(["-1", "1.5", "ten", "1e3", "0x1", "1234567890", "1 2", "null"])(
  "after %s is refused",
  async (lastEventId) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    const headers = { "last-event-id": lastEventId };
    expectRefusal(await ada.get(`/runs/${run.id}/events`, { headers }), "invalid_request", ["headers.last-event-id"]);
  },
);

test("of a colleague's run it is seen that it goes on, and not what is said and asked", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin"));
  const run = await story(ada);
  const [hers, his] = [await watch(ada, run), await watch(bob, run)];
  await run.ask();
  await hers.until(5);
  const later = await watch(bob, run, 4); // a number that he was not told of is a place like any other
  await run.finish();
  const all = await hers.ended;
  const public_ = all.filter(({ event }) => event !== "message" && event !== "approval");
  expect(public_.length).toBe(all.length - 2);
  expect(await his.ended).toEqual(public_);
  expect(await later.ended).toEqual(public_.filter(({ id }) => id > 4));
  expect(his.text()).not.toContain("Deep.");
});

test("a run that is not seen is not found, and no batch holds a stream", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const run = await watchedRun(here, pool, ada);
  expectRefusal(await eve.get(`/runs/${run.id}/events`), "not_found");
  expectRefusal(await here.api.call("GET", `/runs/${run.id}/events`), "unauthenticated");
  const operations = [{ method: "GET", path: `/runs/${run.id}/events` }];
  expectRefusal(await ada.post("/batch", { operations }), "invalid_request", ["body.operations.0.path"]);
});

test("what is rolled back is told to nobody, and its numbers are given again", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  const assignment = await run.begin();
  const session = await pool.connect();
  await session.query("begin");
  const { organisationId, runId, leaseId } = assignment;
  await session.query("select runner.step($1, $2, $3, 'regretted')", [organisationId, runId, leaseId]);
  await session.query("rollback");
  session.release();
  await run.executor.finish(assignment, "Deep.");
  expect(inShort(await stream.ended)).toEqual([
    "1 state queued",
    "2 state running",
    "3 message Deep.",
    "4 end completed",
  ]);
});

test("runs that many change at once number what happens without a gap", async () => {
  const ada = await here.owner();
  const runs = await Promise.all(Array.from({ length: 8 }, () => watchedRun(here, pool, ada)));
  const streams = await Promise.all(runs.map((run) => watch(ada, run)));
  await Promise.all(
    runs.map(async ({ id, begin, executor }, nth) => {
      const assignment = await begin();
      const steps = Array.from({ length: 5 }, () => executor.step(assignment));
      // One of the two comes first, and the other finds it ended.
      await Promise.all([...steps, nth % 2 ? executor.fail(assignment) : ada.post(`/runs/${id}/cancel`)]).catch(
        () => {},
      );
    }),
  );
  for (const stream of streams) {
    const told = await stream.ended;
    expect(told.map(({ id }) => id)).toEqual(told.map((_, place) => place + 1));
    expect(told.at(-1)?.event).toBe("end");
  }
});

test("a run of more events than one answer holds is told whole", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const live = await watch(ada, run);
  await run.begin();
  await here.db.sql(
    `insert into app.steps (organisation_id, run_id, number, kind)
     select organisation_id, id, number, 'think' from app.runs, generate_series(1, 173) number where id = $1`,
    [run.id],
  );
  await live.until(175);
  const late = await watch(ada, run);
  await late.until(175);
  await ada.post(`/runs/${run.id}/cancel`);
  expect(await late.ended).toEqual(await live.ended);
  expect(late.events.map(({ id }) => id)).toEqual(Array.from({ length: 176 }, (_, before) => before + 1));
  expect(await (await watch(ada, run)).ended).toEqual(late.events);
});

/** An API of its own over the same database. */
async function apart(limits: Partial<Limits>, work: (api: TestApi) => Promise<void>): Promise<void> {
  const api = await testApi(here.db, {}, makeBuckets(Date.now, specified), { ...usual, ...limits });
  try {
    await work(api);
  } finally {
    await api.stop();
  }
}

const quick = { heartbeat: 50, longest: 600_000 };

test("a stream that is quiet is kept alive, and one whose key is revoked ends", async () => {
  await apart({ pace: quick }, async (api) => {
    const ada = await here.owner();
    const [second, bob] = [
      await here.another(ada),
      await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin")),
    ];
    const run = await watchedRun(here, pool, ada);
    const [stays, revoked, demoted] = await Promise.all(
      [ada, second, bob].map((who) => watch(who, run, undefined, api)),
    );
    await eventually(async () => (stays?.text().split(":\n\n").length ?? 0) > 3);
    await ada.delete(`/keys/${second.key.id}`);
    expect(inShort((await revoked?.ended) ?? [])).toEqual(["1 state queued"]);
    await here.db.sql("update app.memberships set role = 'member' where organisation_id = $1 and role = 'admin'", [
      ada.organisation.id,
    ]);
    await demoted?.ended;
    await ada.post(`/runs/${run.id}/cancel`);
    expect(inShort((await stays?.ended) ?? [])).toEqual(["1 state queued", "2 end cancelled"]);
    expect(inShort(demoted?.events ?? [])).toEqual(["1 state queued"]);
  });
});

test("no stream lasts for ever: it ends after its time, and goes on where it was", async () => {
  await apart({ pace: { heartbeat: 20, longest: 100 } }, async (api) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    const first = await watch(ada, run, undefined, api);
    expect(inShort(await first.ended)).toEqual(["1 state queued"]);
    expect(first.text()).toMatch(/^retry: [12]\d{3}\n\n/);
    await ada.post(`/runs/${run.id}/cancel`);
    expect(inShort(await (await watch(ada, run, 1, api)).ended)).toEqual(["2 end cancelled"]);
  });
});

test("a key has so many places; who leaves makes room, and a process that stops ends all streams", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  let left: Stream | undefined;
  await apart({ most: { ofKey: 2, ofProcess: 3 } }, async (api) => {
    const [first, second] = [await watch(ada, run, undefined, api), await watch(ada, run, undefined, api)];
    const ask = () => api.call("GET", `/runs/${run.id}/events`, { key: ada.key.text });
    expectRefusal(await ask(), "rate_limited");
    first.leave();
    await expect(first.ended).rejects.toThrow();
    await eventually(async () => {
      left = await watch(ada, run, undefined, api);
      return left.status === 200;
    });
    const other = await here.another(ada);
    const third = await watch(other, run, undefined, api);
    expect(third.status).toBe(200);
    expect((await watch(await here.another(ada), run, undefined, api)).status).toBe(429);
    second.leave();
  });
  expect(inShort((await left?.ended) ?? [])).toEqual(["1 state queued"]);
});

test("who goes away while the stream is still being opened is kept no place", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  await apart({ most: { ofKey: 1, ofProcess: 10 } }, async (api) => {
    const session = await here.db.poolAs("owner").connect();
    await session.query("begin; lock table app.run_events in access exclusive mode");
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${ada.key.text}` };
    const gone = fetch(`${api.url}/api/v1/runs/${run.id}/events`, { headers, signal: leaving.signal });
    const isGone = expect(gone).rejects.toThrow();
    await eventually(async () => (await waitingForLocks()) > 0);
    leaving.abort();
    await isGone;
    await session.query("rollback");
    session.release();
    await eventually(async () => (await waitingForLocks()) === 0);
    const stream = await watch(ada, run, undefined, api);
    expect(stream.status).toBe(200);
    stream.leave();
  });

  async function waitingForLocks(): Promise<number> {
    const rows = await here.db.sql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  }
});

test("what happens while every connection is lost is told when there are others", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  await here.db.sql(`
    begin;
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name like 'botstead api%';
    update app.runs set state = 'cancelled' where id = '${run.id}';
    commit`);
  expect(inShort(await stream.ended)).toEqual(["1 state queued", "2 end cancelled"]);
});

test("of a reader who takes nothing no more is kept than one read brings, and they lose nothing by it", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  await run.begin();
  const { hostname, port } = new URL(here.api.url);
  const responses: ServerResponse[] = [];
  const note = (message: unknown) => responses.push((message as { response: ServerResponse }).response);
  subscribe("http.server.request.start", note);
  const socket = connect(Number(port), hostname);
  const bearer = `authorization: Bearer ${ada.key.text}`;
  socket.write(`GET /api/v1/runs/${run.id}/events HTTP/1.1\r\nhost: x\r\n${bearer}\r\nconnection: close\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  unsubscribe("http.server.request.start", note);
  socket.pause();

  const messages = 150;
  const others = await watch(ada, run);
  for (let count = 0; count < messages; count += 1) {
    await here.db.sql(
      `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
       select organisation_id, conversation_id, id, 'bot', repeat('€', 32000) from app.runs where id = $1`,
      [run.id],
    );
  }
  await others.until(messages + 2);
  expect(responses[0]?.writableNeedDrain).toBe(true);
  expect(responses[0]?.writableLength).toBeLessThan(50 * 97_000);
  let taken = 0;
  socket.on("data", (part) => {
    taken += part.length;
  });
  socket.resume();
  await ada.post(`/runs/${run.id}/cancel`);
  await new Promise((resolve) => socket.once("close", resolve));
  expect(taken).toBeGreaterThan(messages * 96_000);
  expect((await others.ended).at(-1)?.event).toBe("end");
});

test("of a card that is erased nothing is told any more, and its number is given to nothing else", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  const assignment = await run.begin();
  const asked = await run.executor.ask(assignment);
  expect((await stream.until(4))[2]?.data).toMatchObject({ approvalId: asked });
  await here.db.sql("delete from app.approvals where id = $1", [asked]);
  await ada.post(`/runs/${run.id}/cancel`);
  expect((await stream.ended).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect((await (await watch(ada, run)).ended).map(({ id }) => id)).toEqual([1, 2, 4, 5]);
});

test("a thousand who watch share one connection that listens and the pool, and each is told everything", async () => {
  await apart({}, async (api) => {
    const ada = await here.owner();
    await here.db.sql("update app.organisations set hourly_run_ceiling = 1000 where id = $1", [ada.organisation.id]);
    const runs = await Promise.all(Array.from({ length: 20 }, () => watchedRun(here, pool, ada)));
    const readers = [ada];
    while (readers.length < 10) readers.push(await here.another(ada, "read"));
    const streams: Stream[] = [];
    for (const who of readers) {
      const opened = Array.from({ length: 100 }, (_, nth) =>
        openStream(api.url, runs[nth % runs.length]?.id ?? "", { key: who.key.text }),
      );
      streams.push(...(await Promise.all(opened)));
    }
    expect(streams.map(({ status }) => status)).toEqual(Array(1000).fill(200));
    await here.db.sql(
      `insert into app.steps (organisation_id, run_id, number, kind)
       select organisation_id, id, 1, 'think' from app.runs where organisation_id = $1`,
      [ada.organisation.id],
    );
    await Promise.all(streams.map((stream) => stream.until(2)));
    const [held] = await here.db.sql(
      `select count(*) filter (where application_name = 'botstead api, listening')::int as listening,
         count(*) filter (where application_name = 'botstead api')::int <= 2 * (10 + 1) as "isWithinPools"
       from pg_stat_activity where datname = current_database()`,
    );
    expect(held).toEqual({ listening: 2, isWithinPools: true }); // of this API and the file's own
    await here.db.sql("update app.runs set state = 'cancelled' where organisation_id = $1", [ada.organisation.id]);
    for (const stream of streams) {
      expect(inShort(await stream.ended)).toEqual(["1 state queued", "2 step think", "3 end cancelled"]);
    }
  });
});
