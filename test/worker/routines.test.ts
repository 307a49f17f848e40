/** Routines: planning, firing, skipping and pausing, with a real worker. */

import type { Pool } from "pg";
import { nextFiring } from "../../src/routines/next-firing.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import type { Json } from "../support/api.ts";
import { makeExecutor, makeKey, makeMember, setLimits } from "../support/database.ts";
import { type Customer, customer, officeOfFile, status } from "../support/post-office.ts";
import { eventually, moveClock, testWorker } from "../support/worker.ts";

let pool: Pool;
const office = officeOfFile({ worker: false });
beforeAll(async () => {
  await makeExecutor(office.db, ["recall", "unserved"]);
  await office.db.sql("update app.executors set last_seen_at = now() + interval '1 year'");
  pool = office.db.poolAs("worker");
}, 60_000);

const workers: RunningWorker[] = [];
const work = async () => workers.push(await testWorker(office.db, office.settings));
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

type Due = Record<"organisation_id" | "routine_id" | "schedule" | "time_zone" | "firing_at", string> & { clock: Date };

/** One poll of the routine clock for this organisation. Returns the outcomes. */
async function look({ organisation }: Customer): Promise<string[]> {
  const { rows } = await pool.query<Due>("select * from jobs.due_routines()");
  const outcomes = [];
  for (const due of rows.filter((each) => each.organisation_id === organisation.id)) outcomes.push(await fire(due));
  return outcomes;
}

async function fire(due: Due, next = nextFiring(due.schedule, due.time_zone, due.clock)): Promise<string> {
  const values = [due.organisation_id, due.routine_id, due.schedule, due.time_zone, due.firing_at, next];
  const { rows } = await pool.query("select jobs.fire_routine($1, $2, $3, $4, $5, $6) as outcome", values);
  return rows[0].outcome;
}

const noon = { name: "Noon", schedule: "0 12 * * *", timeZone: "Europe/Berlin", message: "What is new?" };

/** A customer with a planned routine. */
async function withRoutine(more: Json = {}): Promise<[Customer, Json]> {
  const ada = await customer(office);
  const routine = (await ada.ask("POST", "/routines", { botId: ada.bot, ...noon, ...more })).body;
  await look(ada); // plans routines that the API did not plan, because a test moved the clock
  const planned = await ada.routine(routine);
  expect(planned.nextFiringAt).not.toBeNull();
  return [ada, planned];
}

const runsOf = async (ada: Customer): Promise<Json[]> => (await ada.ask("GET", "/runs?limit=200")).body.data;

/** Makes the routine due, since a moment ago by default. */
const comeDue = ({ id }: Json, ago = "1 second") =>
  office.db.sql("update app.routines set next_firing_at = times.clock() - $2::interval where id = $1", [id, ago]);

/** Ends the routine's wait for an executor. */
const endWait = ({ id }: Json) =>
  office.db.sql("update app.routines set awaits_executor_until = times.clock() where id = $1", [id]);

const set = (ada: Customer, column: string, value: unknown) =>
  office.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [ada.organisation.id, value]);

/** Creates routines that are due, with enough limits to start all runs. */
async function addDue(ada: Customer, count: number): Promise<void> {
  await setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 1000 });
  await setLimits(office.db, ada.organisation.id, { liveRoutines: 1000 });
  await office.db.sql(
    `insert into app.routines (organisation_id, bot_id, name, schedule, time_zone, message, created_by, next_firing_at)
     select $1, $2, 'Many', '0 12 * * *', 'UTC', 'Hello', $3, times.clock() - interval '1 minute'
     from generate_series(1, $4)`,
    [ada.organisation.id, ada.bot, ada.organisation.ownerId, count],
  );
}

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
}, 30_000);

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
}, 30_000);

test("after three missed days a routine fires once, then by its schedule", async () => {
  const [ada, routine] = await withRoutine({ schedule: "*/5 * * * *" });
  await moveClock(office.db, "3 days");
  expect(await look(ada)).toEqual(["fired"]);
  expect(await look(ada)).toEqual([]);
  const { nextFiringAt, lastFiredAt } = await ada.routine(routine);
  expect(Date.parse(nextFiringAt) - Date.parse(lastFiredAt)).toBeLessThanOrEqual(300_000);
  expect(await runsOf(ada)).toHaveLength(1);
});

test("eight workers that poll at once fire a routine once", async () => {
  const [ada, routine] = await withRoutine();
  await comeDue(routine);
  const due = (await pool.query<Due>("select * from jobs.due_routines()")).rows.find(
    (each) => each.routine_id === routine.id,
  ) as Due;
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
}, 60_000);

test("a repeated firing, as after the clock was set back, starts no second run and counts for no limit", async () => {
  const [ada, routine] = await withRoutine();
  await office.db.sql("update app.routines set next_firing_at = '2026-01-01T12:00Z' where id = $1", [routine.id]);
  expect(await look(ada)).toEqual(["fired"]);
  // One start is left: a firing that starts nothing neither uses it up nor announces that.
  await setLimits(office.db, ada.organisation.id, { routineStartsPerHour: 2 });
  await ada.subscribe(office.hook(), ["organisation.limit_reached"]);
  for (const firings of [1, 2]) {
    await office.db.sql("update app.routines set next_firing_at = '2026-01-01T12:00Z' where id = $1", [routine.id]);
    expect(await look(ada)).toEqual(["planned"]);
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
    const { rows } = await pool.query<Due>("select * from jobs.due_routines()");
    return rows.find((each) => each.routine_id === routine.id) as Due;
  };
  const changes = [{ schedule: "0 13 * * *" }, { timeZone: "UTC" }, { state: "paused" }];
  for (const change of changes) {
    const due = await seen();
    await ada.ask("PATCH", `/routines/${routine.id}`, change);
    expect(await fire(due)).toBe("elsewhere");
  }
  await ada.ask("PATCH", `/routines/${routine.id}`, { state: "active" });
  expect(await look(ada)).toEqual(["planned"]);
  const due = await seen();
  await ada.ask("DELETE", `/routines/${routine.id}`);
  expect(await fire(due)).toBe("elsewhere");
  expect(await runsOf(ada)).toEqual([]);
});

test("fire_routine rejects a next firing in the past", async () => {
  const [ada, routine] = await withRoutine();
  await comeDue(routine);
  const { rows } = await pool.query<Due>("select * from jobs.due_routines()");
  const due = rows.find((each) => each.routine_id === routine.id) as Due;
  await expect(fire(due, due.clock)).rejects.toThrow("must lie in the future");
  expect(await runsOf(ada)).toEqual([]);
  expect(await look(ada)).toEqual(["fired"]);
});

test("a paused routine does not fire, and missed firings are not made up", async () => {
  const [ada, routine] = await withRoutine();
  await comeDue(routine);
  const paused = (await ada.ask("PATCH", `/routines/${routine.id}`, { state: "paused" })).body;
  expect(paused).toMatchObject({ state: "paused", pauseReason: null, nextFiringAt: null });
  expect(await look(ada)).toEqual([]);
  await ada.ask("PATCH", `/routines/${routine.id}`, { state: "active" });
  expect(await look(ada)).toEqual(["planned"]);
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
      expect(await look(ada)).toEqual(["waiting"]); // for the heartbeat of an executor
      expect(await look(ada)).toEqual([]);
      expect(await ada.routine(routine)).toMatchObject({ lastSkippedAt: null, lastSkipReason: null });
      await endWait(routine);
    }
    expect(await look(ada)).toEqual(["skipped"]);
    expect(await look(ada)).toEqual([]);
    const skipped = await ada.routine(routine);
    expect(skipped).toMatchObject({ state: "active", lastSkipReason: reason, lastFiredAt: null, lastRunId: null });
    expect(skipped.lastSkippedAt).not.toBeNull();
    expect(skipped.nextFiringAt).toBe(routine.nextFiringAt);
    const left = "select from app.conversations where organisation_id = $1";
    expect(await office.db.sql(left, [ada.organisation.id])).toEqual([]);
    await end(ada);
    await comeDue(routine);
    expect(await look(ada)).toEqual(["fired"]);
    expect((await ada.routine(routine)).lastSkipReason).toBe(reason);
  });
});

test("routines and API calls have separate limits", async () => {
  const [ada, routine] = await withRoutine();
  await setLimits(office.db, ada.organisation.id, { runStartsPerHour: 0 });
  await comeDue(routine);
  expect(await look(ada)).toEqual(["fired"]);
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
    expect(await look(ada)).toEqual(["planned"]);
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
    expect(await look(ada)).toEqual(["paused"]);
    expect(await look(ada)).toEqual([]);
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
    expect(await look(ada)).toEqual(["paused"]);
    await ada.ask("PATCH", `/members/${grace}`, { role: "admin" });
    const key = (await makeKey(office.db, ada.organisation.id, grace)).text;
    await office.api.call("PATCH", `/routines/${routine.id}`, { key, body: { state: "active" } });
    expect(await ada.routine(routine)).toMatchObject({ state: "active", pauseReason: null });
    expect(await look(ada)).toEqual(["planned"]);
  });

  test("is deleted with its bot", async () => {
    const [ada, routine] = await withRoutine();
    await ada.ask("DELETE", `/bots/${ada.bot}`);
    await comeDue(routine);
    expect(await look(ada)).toEqual([]);
    expect((await ada.ask("GET", `/routines/${routine.id}`, undefined, "mayFail")).status).toBe(404);
  });
});

test("a routine with an invalid schedule fires what is due, then pauses with a reason", async () => {
  const [ada, routine] = await withRoutine();
  await office.db.sql("update app.routines set time_zone = 'Mars/Olympus' where id = $1", [routine.id]);
  await comeDue(routine);
  await work();
  await eventually(async () => (await ada.routine(routine)).state === "paused");
  expect(await ada.routine(routine)).toMatchObject({ pauseReason: "schedule_ended", lastRunId: expect.any(String) });
  expect(await runsOf(ada)).toHaveLength(1);
}, 30_000);

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
}, 30_000);
