/** Cancelling runs, their end, lists and hourly limits. (docs/specification/runs.md#cancelling-and-resuming) */

import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { setLimits } from "../support/database.ts";

const here = apiOfFile();

async function started(): Promise<[Member, Json]> {
  const ada = await here.owner("write");
  const botId = (await ada.post("/bots", { name: "Ada" })).body.id;
  return [ada, (await ada.post("/runs", { botId, message: "Hi" })).body];
}

/** Brings a run into a state through valid transitions. */
async function lead(run: Json, ...states: string[]): Promise<void> {
  for (const state of states) {
    await here.db.sql(
      `update app.runs set state = $2::app.run_state,
         lease_id = case when $2 = 'running' then gen_random_uuid() end where id = $1`,
      [run.id, state],
    );
  }
}

const eventsOf = (run: Json) =>
  here.db.sql("select kind, data from app.events where data ->> 'runId' = $1", [run.id]) as Promise<Json[]>;

test.each([
  ["queued", []],
  ["running", ["running"]],
  ["waiting_approval", ["running", "waiting_approval"]],
  ["blocked", ["running", "blocked"]],
  ["paused_limit", ["paused_limit"]],
])("cancel_run cancels a %s run once", async (state, way) => {
  const [ada, run] = await started();
  await lead(run, ...way);
  expect((await ada.get(`/runs/${run.id}`)).body.state).toBe(state);
  const cancelled = expectAnswer("cancel_run", await ada.post(`/runs/${run.id}/cancel`));
  expect(cancelled).toMatchObject({ id: run.id, state: "cancelled", error: null, finishedAt: expect.any(String) });
  expect(expectAnswer("cancel_run", await ada.post(`/runs/${run.id}/cancel`))).toEqual(cancelled);
  expect((await ada.get(`/runs/${run.id}`)).body).toEqual(cancelled);
  expect(await eventsOf(run)).toMatchObject([{ kind: "run.finished", data: { state: "cancelled" } }]);
});

test.each(["completed", "failed"])("cancel_run leaves a %s run unchanged and writes no event", async (end) => {
  const [ada, run] = await started();
  await lead(run, "running", end);
  const before = (await ada.get(`/runs/${run.id}`)).body;
  expect(before.state).toBe(end);
  expect(expectAnswer("cancel_run", await ada.post(`/runs/${run.id}/cancel`))).toEqual(before);
  expect(await eventsOf(run)).toHaveLength(1);
});

test.each(["budget_steps", "budget_spend", "budget_time", "executor_failed", "executor_lost", "refused", "internal"])(
  "get_run returns a failure by %s as a code and a sentence",
  async (code) => {
    const [ada, run] = await started();
    await lead(run, "running");
    await here.db.sql("update app.runs set state = 'failed', error = $2, lease_id = null where id = $1", [
      run.id,
      code,
    ]);
    const { error } = expectAnswer("get_run", await ada.get(`/runs/${run.id}`));
    expect(error).toEqual({ code, message: expect.stringMatching(/^[A-Z].*\.$/) });
  },
);

test("A read key reads runs and can neither start nor cancel one", async () => {
  const [ada, run] = await started();
  const reader = await here.another(ada, "read");
  expectAnswer("get_run", await reader.get(`/runs/${run.id}`));
  expectRefusal(await reader.post("/runs", { botId: run.botId, message: "Hi" }), "unauthenticated");
  expectRefusal(await reader.post(`/runs/${run.id}/cancel`), "unauthenticated");
  expect((await ada.get(`/runs/${run.id}`)).body.state).toBe("queued");
});

test("list_runs filters by bot and by state", async () => {
  const [ada, first] = await started();
  const otherBot = (await ada.post("/bots", { name: "Bob" })).body.id;
  const second = (await ada.post("/runs", { botId: otherBot, message: "Hi" })).body;
  const third = (await ada.post("/runs", { botId: first.botId, message: "Hi" })).body;
  const cancelled = (await ada.post(`/runs/${third.id}/cancel`)).body;

  const listed = async (query: string) => expectAnswer("list_runs", await ada.get(`/runs${query}`)).data;
  expect(await listed("")).toEqual([cancelled, second, first]);
  expect(await listed(`?botId=${first.botId}`)).toEqual([cancelled, first]);
  expect(await listed("?state=queued")).toEqual([second, first]);
  expect(await listed(`?state=cancelled&botId=${first.botId}`)).toEqual([cancelled]);
  for (const state of ["running", "waiting_approval", "blocked", "paused_limit", "completed", "failed"]) {
    expect(await listed(`?state=${state}`)).toEqual([]);
  }
  expectRefusal(await ada.get("/runs?state=done"), "invalid_request", ["query.state"]);
  expectRefusal(await ada.get("/runs?botId=ada"), "invalid_request", ["query.botId"]);
  const wrong = await ada.get("/runs?trigger=timer&since=yesterday&until=2026-11-26");
  expectRefusal(wrong, "invalid_request", ["query.trigger", "query.since", "query.until"]);
});

test("list_runs filters by trigger and by time of creation; since is inclusive, until is not", async () => {
  const [ada, newest] = await started();
  await startBy("webhook", newest, "2 hours"); // the partition of yesterday is there
  await startBy("routine", newest, "3 hours");
  const [, middle, oldest] = (await ada.get("/runs")).body.data;
  const listed = async (query: string) => expectAnswer("list_runs", await ada.get(`/runs?${query}`)).data;

  expect(await listed("trigger=routine")).toEqual([oldest]);
  expect(await listed("trigger=api")).toEqual([newest]);
  expect(await listed("trigger=message")).toEqual([]);
  expect(await listed(`since=${middle.createdAt}`)).toEqual([newest, middle]);
  expect(await listed(`until=${middle.createdAt}`)).toEqual([oldest]);
  const between = `since=${oldest.createdAt}&until=${newest.createdAt}`;
  expect(await listed(`${between}&botId=${newest.botId}`)).toEqual([middle, oldest]);
  expect(await listed(`${between}&trigger=webhook&state=queued`)).toEqual([middle]);
  expect(await listed(`${between}&trigger=webhook&state=completed`)).toEqual([]);
  expect(await listed(`since=${newest.createdAt}&until=${oldest.createdAt}`)).toEqual([]);
});

test.each([
  "state=queued",
  "state=cancelled",
  "botId=",
  "state=queued&botId=",
  "state=cancelled&botId=",
  "trigger=webhook",
  "trigger=webhook&state=queued",
  "trigger=api&state=cancelled",
])("list_runs filtered by %s pages newest first, without other runs", async (filter) => {
  const [ada, { botId }] = await started();
  const otherBot = (await ada.post("/bots", { name: "Bob" })).body.id;
  for (let each = 1; each < 12; each += 1) {
    const { body: run } = await ada.post("/runs", { botId: each % 3 ? botId : otherBot, message: "Hi" });
    if (each % 4 > 1) await here.db.sql("update app.runs set trigger = 'webhook' where id = $1", [run.id]);
    if (each % 2) await ada.post(`/runs/${run.id}/cancel`);
  }
  const query = filter.replace("botId=", `botId=${botId}`);
  const { state, trigger } = Object.fromEntries(new URLSearchParams(query));
  const all: Json[] = expectAnswer("list_runs", await ada.get("/runs?limit=200")).data;
  const wanted = all.filter(
    (run) =>
      (!state || run.state === state) &&
      (!trigger || run.trigger === trigger) &&
      (!query.includes("botId") || run.botId === botId),
  );
  expect(wanted.length).toBeGreaterThan(2);
  const pages: Json[] = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = expectAnswer("list_runs", await ada.get(`/runs?limit=2&${query}${cursor && `&cursor=${cursor}`}`));
    pages.push(...page.data);
    cursor = page.nextCursor;
  }
  expect(pages).toEqual(wanted);
});

const kinds = [
  ["scripts", "runStartsPerHour", ["api", "message"]],
  ["routines", "routineStartsPerHour", ["routine"]],
  ["inbound webhooks", "webhookStartsPerHour", ["webhook"]],
] as const;

/** Inserts a run with this trigger, started now or this long ago. */
const startBy = (trigger: string, run: Json, ago: string | null = null) =>
  here.db.sql(
    `insert into app.runs (id, organisation_id, bot_id, conversation_id, person_id, trigger)
     select uuidv7(-$2::interval), organisation_id, bot_id, conversation_id, person_id, $3::app.run_trigger
     from app.runs where id = $1`,
    [run.id, ago, trigger],
  );

test.each(kinds)(
  "The hourly limit of %s counts starts of the last 60 minutes in any state, and of no other trigger",
  async (who, limit, triggers) => {
    const [ada, run] = await started();
    const used = async () => (await ada.get("/me")).body.limits[limit].used;
    const before = who === "scripts" ? 1 : 0;
    await setLimits(here.db, ada.organisation.id, { [limit]: 3 });
    await ada.post(`/runs/${run.id}/cancel`);
    for (const [, , others] of kinds.filter(([other]) => other !== who)) {
      for (const trigger of others) await startBy(trigger, run);
    }
    for (const trigger of triggers) await startBy(trigger, run, "61 minutes");
    for (const trigger of triggers) await startBy(trigger, run, "-1 day"); // and the clock was set back
    expect(await used()).toBe(before);
    for (let count = before; count < 3; count += 1) await startBy(triggers[count % triggers.length] ?? "", run);
    expect((await ada.get("/me")).body.limits[limit]).toEqual({ limit: 3, used: 3 });
    await here.db.sql(
      `with old as (select id from app.runs where organisation_id = $1 and created_at < now() - interval '1 hour'),
         events as (delete from app.run_events where run_id in (select id from old))
       delete from app.runs where id in (select id from old)`,
      [ada.organisation.id],
    );
    expect(await used()).toBe(3);
    for (const trigger of triggers) {
      await expect(startBy(trigger, run)).rejects.toMatchObject({ code: "OA001", message: "quota_exceeded" });
    }
    if (who === "scripts") {
      expectRefusal(await ada.post("/runs", { botId: run.botId, message: "Hi" }), "quota_exceeded");
    }
    expect(await used()).toBe(3);
    for (const [, , others] of kinds.filter(([other]) => other !== who)) {
      for (const trigger of others) await startBy(trigger, run); // other triggers have limits of their own
    }
  },
);

test("Each kind of start has a limit of 120 an hour by default", async () => {
  const [ada] = await started();
  const { limits } = (await ada.get("/me")).body;
  expect(kinds.map(([, limit]) => limits[limit].limit)).toEqual([120, 120, 120]);
});

test.each(kinds)("The hourly limit of %s holds when all start at once", async (_who, limit, triggers) => {
  const [ada, run] = await started();
  await setLimits(here.db, ada.organisation.id, { [limit]: 5 });
  await Promise.allSettled(Array.from({ length: 16 }, () => startBy(triggers[0], run)));
  const counted = await here.db.sql("select id from app.runs where organisation_id = $1 and trigger::text = any ($2)", [
    ada.organisation.id,
    triggers,
  ]);
  expect(counted).toHaveLength(5);
});
