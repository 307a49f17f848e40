/** Routines: planning and firing, with a real worker. */
import { nextFiring } from "../../src/routines/next-firing.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import type { Json } from "../support/api.ts";
import { setLimits } from "../support/database.ts";
import { customer, status } from "../support/post-office.ts";
import { noon, routinesOfFile } from "../support/routines.ts";
import { eventually, moveClock, testWorker } from "../support/worker.ts";

const { addDue, comeDue, dueOf, fire, office, poll, runsOf, withRoutine } = routinesOfFile();

const workers: RunningWorker[] = [];
const work = async () => workers.push(await testWorker(office.db, office.settings));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

test("a routine is planned and fires when due, and its run has the routine's id", async () => {
  const [ada, routine] = await withRoutine();
  const now = new Date();
  expect(routine.nextFiringAt).toBe(nextFiring(noon.schedule, noon.timeZone, now)?.toISOString());
  expect(routine).toMatchObject({ state: "active", lastFiredAt: null, lastRunId: null, lastSkippedAt: null });

  const hook = office.hook(status(200));
  await ada.subscribe(hook);
  await comeDue(routine);
  await work();
  await eventually(async () => hook.posts().length === 1);
  const fired = await ada.routine(routine);
  expect(fired).toMatchObject({ state: "active", nextFiringAt: routine.nextFiringAt, lastSkipReason: null });
  expect(Date.parse(fired.lastFiredAt)).toBeGreaterThan(now.getTime() - 1000);
  const { data } = JSON.parse(hook.posts()[0]?.body ?? "{}");
  expect(data).toMatchObject({ runId: fired.lastRunId, routineId: routine.id, trigger: "routine", taint: false });
  expect(await runsOf(ada)).toEqual([
    expect.objectContaining({ id: fired.lastRunId, routineId: routine.id, trigger: "routine", taint: false }),
  ]);
  const said = (await ada.ask("GET", `/runs/${fired.lastRunId}/messages`)).body.data;
  expect(said.at(-1)).toMatchObject({ author: "person", text: noon.message });
});

test("a routine fires within its minute by the database's clock", async () => {
  // Starts at the beginning of a minute, so that the minute does not change during the test.
  const [now] = await office.db.sql<{ left: string }>(
    "select (60 - extract(second from times.clock())) * interval '1 second' || '' as left",
  );
  await moveClock(office.db, now?.left ?? "");
  const [ada, routine] = await withRoutine({ schedule: "* * * * *" });
  await work();
  for (const times of [1, 2, 3]) {
    await moveClock(office.db, "1 minute");
    await eventually(async () => (await runsOf(ada)).length === times);
  }
  const starts = await office.db.sql<{ firing_at: Date }>(
    "select firing_at from app.runs where routine_id = $1 order by firing_at",
    [routine.id],
  );
  const minutes = starts.map(({ firing_at }) => firing_at.getTime() / 60_000);
  expect(minutes).toEqual([minutes[0], (minutes[0] ?? 0) + 1, (minutes[0] ?? 0) + 2]);
});

test("after three missed days a routine fires once, then by its schedule", async () => {
  const [ada, routine] = await withRoutine({ schedule: "*/5 * * * *" });
  await moveClock(office.db, "3 days");
  expect(await poll(ada)).toEqual(["fired"]);
  expect(await poll(ada)).toEqual([]);
  const { nextFiringAt, lastFiredAt } = await ada.routine(routine);
  expect(Date.parse(nextFiringAt) - Date.parse(lastFiredAt)).toBeLessThanOrEqual(300_000);
  expect(await runsOf(ada)).toHaveLength(1);
});

test("eight workers that poll at once fire a routine once", async () => {
  const [ada, routine] = await withRoutine();
  await comeDue(routine);
  const due = await dueOf(routine);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => fire(due)));
  expect(outcomes.toSorted()).toEqual([...Array(7).fill("elsewhere"), "fired"]);
  expect(await runsOf(ada)).toHaveLength(1);
});

test("two workers fire 150 due routines once each", async () => {
  const ada = await customer(office);
  await addDue(ada, 150);
  await Promise.all([work(), work()]);
  const counts = async () =>
    (
      await office.db.sql<{ runs: number; routines: number }>(
        `select count(*)::int as runs, count(distinct routine_id)::int as routines
         from app.runs where organisation_id = $1`,
        [ada.organisation.id],
      )
    )[0];
  await eventually(async () => ((await counts())?.runs ?? 0) >= 150);
  expect(await counts()).toEqual({ runs: 150, routines: 150 });
});

test("a repeated firing, as after the clock was set back, starts no second run and counts for no limit", async () => {
  const [ada, routine] = await withRoutine();
  await office.db.sql("update app.routines set next_firing_at = '2026-01-01T12:00Z' where id = $1", [routine.id]);
  expect(await poll(ada)).toEqual(["fired"]);
  // One start is left: a firing that starts nothing neither uses it up nor announces that.
  await setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 2 });
  await ada.subscribe(office.hook(), ["organisation.limit_reached"]);
  for (const firings of [1, 2]) {
    await office.db.sql("update app.routines set next_firing_at = '2026-01-01T12:00Z' where id = $1", [routine.id]);
    expect(await poll(ada)).toEqual(["planned"]);
    const { data } = (await ada.ask("GET", "/events?event=organisation.limit_reached")).body;
    expect([firings, data]).toEqual([firings, []]);
  }
  expect(await runsOf(ada)).toHaveLength(1);
  const again = office.db.sql(
    `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, routine_id, firing_at)
     select organisation_id, bot_id, conversation_id, person_id, trigger, routine_id, firing_at
     from app.runs where routine_id = $1`,
    [routine.id],
  );
  await expect(again).rejects.toMatchObject({ constraint: "runs_one_a_firing" });
});

test("a routine that changed after the poll is not fired with its old schedule", async () => {
  const [ada, routine] = await withRoutine();
  const seen = async () => {
    await comeDue(routine);
    return dueOf(routine);
  };
  const changes = [{ schedule: "0 13 * * *" }, { timeZone: "UTC" }, { state: "paused" }];
  for (const change of changes) {
    const due = await seen();
    await ada.ask("PATCH", `/routines/${routine.id}`, change);
    expect(await fire(due)).toBe("elsewhere");
  }
  await ada.ask("PATCH", `/routines/${routine.id}`, { state: "active" });
  expect(await poll(ada)).toEqual(["planned"]);
  const due = await seen();
  await ada.ask("DELETE", `/routines/${routine.id}`);
  expect(await fire(due)).toBe("elsewhere");
  expect(await runsOf(ada)).toEqual([]);
});

test("fire_routine rejects a next firing in the past", async () => {
  const [ada, routine] = await withRoutine();
  await comeDue(routine);
  const due = await dueOf(routine);
  await expect(fire(due, due.clock)).rejects.toThrow("must lie in the future");
  expect(await runsOf(ada)).toEqual([]);
  expect(await poll(ada)).toEqual(["fired"]);
});

test("a routine with an invalid schedule fires what is due, then pauses with a reason", async () => {
  const [ada, routine] = await withRoutine();
  await office.db.sql("update app.routines set time_zone = 'Mars/Olympus' where id = $1", [routine.id]);
  await comeDue(routine);
  await work();
  await eventually(async () => (await ada.routine(routine)).state === "paused");
  expect(await ada.routine(routine)).toMatchObject({ pauseReason: "schedule_ended", lastRunId: expect.any(String) });
  expect(await runsOf(ada)).toHaveLength(1);
});

test("a long transaction in one organisation does not delay the routines of others", async () => {
  const [ada, slow] = await withRoutine();
  const [, quick] = await withRoutine();
  await addDue(ada, 150); // more than one poll returns
  const holder = await office.db.poolAs("owner").connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.organisations where id = $1 for update", [ada.organisation.id]);
    await comeDue(slow, "1 minute");
    await comeDue(quick);
    await work();
    const hasRun = async ({ id }: Json) =>
      (await office.db.sql("select from app.routines where id = $1 and last_run_id is not null", [id])).length === 1;
    await eventually(() => hasRun(quick));
    expect(await hasRun(slow)).toBe(false);
    await holder.query("commit");
    await eventually(() => hasRun(slow));
  } finally {
    holder.release();
  }
});
