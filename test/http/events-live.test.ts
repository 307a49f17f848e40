/** The event feed as a stream of server-sent events. (docs/specification/events.md#live) */
import { once } from "node:events";
import { request, ServerResponse } from "node:http";
import { expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { dataOf, makeEvents, readFeedOn } from "../support/events.ts";
import { type Live, openFeed as open } from "../support/live-feed.ts";
import { begun } from "../support/transactions.ts";
import { withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const { write: written } = ServerResponse.prototype;
const unhurried = { heartbeatMs: 60_000, maxDurationMs: 600_000 };
const quick = { heartbeatMs: 50, maxDurationMs: 600_000 };

const idsOf = ({ entries }: Live) => entries.map(({ data }) => data.id);

const untilIds = (live: Live, ids: string[]) => eventually(async () => idsOf(live).join() === ids.join());

const write = (who: Member, more: object = {}) => makeEvents(here.db, { organisationId: who.organisation.id }, more);

test("a stream starts now, and sends each new event once with the data of the list", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    await write(ada);
    const lives = [await open(api, ada), await open(api, ada), await open(api, await here.another(ada))];
    const foreign = await open(api, eve);
    expect(lives[0]).toMatchObject({ status: 200, type: "text/event-stream" });
    expect(lives[0]?.text()).toMatch(/^retry: [12]\d{3}\nid: ([0-9a-f]{56})\n: \1\n\n$/);
    const ids = [...(await write(ada)), ...(await write(ada, { count: 3, kind: "webhook.test" }))];
    for (const live of lives) await untilIds(live, ids);
    const { data } = (await ada.get("/events")).body;
    expect(lives[0]?.entries.map(({ data }) => data)).toEqual(data.slice(1));
    expect(lives[0]?.entries.map(({ event }) => event)).toEqual(data.slice(1).map(({ event }: Json) => event));
    expect(foreign.entries).toEqual([]);
    for (const live of [...lives, foreign]) live.leave();
  });
});

test("a stream continues after Last-Event-ID or `after`, through many pages, and then live", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const ids = await write(ada, { count: 230 });
    const start = (await ada.get("/events?limit=1")).body.position;
    const first = await open(api, ada, `?after=${start}`);
    await untilIds(first, ids.slice(1));
    const cursor = first.entries[99]?.cursor;
    first.leave();
    const second = await open(api, ada, `?after=${start}`, cursor);
    await untilIds(second, ids.slice(101));
    ids.push(...(await write(ada)));
    await untilIds(second, ids.slice(101));
    second.leave();
  });
});

test("a stream that reads many pages leaves no listeners of earlier pages", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const ids = await write(ada, { count: 2_000 });
    const start = (await ada.get("/events?limit=1")).body.position;
    const responses = new Set<ServerResponse>();
    ServerResponse.prototype.write = function (this: ServerResponse, ...given: unknown[]) {
      responses.add(this);
      return Reflect.apply(written, this, given);
    };
    const live = await open(api, ada, `?after=${start}`);
    await untilIds(live, ids.slice(1));
    ServerResponse.prototype.write = written;
    const counts = [...responses].flatMap((response) =>
      ["drain", "close", "error"].map((name) => response.listenerCount(name)),
    );
    expect(counts).toHaveLength(3);
    expect(Math.max(...counts)).toBeLessThan(10);
    live.leave();
  });
});

test("an event of an open transaction comes when that ends, after later ones, and none is missed", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const live = await open(api, ada);
    const slow = await begun(here.db);
    const insert =
      "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', '{}') returning id";
    const { rows } = await slow.query(insert, [ada.organisation.id]);
    const later = await write(ada);
    await untilIds(live, later);
    const resumed = await open(api, ada, "", live.entries.at(-1)?.cursor);
    await slow.query("commit");
    await untilIds(live, [...later, rows[0].id]);
    await untilIds(resumed, [rows[0].id]);
    expect(idsOf(live)).toEqual((await ada.get("/events")).body.data.map(({ id }: Json) => id));
    for (const stream of [live, resumed]) stream.leave();
  });
});

test("an open transaction of one organisation, with events and chain head, delays no event of another", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    const live = await open(api, eve);
    const slow = await begun(here.db);
    await slow.query("insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', '{}')", [
      ada.organisation.id,
    ]);
    await slow.query("set constraints all immediate"); // as at the commit: it holds the chain head
    const written = await write(eve);
    await untilIds(live, written);
    expect(idsOf(live)).toEqual((await eve.get("/events")).body.data.map(({ id }: Json) => id));
    expect((await ada.get("/events")).body.data).toEqual([]);
    await slow.query("commit");
    expect((await ada.get("/events")).body.data).toHaveLength(1);
    live.leave();
  });
});

test("an open transaction of an executing process delays no event", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const live = await open(api, ada);
    const slow = await begun(here.db, "runner");
    await slow.query("select pg_current_xact_id()");
    await untilIds(live, await write(ada));
    await slow.query("rollback");
    live.leave();
  });
});

test("a reader that pages while 12 connections write skips no event", async () => {
  const ada = await here.owner();
  const writers = await Promise.all(Array.from({ length: 12 }, () => begun(here.db)));
  let writing = true;
  const written = Promise.all(
    writers.map(async (writer) => {
      for (let nth = 0; nth < 30; nth += 1) {
        await writer.query(
          "insert into app.events (organisation_id, kind, data) select $1, 'run.finished', $3 from generate_series(1, 1 + $2 % 3)",
          [ada.organisation.id, nth, dataOf("run.finished")],
        );
        await writer.query("commit; begin");
      }
    }),
  ).finally(() => {
    writing = false;
  });
  const read: string[] = [];
  for (let cursor = "", isLast = false; !isLast; ) {
    isLast = !writing;
    const page = await readFeedOn(ada, cursor, 7);
    read.push(...page.events.map(({ id }) => id));
    cursor = page.cursor;
  }
  await written;
  const stored = await here.db.sql<{ id: string }>(
    "select id from app.events where organisation_id = $1 order by position",
    [ada.organisation.id],
  );
  expect(stored).toHaveLength(720);
  expect(read).toEqual(stored.map(({ id }) => id));
});

test("`event` filters a stream by kind", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const live = await open(api, ada, "?event=webhook.test");
    await write(ada, { count: 2 });
    const ids = await write(ada, { kind: "webhook.test" });
    await untilIds(live, ids);
    live.leave();
  });
});

test("a stream ends when its key is revoked or its organisation suspended, and other streams stay open", async () => {
  await withWatchingApi(here, { pace: quick }, async (api) => {
    const ada = await here.owner();
    const second = await here.another(ada);
    const [stays, revoked] = [await open(api, ada), await open(api, second)];
    await ada.delete(`/keys/${second.key.id}`);
    await revoked.ended;
    const ids = await write(ada);
    await untilIds(stays, ids);
    await eventually(async () => /\n\n: [0-9a-f]{56}\n\n/.test(stays.text())); // heartbeats
    await here.db.sql("update app.organisations set suspended_at = now() where id = $1", [ada.organisation.id]);
    await stays.ended;
  });
});

test("streams are refused without scope admin, with a foreign position, and beyond the slots of the key", async () => {
  await withWatchingApi(
    here,
    { pace: unhurried, slots: { perKey: 1, perProcess: 100, shareOfFree: 1 } },
    async (api) => {
      const ada = await here.owner();
      const headers = { accept: "text/event-stream" };
      const call = (who: Member, more: object = {}) =>
        api.call("GET", "/events", { key: who.key.text, headers: { ...headers, ...more } });
      expectRefusal(await call(await here.another(ada, "write")), "unauthenticated");
      expectRefusal(await call(ada, { "last-event-id": "5" }), "invalid_request", ["query.after"]);
      const live = await open(api, ada);
      expectRefusal(await call(ada), "rate_limited");
      live.leave();
      await eventually(async () => {
        const next = await open(api, ada);
        next.leave();
        return next.status === 200;
      });
    },
  );
});

test("a client that does not read is closed, and other streams stay open", async () => {
  const slots = { perKey: 1, perProcess: 100, shareOfFree: 1 };
  await withWatchingApi(here, { pace: unhurried, slots }, async (api) => {
    const ada = await here.owner();
    const reads = await open(api, await here.another(ada));
    const headers = { authorization: `Bearer ${ada.key.text}`, accept: "text/event-stream" };
    const slow = request(`${api.url}/api/v1/events`, { agent: false, headers });
    slow.on("error", () => {}); // closed by the service
    slow.end();
    await once(slow, "response"); // and its body is never read
    const large = `insert into app.events (organisation_id, kind, data)
      select $1, 'run.finished', json_build_object('large', repeat('x', 500000)) from generate_series(1, 10)`;
    let written = 0;
    await eventually(async () => {
      await here.db.sql(large, [ada.organisation.id]);
      written += 10;
      await eventually(async () => reads.entries.length === written);
      const next = await open(api, ada); // refused while the slow stream has the slot of its key
      next.leave();
      return next.status === 200;
    });
    expect(reads.entries).toHaveLength(written);
    reads.leave();
    slow.destroy();
  });
});

test("a stopping process ends its streams", async () => {
  let live: Live | undefined;
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    live = await open(api, await here.owner());
  });
  await live?.ended;
  expect(live?.entries).toEqual([]);
});
