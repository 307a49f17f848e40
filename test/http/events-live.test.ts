/** The event feed as a stream of server-sent events. (docs/specification/events.md#live) */
import { once } from "node:events";
import { request } from "node:http";
import { createParser } from "eventsource-parser";
import { expectRefusal } from "../support/answers.ts";
import type { Json, TestApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeEvents, untilReadable } from "../support/events.ts";
import { begun } from "../support/transactions.ts";
import { withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const unhurried = { heartbeatMs: 60_000, maxDurationMs: 600_000 };
const quick = { heartbeatMs: 50, maxDurationMs: 600_000 };

type Entry = { cursor: string | undefined; event: string | undefined; data: Json };
type Live = {
  status: number;
  type: string | null;
  entries: Entry[];
  ended: Promise<unknown>;
  text(): string;
  leave(): void;
};

async function open(api: Pick<TestApi, "url">, who: Member, query = "", lastEventId?: string): Promise<Live> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${who.key.text}`, accept: "text/event-stream" };
  const response = await fetch(`${api.url}/api/v1/events${query}`, {
    headers: lastEventId ? { ...headers, "last-event-id": lastEventId } : headers,
    signal: leaving.signal,
  });
  const entries: Entry[] = [];
  let text = "";
  const parser = createParser({
    onEvent: ({ id, event, data }) => void entries.push({ cursor: id, event, data: JSON.parse(data) }),
  });
  async function readAll() {
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      parser.feed(Buffer.from(bytes).toString());
    }
  }
  const ended = readAll().catch(() => {}); // after leave
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    entries,
    ended,
    text: () => text,
    leave: () => leaving.abort(),
  };
}

const idsOf = ({ entries }: Live) => entries.map(({ data }) => data.id);

/** Streams send an event once it is readable. */
async function untilIds(live: Live, ids: string[]): Promise<void> {
  const [of] = await here.db.sql<{ organisationId: string }>(
    'select organisation_id as "organisationId" from app.events where id = $1',
    [ids[0]],
  );
  if (of) await untilReadable(here.db, of);
  await eventually(async () => idsOf(live).join() === ids.join());
}

const write = (who: Member, more: object = {}) => makeEvents(here.db, { organisationId: who.organisation.id }, more);

test("a stream starts now, and sends each new event once with the data of the list", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    await write(ada);
    await untilReadable(here.db, { organisationId: ada.organisation.id });
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
    await untilReadable(here.db, { organisationId: ada.organisation.id });
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

test("an event of an open transaction delays later ones, and none is missed or out of order", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const live = await open(api, ada);
    const slow = await begun(here.db);
    const insert =
      "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', '{}') returning id";
    const { rows } = await slow.query(insert, [ada.organisation.id]);
    const later = await write(ada);
    expect(live.entries).toEqual([]);
    await slow.query("commit");
    await untilIds(live, [rows[0].id, ...later]);
    live.leave();
  });
});

test("an event that was written before the stream began, behind an open transaction, is sent when that ends", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const slow = await begun(here.db);
    await slow.query("select pg_current_xact_id()");
    const written = await write(ada);
    const live = await open(api, ada);
    expect(live.entries).toEqual([]);
    await slow.query("commit");
    await untilIds(live, written);
    live.leave();
  });
});

test("an event that was written while no connection listened, behind an open transaction, is sent when that ends", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const live = await open(api, ada);
    const listeners = "datname = current_database() and application_name = 'botstead api, listening'";
    await eventually(async () => (await here.db.sql(`select from pg_stat_activity where ${listeners}`)).length > 0);
    const slow = await begun(here.db);
    await slow.query("select pg_current_xact_id()");
    const [ended] = await here.db.sql<{ pid: number }>(
      `select pid, pg_terminate_backend(pid, 5000) from pg_stat_activity where ${listeners}`,
    );
    const written = await write(ada);
    const another = `select from pg_stat_activity where ${listeners} and pid <> $1 and state = 'idle' and query like 'listen %'`;
    await eventually(async () => (await here.db.sql(another, [ended?.pid])).length > 0);
    for (let call = 0; call < 5; call += 1) await api.call("GET", "/events", { key: ada.key.text }); // the feed reads meanwhile
    expect(live.entries).toEqual([]);
    await slow.query("commit");
    await untilIds(live, written);
    live.leave();
  });
});

test("transactions that end in another order than they wrote reach each stream, also a resumed one, in the order of the list", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const stays = await open(api, ada);
    const [first, second, third] = [await begun(here.db), await begun(here.db), await begun(here.db)];
    const insert = async (within: typeof first) =>
      (
        await within.query(
          "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', '{}') returning id",
          [ada.organisation.id],
        )
      ).rows[0].id;
    const ids = { first: [await insert(first)], second: [await insert(second)], third: [await insert(third)] };
    ids.first.push(await insert(first)); // its id is greater than that of the third
    await third.query("commit");
    await first.query("commit");
    await eventually(async () => idsOf(stays).join() === ids.first.join(), 60_000); // the second transaction is still open
    const resumed = await open(api, ada, "", stays.entries.at(-1)?.cursor);
    await second.query("commit");
    const later = [...ids.second, ...ids.third];
    await untilIds(resumed, later);
    await untilIds(stays, [...ids.first, ...later]);
    const { data } = (await ada.get("/events")).body;
    expect(idsOf(stays)).toEqual(data.map(({ id }: Json) => id));
    for (const live of [stays, resumed]) live.leave();
  });
}, 120_000);

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
    }, 60_000);
    expect(reads.entries).toHaveLength(written);
    reads.leave();
    slow.destroy();
  });
}, 120_000);

test("a stopping process ends its streams", async () => {
  let live: Live | undefined;
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    live = await open(api, await here.owner());
  });
  await live?.ended;
  expect(live?.entries).toEqual([]);
});
