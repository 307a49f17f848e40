/** Open streams: duration, number, and loss of readers or connections. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Pool } from "pg";
import { startApi } from "../../src/api/server.ts";
import { defaultWatching } from "../../src/api/streams/watching.ts";
import { readConfig } from "../../src/config.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { expectRefusal } from "../support/answers.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { log } from "../support/logged.ts";
import { unhurried } from "../support/program.ts";
import { lockWaits } from "../support/transactions.ts";
import { inShort, openStream, type Stream, watchedRun, watching, withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const watch = watching(here);

const quick = { heartbeatMs: 50, maxDurationMs: 600_000 };

test("A quiet stream gets heartbeats, and a stream whose key is revoked or whose person is demoted ends", async () => {
  await withWatchingApi(here, { pace: quick }, async (api) => {
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

test("A stream ends after its maximum duration, and the next continues after its last event", async () => {
  await withWatchingApi(here, { pace: { heartbeatMs: 20, maxDurationMs: 100 } }, async (api) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    const first = await watch(ada, run, undefined, api);
    expect(inShort(await first.ended)).toEqual(["1 state queued"]);
    expect(first.text()).toMatch(/^retry: [12]\d{3}\n\n/);
    await ada.post(`/runs/${run.id}/cancel`);
    expect(inShort(await (await watch(ada, run, 1, api)).ended)).toEqual(["2 end cancelled"]);
  });
});

test("A key has a limited number of streams; closing one frees it, and a stopping process ends all", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  let left: Stream | undefined;
  await withWatchingApi(here, { slots: { perKey: 2, perProcess: 3, shareOfFree: 100 } }, async (api) => {
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

test("An organisation has a share of the free slots over all its keys, for streams and waits", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const [run, theirs] = [await watchedRun(here, pool, ada), await watchedRun(here, pool, eve)];
  await withWatchingApi(here, { slots: { perKey: 3, perProcess: 20, shareOfFree: 0.25 } }, async (api) => {
    const second = await here.another(ada);
    const streams = [ada, ada, ada, second].map((who) => watch(who, run, undefined, api));
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const path of ["/events", "?wait=1"]) {
      expectRefusal(await api.call("GET", `/runs/${run.id}${path}`, { key: second.key.text }), "rate_limited");
    }
    expect((await watch(eve, theirs, undefined, api)).status).toBe(200);
  });
});

test("A client that disconnects while its stream is opened takes no slot", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  await withWatchingApi(here, { slots: { perKey: 1, perProcess: 10, shareOfFree: 100 } }, async (api) => {
    const session = await here.db.poolAs("owner").connect();
    await session.query("begin; lock table app.run_events in access exclusive mode");
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${ada.key.text}` };
    const gone = fetch(`${api.url}/api/v1/runs/${run.id}/events`, { headers, signal: leaving.signal });
    const isGone = expect(gone).rejects.toThrow();
    await eventually(async () => (await lockWaits(here.db)) > 0);
    leaving.abort();
    await isGone;
    await session.query("rollback");
    session.release();
    await eventually(async () => (await lockWaits(here.db)) === 0);
    const stream = await watch(ada, run, undefined, api);
    expect(stream.status).toBe(200);
    stream.leave();
  });
});

test("An event during the loss of all connections is sent after the reconnect", async () => {
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

test("A stream ends when the run's events were reset, and a new one starts with the new history", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  await run.begin();
  await run.step(60);
  await stream.until(62);
  // As after a restored backup: the run has fewer events and then gets another event.
  await here.db.sql("delete from app.run_events where run_id = $1 and number > 55", [run.id]);
  await here.db.sql("select pg_notify(service.run_events_channel(), $1)", [run.id]);
  const events = await stream.ended;
  expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 62 }, (_, before) => before + 1));
  const again = await watch(ada, run, 62);
  expect(await again.until(55)).toEqual(events.slice(0, 55));
  again.leave();
});

test("For a reader that does not read, the server buffers at most one batch, and the reader loses no event", async () => {
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
    await run.sayAtLength();
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

test("The first events of a stream count as unsent until the reader disconnects", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  await run.sayAtLength(49);
  const registry = makeRegistry("api");
  const config = readConfig({ PORT: "0", DATA_DIR: here.db.dataDir, ...unhurried });
  const api = await startApi(config, here.db.adminUrl, here.db.key, log, { registry });
  const unsent = async () => {
    const { values } = (await registry.getSingleMetric("botstead_backlog_bytes")?.get()) ?? { values: [] };
    return values.find(({ labels }) => labels.of === "answers")?.value;
  };
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname).pause();
  try {
    const bearer = `authorization: Bearer ${ada.key.text}`;
    socket.write(`GET /api/v1/runs/${run.id}/events HTTP/1.1\r\nhost: x\r\n${bearer}\r\n\r\n`);
    await eventually(async () => Number(await unsent()) > 100_000);
    socket.destroy();
    await eventually(async () => (await unsent()) === 0);
  } finally {
    socket.destroy();
    await api.stop();
  }
});

test("A thousand streams share one listening connection and the pool, and each gets every event", async () => {
  await withWatchingApi(here, { slots: { ...defaultWatching.slots, shareOfFree: 1 } }, async (api) => {
    const ada = await here.owner();
    await setLimits(here.db, ada.organisation.id, { runStartsPerHour: 1000 });
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
    const [connections] = await here.db.sql(
      `select count(*) filter (where application_name = 'botstead api, listening')::int as listening,
         count(*) filter (where application_name = 'botstead api')::int <= 2 * (10 + 1) as "isWithinPools"
       from pg_stat_activity where datname = current_database()`,
    );
    expect(connections).toEqual({ listening: 2, isWithinPools: true }); // of this API and the API of the file
    await here.db.sql("update app.runs set state = 'cancelled' where organisation_id = $1", [ada.organisation.id]);
    for (const stream of streams) {
      expect(inShort(await stream.ended)).toEqual(["1 state queued", "2 step think", "3 end cancelled"]);
    }
  });
});
