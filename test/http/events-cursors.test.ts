/** Cursors of list_events that are malformed, foreign, too old or from before a restored backup. */
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { idsOf, makeEvents, readFeed, readFeedOn, readWholeFeed } from "../support/events.ts";

const here = apiOfFile();

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
    expect((await ada.get("/events?after=")).body.error.details).toEqual([
      { path: "query.after", message: "must be a position or nextCursor of this list" },
    ]);
    expectRefusal(await ada.get(`/events?after=${position}&after=${position}`), "invalid_request", ["query.after"]);
    expectRefusal(await ada.get(`/bots?cursor=${position}`), "invalid_request", ["query.cursor"]);
    expectRefusal(await ada.get("/events?limit=201"), "invalid_request", ["query.limit"]);
  });

  test("older than every stored event continues at the oldest", async () => {
    const ada = await here.owner();
    const made = await makeEvents(here.db, { organisationId: ada.organisation.id }, { count: 2 });
    await readWholeFeed(ada);
    const { position } = await readFeed(ada);
    const long = `${position.slice(0, 8)}${"0".repeat(16)}${"01890000000070008000000000000000"}`;
    expect(idsOf((await readFeed(ada, `?after=${long}`)).data)).toEqual(made);
  });

  test("from before a restored backup starts again, since a client can detect a repeat but not a gap", async () => {
    const ada = await here.owner();
    const made = await makeEvents(here.db, { organisationId: ada.organisation.id }, { count: 2 });
    await readWholeFeed(ada);
    const { position } = await readFeed(ada);
    for (const transaction of ["7fffffffffffffff", "ffffffffffffffff"]) {
      const ahead = `${position.slice(0, 8)}${transaction}${"f".repeat(32)}`;
      const page = await readFeed(ada, `?after=${ahead}`);
      expect(idsOf(page.data)).toEqual(made);
      expect((await readFeed(ada, `?after=${page.position}`)).data).toEqual([]);
    }
  });

  test("of version 0.2.0, which holds a transaction in place of a position, continues with the events after it", async () => {
    const ada = await here.owner();
    const whose = { organisationId: ada.organisation.id };
    const made = await makeEvents(here.db, whose, { count: 4 });
    // As the migration leaves them: two transactions, whose numbers are the positions.
    await here.db.sql(
      "update app.events set position = case when id <= $2 then 700 else 800 end where organisation_id = $1",
      [whose.organisationId, made[1]],
    );
    await here.db.sql("update app.audit_chain_heads set event_position = 900 where organisation_id = $1", [
      whose.organisationId,
    ]);
    const later = await makeEvents(here.db, whose);
    const list = (await readFeed(ada)).position.slice(0, 8);
    const cursor = (transaction: number, id = "") =>
      `${list}${transaction.toString(16).padStart(16, "0")}${id.replaceAll("-", "").padStart(32, "0")}`;
    const idsAfter = async (cursor: string) => idsOf((await readFeedOn(ada, cursor)).events);
    expect(await idsAfter(cursor(700, made[0]))).toEqual([...made.slice(1), ...later]);
    expect(await idsAfter(cursor(701))).toEqual([...made.slice(2), ...later]);
    expect(await idsAfter(cursor(890))).toEqual(later); // the end of the feed before the migration
  });

  test("of another organisation returns the caller's own events", async () => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    await makeEvents(here.db, { organisationId: ada.organisation.id });
    const { position } = await readFeed(ada);
    const made = await makeEvents(here.db, { organisationId: eve.organisation.id }, { count: 3 });
    expect(idsOf((await readFeedOn(eve, position)).events)).toEqual(made.slice(1)); // both count their own events
  });
});
