/** Routines that may not start a run: they skip a firing or pause. */
import type { Json } from "../support/api.ts";
import { makeKey, makeMember, setLimits } from "../support/database.ts";
import { type Customer, customer } from "../support/post-office.ts";
import { noon, routinesOfFile } from "../support/routines.ts";

const { comeDue, office, poll, runsOf, withRoutine } = routinesOfFile();

/** Ends the routine's wait for an executor. */
const endWait = ({ id }: Json) =>
  office.db.sql("update app.routines set awaits_executor_until = times.clock() where id = $1", [id]);

const set = (ada: Customer, column: string, value: unknown) =>
  office.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [ada.organisation.id, value]);

test("a paused routine does not fire, and missed firings are not made up", async () => {
  const [ada, routine] = await withRoutine();
  await comeDue(routine);
  const paused = (await ada.ask("PATCH", `/routines/${routine.id}`, { state: "paused" })).body;
  expect(paused).toMatchObject({ state: "paused", pauseReason: null, nextFiringAt: null });
  expect(await poll(ada)).toEqual([]);
  await ada.ask("PATCH", `/routines/${routine.id}`, { state: "active" });
  expect(await poll(ada)).toEqual(["planned"]);
  expect(Date.parse((await ada.routine(routine)).nextFiringAt)).toBeGreaterThan(Date.now());
  expect(await runsOf(ada)).toEqual([]);
});

describe("a firing that POST /runs would refuse is skipped once with its reason, and the next one fires", () => {
  const cases: [string, (ada: Customer) => Promise<unknown>, (ada: Customer) => Promise<unknown>][] = [
    ["payment_required", (ada) => set(ada, "billing_state", "none"), (ada) => set(ada, "billing_state", "active")],
    [
      "quota_exceeded",
      (ada) => setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 0 }),
      (ada) => setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 1 }),
    ],
    [
      "unavailable",
      (ada) => office.db.sql("update app.bots set model = 'without an executor' where id = $1", [ada.bot]),
      (ada) => office.db.sql("update app.bots set model = 'recall' where id = $1", [ada.bot]),
    ],
  ];
  test.each(cases)("%s", async (reason, begin, end) => {
    const [ada, routine] = await withRoutine();
    await begin(ada);
    await comeDue(routine);
    if (reason === "unavailable") {
      expect(await poll(ada)).toEqual(["waiting"]); // for the heartbeat of an executor
      expect(await poll(ada)).toEqual([]);
      expect(await ada.routine(routine)).toMatchObject({ lastSkippedAt: null, lastSkipReason: null });
      await endWait(routine);
    }
    expect(await poll(ada)).toEqual(["skipped"]);
    expect(await poll(ada)).toEqual([]);
    const skipped = await ada.routine(routine);
    expect(skipped).toMatchObject({ state: "active", lastSkipReason: reason, lastFiredAt: null, lastRunId: null });
    expect(skipped.lastSkippedAt).not.toBeNull();
    expect(skipped.nextFiringAt).toBe(routine.nextFiringAt);
    const left = "select from app.conversations where organisation_id = $1";
    expect(await office.db.sql(left, [ada.organisation.id])).toEqual([]);
    await end(ada);
    await comeDue(routine);
    expect(await poll(ada)).toEqual(["fired"]);
    expect((await ada.routine(routine)).lastSkipReason).toBe(reason);
  });
});

test("routines and API calls have separate limits", async () => {
  const [ada, routine] = await withRoutine();
  await setLimits(office.db, ada.organisation.id, { runStartsPerHour: 0 });
  await comeDue(routine);
  expect(await poll(ada)).toEqual(["fired"]);
  await setLimits(office.db, ada.organisation.id, { runStartsPerHour: 1 });
  await setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 0 });
  expect((await ada.ask("POST", "/runs", { botId: ada.bot, message: "Hello" })).status).toBe(202);
});

describe("a routine pauses when its person may no longer start its runs", () => {
  /** A routine of an admin who is not the owner. */
  async function ofGrace(): Promise<{ ada: Customer; grace: string; routine: Json }> {
    const ada = await customer(office);
    const grace = await makeMember(office.db, ada.organisation.id, "admin");
    const key = (await makeKey(office.db, ada.organisation.id, grace)).text;
    const made = await office.api.call("POST", "/routines", { key, body: { botId: ada.bot, ...noon } });
    expect(made.status).toBe(201);
    expect(made.body.nextFiringAt).not.toBeNull();
    return { ada, grace, routine: made.body };
  }

  const cases: [string, string, (ada: Customer, grace: string) => Promise<unknown>][] = [
    [
      "they were demoted",
      "creator_not_admin",
      (ada, grace) => ada.ask("PATCH", `/members/${grace}`, { role: "member" }),
    ],
    ["they were removed", "creator_not_admin", (ada, grace) => ada.ask("DELETE", `/members/${grace}`)],
    [
      "the bot is personal now",
      "bot_not_visible",
      (ada) => ada.ask("PATCH", `/bots/${ada.bot}`, { visibility: "personal" }),
    ],
    [
      "the bot talks to its owner alone",
      "bot_not_visible",
      (ada) => ada.ask("PATCH", `/bots/${ada.bot}`, { directConversation: "owner" }),
    ],
  ];
  test.each(cases)("%s", async (_story, reason, begin) => {
    const { ada, grace, routine } = await ofGrace();
    await begin(ada, grace);
    await comeDue(routine);
    expect(await poll(ada)).toEqual(["paused"]);
    expect(await poll(ada)).toEqual([]);
    expect(await ada.routine(routine)).toMatchObject({
      state: "paused",
      pauseReason: reason,
      nextFiringAt: null,
      lastRunId: null,
    });
    expect(await runsOf(ada)).toEqual([]);
  });

  test("continues when its person resumes it", async () => {
    const { ada, grace, routine } = await ofGrace();
    await ada.ask("PATCH", `/members/${grace}`, { role: "member" });
    await comeDue(routine);
    expect(await poll(ada)).toEqual(["paused"]);
    await ada.ask("PATCH", `/members/${grace}`, { role: "admin" });
    const key = (await makeKey(office.db, ada.organisation.id, grace)).text;
    await office.api.call("PATCH", `/routines/${routine.id}`, { key, body: { state: "active" } });
    expect(await ada.routine(routine)).toMatchObject({ state: "active", pauseReason: null });
    expect(await poll(ada)).toEqual(["planned"]);
  });

  test("is deleted with its bot", async () => {
    const [ada, routine] = await withRoutine();
    await ada.ask("DELETE", `/bots/${ada.bot}`);
    await comeDue(routine);
    expect(await poll(ada)).toEqual([]);
    expect((await ada.ask("GET", `/routines/${routine.id}`, undefined, "mayFail")).status).toBe(404);
  });
});
