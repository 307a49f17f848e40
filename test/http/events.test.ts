/** list_events: every event once, oldest first. (docs/specification/events.md#feed) */
import { Client } from "pg";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { dataOf, idsOf, makeEvents, makeManyEvents, readFeed, readFeedOn, readWholeFeed } from "../support/events.ts";
import { newEndpoint } from "../support/resources.ts";
import { begun } from "../support/transactions.ts";

const here = apiOfFile();

const write = "insert into app.events (organisation_id, kind, data) values ($1, 'run.finished', $2) returning id";

test("list_events returns a finished run and a test with their data and the state of their deliveries", async () => {
  const ada = await here.owner();
  const [first, second] = [
    (await ada.post("/webhooks", newEndpoint)).body,
    (await ada.post("/webhooks", newEndpoint)).body,
  ];
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const run = (await ada.post("/runs", { botId, message: "A secret message" })).body;
  await ada.post(`/runs/${run.id}/cancel`);
  const sent = (await ada.post(`/webhooks/${first.id}/test`)).body;
  const [finished, tested, ...more] = await readWholeFeed(ada);
  expect(more).toEqual([]);
  const [delivery] = (await ada.get(`/webhooks/${second.id}/deliveries`)).body.data;
  const { payload } = (await ada.get(`/deliveries/${delivery.id}`)).body;
  expect(finished).toEqual({
    id: finished.id,
    event: "run.finished",
    createdAt: payload.createdAt,
    data: payload.data,
    deliveries: [
      { id: expect.any(String), webhookId: first.id, state: "pending" },
      { id: delivery.id, webhookId: second.id, state: "pending" },
    ],
  });
  expect(tested).toMatchObject({
    event: "webhook.test",
    data: { webhookId: first.id },
    deliveries: [{ id: sent.id, webhookId: first.id, state: "pending" }],
  });
  const eve = await here.owner();
  expect((await readFeed(eve)).data).toEqual([]);
});

test("list_events continues after a page's cursor, and the last cursor finds later events", async () => {
  const ada = await here.owner();
  const organisationId = ada.organisation.id;
  const made = await makeEvents(here.db, { organisationId }, { count: 7 });
  expect(idsOf(await readWholeFeed(ada))).toEqual(made);
  const page = await readFeed(ada, "?limit=3");
  expect([page.data.length, page.hasMore]).toEqual([3, true]);
  expect(await readFeed(ada, "?limit=3")).toEqual(page);
  expect(page.nextCursor).toBe(page.position);
  expect(await readFeed(ada, `?limit=3&cursor=${page.nextCursor}`)).toEqual(
    await readFeed(ada, `?limit=3&after=${page.position}`),
  );
  const exact = await readFeed(ada, `?limit=4&after=${page.position}`);
  expect(idsOf([...page.data, ...exact.data])).toEqual(made);
  expect([exact.hasMore, exact.nextCursor]).toEqual([false, null]);
  expect((await readFeed(ada, `?cursor=${page.nextCursor}&after=${exact.position}`)).data).toEqual(exact.data);

  const empty = await readFeed(ada, `?after=${exact.position}`);
  expect([empty.data, empty.hasMore]).toEqual([[], false]);
  const later = await makeEvents(here.db, { organisationId }, { count: 2 });
  for (const kept of [exact.position, empty.position]) {
    expect(idsOf((await readFeedOn(ada, kept)).events)).toEqual(later);
  }
});

test("list_events with `event` returns only that kind and skips none of it", async () => {
  const ada = await here.owner();
  const whose = { organisationId: ada.organisation.id };
  const tests = await makeEvents(here.db, whose, { kind: "webhook.test", count: 3 });
  const runs = await makeEvents(here.db, whose, { count: 2 });
  await readWholeFeed(ada);
  const first = await readFeed(ada, "?event=webhook.test&limit=2");
  expect(idsOf(first.data)).toEqual(tests.slice(0, 2));
  const rest = await readFeed(ada, `?event=webhook.test&after=${first.position}`);
  expect(idsOf(rest.data)).toEqual(tests.slice(2));
  expect(idsOf((await readFeed(ada, "?event=run.finished")).data)).toEqual(runs);
  expectRefusal(await ada.get("/events?event=run.ended"), "invalid_request", ["query.event"]);
});

test("list_events with `order=desc` returns the newest events first, page by page, and ends at the oldest", async () => {
  const ada = await here.owner();
  const whose = { organisationId: ada.organisation.id };
  const runs = await makeEvents(here.db, whose, { count: 3 });
  const tests = await makeEvents(here.db, whose, { kind: "webhook.test", count: 3 });
  const newest = [...runs, ...tests].toReversed();
  const first = await readFeed(ada, "?order=desc&limit=4");
  expect([idsOf(first.data), first.hasMore]).toEqual([newest.slice(0, 4), true]);
  const later = await makeEvents(here.db, whose);
  const rest = await readFeed(ada, `?order=desc&limit=2&after=${first.position}`);
  expect([idsOf(rest.data), rest.hasMore]).toEqual([newest.slice(4), false]);
  const end = await readFeed(ada, `?order=desc&after=${rest.position}`);
  expect([end.data, end.hasMore]).toEqual([[], false]);
  expect(idsOf((await readFeed(ada, "?order=desc&limit=1")).data)).toEqual(later);
  const ofKind = await readFeed(ada, "?order=desc&event=run.finished&limit=2");
  expect([idsOf(ofKind.data), ofKind.hasMore]).toEqual([[later[0], runs[2]], true]);
  const others = await readFeed(ada, `?order=desc&event=run.finished&after=${ofKind.position}`);
  expect(idsOf(others.data)).toEqual([runs[1], runs[0]]);
  expectRefusal(await ada.get("/events?order=up"), "invalid_request", ["query.order"]);
});

test("list_events with `order=desc` lists events beside an open transaction, and accepts a cursor ahead", async () => {
  const ada = await here.owner();
  const whose = { organisationId: ada.organisation.id };
  const made = await makeEvents(here.db, whose, { count: 2 });
  const { position } = await readFeed(ada, "?order=desc");
  const ahead = `${position.slice(0, 8)}7fffffffffffffff${"f".repeat(32)}`;
  const slow = await begun(here.db);
  await slow.query(write, [whose.organisationId, dataOf("run.finished")]);
  made.push(...(await makeEvents(here.db, whose)));
  for (const query of ["?order=desc", `?order=desc&after=${ahead}`]) {
    expect(idsOf((await readFeed(ada, query)).data)).toEqual(made.toReversed());
  }
  await slow.query("commit");
});

test("list_events searches a rare kind in bounded steps and reports hasMore", async () => {
  const ada = await here.owner();
  const whose = { organisationId: ada.organisation.id };
  await makeEvents(here.db, whose);
  const made = await makeManyEvents(here.db, whose, 10_000);
  const [rare] = await makeEvents(here.db, whose, { kind: "webhook.test" });
  const after = await makeEvents(here.db, whose);
  const first = await readFeed(ada, "?event=webhook.test");
  expect([first.data, first.hasMore]).toEqual([[], true]);
  const second = await readFeed(ada, `?event=webhook.test&after=${first.position}`);
  expect([idsOf(second.data), second.hasMore]).toEqual([[rare], false]);
  expect(idsOf((await readFeed(ada, `?after=${first.position}`)).data)).toEqual([made, rare, after[0]]);
  await makeManyEvents(here.db, whose, 10_000);
  const newest = await readFeed(ada, "?event=webhook.test&order=desc");
  expect([newest.data, newest.hasMore]).toEqual([[], true]);
  const earlier = await readFeed(ada, `?event=webhook.test&order=desc&after=${newest.position}`);
  expect(idsOf(earlier.data)).toEqual([rare]);
});

test("list_events lists events beside an open transaction, and events of that transaction once it ends, so that a reader skips none", async () => {
  const ada = await here.owner();
  const whose = { organisationId: ada.organisation.id };
  const [before] = await makeEvents(here.db, whose);
  const seen = idsOf(await readWholeFeed(ada));
  expect(seen).toEqual([before]);
  let { cursor } = await readFeedOn(ada);

  const slow = await begun(here.db);
  const { rows } = await slow.query<{ id: string }>(write, [whose.organisationId, dataOf("run.finished")]);
  const later: string[] = [];
  for (let each = 0; each < 5; each += 1) {
    later.push(...(await makeEvents(here.db, whose)));
    const page = await readFeedOn(ada, cursor);
    seen.push(...idsOf(page.events));
    expect(seen).toEqual([before, ...later]);
    cursor = page.cursor;
  }
  const { rows: last } = await slow.query<{ id: string }>(write, [whose.organisationId, dataOf("run.finished")]);
  await slow.query("commit");
  for (let pages = 0; seen.length < 8 && pages < 8; pages += 1) {
    const page = await readFeedOn(ada, cursor, 2);
    seen.push(...idsOf(page.events));
    cursor = page.cursor;
  }
  expect(seen).toEqual([before, ...later, rows[0]?.id, last[0]?.id]);
  expect((await readFeedOn(ada, cursor)).events).toEqual([]);
});

test("list_events returns each event once while six writers commit, roll back and overlap", async () => {
  const ada = await here.owner();
  const committed: string[] = [];
  let writing = true;
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    const client = new Client({ connectionString: here.db.adminUrl });
    await client.connect();
    try {
      for (let each = 0; each < 12; each += 1) {
        await client.query("begin");
        const ids: string[] = [];
        for (let event = 0; event <= (writer + each) % 3; event += 1) {
          await client.query("savepoint within");
          const { rows } = await client.query<{ id: string }>(write, [ada.organisation.id, dataOf("run.finished")]);
          ids.push(rows[0]?.id ?? "");
          await client.query("select pg_sleep($1)", [((writer * each) % 5) / 100]); // so that transactions overlap
          await client.query("release savepoint within");
        }
        const kept = (writer + each) % 4 > 0;
        await client.query(kept ? "commit" : "rollback");
        if (kept) committed.push(...ids);
      }
    } finally {
      await client.end();
    }
  });
  const all = Promise.all(writers).then(() => {
    writing = false;
  });
  const seen: string[] = [];
  let cursor = "";
  const readOnce = async () => {
    const page = await readFeed(ada, `?limit=7${cursor && `&after=${cursor}`}`);
    seen.push(...idsOf(page.data));
    cursor = page.position;
  };
  while (writing) {
    await readOnce();
    await here.db.sql("select pg_sleep(0.1)"); // keeps the reader within its rate limit
  }
  await all;
  for (let pages = committed.length; seen.length < committed.length && pages > 0; pages -= 1) await readOnce();
  await readOnce();
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.toSorted()).toEqual(committed.toSorted());
});

test("list_events with runId returns the events of the run in both orders and page by page, and no others", async () => {
  const ada = await here.owner();
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  const started = async () => (await ada.post("/runs", { botId, message: "Hello" })).body.id as string;
  const [run, other] = [await started(), await started()];
  const made: string[] = [];
  for (const runId of [run, other, run, other, run]) {
    const data = { ...JSON.parse(dataOf("run.finished")), runId };
    const [row] = await here.db.sql<{ id: string }>(write, [ada.organisation.id, JSON.stringify(data)]);
    if (runId === run) made.push(row?.id ?? "");
  }
  await here.db.sql("insert into app.events (organisation_id, kind, data) values ($1, 'webhook.test', $2)", [
    ada.organisation.id,
    JSON.stringify({ webhookId: run }),
  ]);
  expect(idsOf((await readFeed(ada, `?runId=${run}`)).data)).toEqual(made);
  expect(idsOf((await readFeed(ada, `?runId=${run}&order=desc`)).data)).toEqual(made.toReversed());
  const page = await readFeed(ada, `?runId=${run}&limit=2`);
  expect([idsOf(page.data), page.hasMore]).toEqual([made.slice(0, 2), true]);
  const rest = await readFeed(ada, `?runId=${run}&limit=2&cursor=${page.nextCursor}`);
  expect([idsOf(rest.data), rest.hasMore, rest.nextCursor]).toEqual([made.slice(2), false, null]);
  expect((await readFeed(ada, `?runId=${run}&event=approval.needed`)).data).toEqual([]);
  const eve = await here.owner();
  expect((await readFeed(eve, `?runId=${run}`)).data).toEqual([]);
  expect((await ada.get("/events?runId=none")).status).toBe(400);
});
