/** Cursors of list_events that are malformed, foreign, too old or from before a restored backup. */
import { readFileSync } from "node:fs";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { idsOf, makeEvents, readFeed, readFeedOn, readWholeFeed, untilReadable } from "../support/events.ts";

const here = apiOfFile();

test("Events restored into a cluster with smaller transaction ids are readable after the SQL of docs/backups.md", async () => {
  const page = readFileSync(new URL("../../docs/backups.md", import.meta.url), "utf8");
  const [, remedy = "the page has no such statement"] = /--command="(update app\.events[^"]*)"/.exec(page) ?? [];
  const ada = await here.owner();
  const whose = { organisationId: ada.organisation.id };
  const restored = await makeEvents(here.db, whose, { count: 3 });
  await here.db.sql("update app.events set transaction_id = '9000000000000000000' where organisation_id = $1", [
    whose.organisationId,
  ]);
  const { position } = await readFeed(ada);
  const old = `${position.slice(0, 8)}${9000000000000000000n.toString(16)}${"0".repeat(32)}`;
  expect((await readFeed(ada, `?after=${old}`)).data).toEqual([]);
  await here.db.sql(remedy);
  const [later] = await makeEvents(here.db, whose);
  await untilReadable(here.db, whose);
  expect(idsOf((await readFeed(ada, `?after=${old}`)).data)).toEqual([...restored, later]);
});

describe("A cursor of list_events", () => {
  test("is refused if it belongs to another list or is malformed", async () => {
    const ada = await here.owner();
    await ada.post("/bots", { name: "Ada" });
    await ada.post("/bots", { name: "Bob" });
    const { nextCursor: ofBots } = (await ada.get("/bots?limit=1")).body;
    const { position } = await readFeed(ada);
    const bad = ["", "x", "%00", ofBots, position.slice(1), `${position}0`, `${position.slice(0, -1)}g`];
    for (const after of [...bad, "0".repeat(56)]) {
      expectRefusal(await ada.get(`/events?after=${after}`), "invalid_request", ["query.after"]);
    }
    expectRefusal(await ada.get(`/events?after=${position}&after=${position}`), "invalid_request", ["query.after"]);
    expectRefusal(await ada.get(`/bots?cursor=${position}`), "invalid_request", ["query.cursor"]);
    expectRefusal(await ada.get("/events?limit=201"), "invalid_request", ["query.limit"]);
  });

  test("older than every stored event continues at the oldest", async () => {
    const ada = await here.owner();
    const made = await makeEvents(here.db, { organisationId: ada.organisation.id }, { count: 2 });
    await readWholeFeed(here.db, ada);
    const { position } = await readFeed(ada);
    const long = `${position.slice(0, 8)}${"3".padStart(16, "0")}${"01890000000070008000000000000000"}`;
    expect(idsOf((await readFeed(ada, `?after=${long}`)).data)).toEqual(made);
  });

  test("from before a restored backup starts again, since a client can detect a repeat but not a gap", async () => {
    const ada = await here.owner();
    const made = await makeEvents(here.db, { organisationId: ada.organisation.id }, { count: 2 });
    await readWholeFeed(here.db, ada);
    const { position } = await readFeed(ada);
    for (const transaction of ["7fffffffffffffff", "ffffffffffffffff"]) {
      const ahead = `${position.slice(0, 8)}${transaction}${"f".repeat(32)}`;
      const page = await readFeed(ada, `?after=${ahead}`);
      expect(idsOf(page.data)).toEqual(made);
      expect((await readFeed(ada, `?after=${page.position}`)).data).toEqual([]);
    }
  });

  test("of another organisation returns the caller's own events", async () => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    await makeEvents(here.db, { organisationId: ada.organisation.id });
    const { position } = await readFeed(ada);
    const made = await makeEvents(here.db, { organisationId: eve.organisation.id });
    await readWholeFeed(here.db, eve);
    expect(idsOf((await readFeedOn(eve, position)).events)).toEqual(made);
  });
});
