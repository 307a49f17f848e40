import type { Pool } from "pg";
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { inShort, watchedRun, watching } from "../support/watched.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const watch = watching(here);

const whole = ["1 state queued", "2 state running", "3 step think", "4 approval pending"];

const rest = [
  "5 state waiting_approval",
  "6 state queued",
  "7 state running",
  "8 step think",
  "9 message Deep.",
  "10 end completed",
];

/** A run with an event of every kind. */
async function story(ada: Member) {
  const run = await watchedRun(here, pool, ada);
  return {
    id: run.id,
    async ask(): Promise<void> {
      const assignment = await run.begin();
      await run.executor.step(assignment, 7);
      await run.executor.ask(assignment);
    },
    async finish(): Promise<void> {
      await here.db.sql("update app.approvals set state = 'approved', answered_at = now() where run_id = $1", [run.id]);
      const assignment = await run.begin();
      await run.executor.step(assignment, 5);
      await run.executor.finish(assignment, "Deep.");
    },
  };
}

test("watch_run sends each event once, whether opened at the beginning, in the middle or after the end", async () => {
  const ada = await here.owner();
  const run = await story(ada);
  const early = await watch(ada, run);
  expect(early.status).toBe(200);
  expect(early.headers.get("content-type")).toBe("text/event-stream");
  expect(early.headers.get("cache-control")).toBe("private, no-store");
  expect(early.headers.get("x-accel-buffering")).toBe("no");
  expect(early.headers.get("ratelimit")).not.toBeNull();
  expect(inShort(await early.until(1))).toEqual(["1 state queued"]);
  await run.ask();
  expect(inShort(await early.until(5))).toEqual([...whole, rest[0]]);
  const amid = await watch(ada, run);
  await amid.until(5);
  await run.finish();
  const events = await early.ended;
  expect(inShort(events)).toEqual([...whole, ...rest]);
  expect(await amid.ended).toEqual(events);
  expect(await (await watch(ada, run)).ended).toEqual(events);

  const { body: row } = await ada.get(`/runs/${run.id}`);
  expect(events.at(-1)?.data).toEqual(row);
  expect(events[0]?.data).toEqual({ ...row, state: "queued", steps: 0, spendMicroCents: 0, finishedAt: null });
  expect(events[4]?.data).toMatchObject({ state: "waiting_approval", steps: 1, spendMicroCents: 7, finishedAt: null });
  const { data: steps } = (await ada.get(`/runs/${run.id}/steps`)).body;
  expect([events[7]?.data, events[2]?.data]).toEqual(steps);
  const { data: messages } = (await ada.get(`/runs/${run.id}/messages`)).body;
  expect(events[8]?.data).toEqual(messages[0]);
});

test("watch_run with Last-Event-ID sends exactly the later events, and always the end", async () => {
  const ada = await here.owner();
  const run = await story(ada);
  await run.ask();
  const streams = await Promise.all([0, 1, 2, 3, 4, 5].map((after) => watch(ada, run, after)));
  await run.finish();
  for (const [after, stream] of streams.entries()) {
    expect(inShort(await stream.ended)).toEqual([...whole, ...rest].slice(after));
  }
  for (const after of [0, 4, 9]) {
    expect(inShort(await (await watch(ada, run, after)).ended)).toEqual([...whole, ...rest].slice(after));
  }
  expect(inShort(await (await watch(ada, run, 10)).ended)).toEqual(["10 end completed"]);
  // A number beyond the history belongs to another history, so all events are sent.
  for (const after of [11, 999_999_999]) {
    expect(inShort(await (await watch(ada, run, after)).ended)).toEqual([...whole, ...rest]);
  }
});

test("watch_run of a run whose events were deleted sends the end, and list_run_steps an empty list", async () => {
  const ada = await here.owner();
  const run = await story(ada);
  await run.ask();
  await run.finish();
  const { body: row } = await ada.get(`/runs/${run.id}`);
  await here.db.sql("delete from app.run_events where run_id = $1", [run.id]); // as the daily deletion does after a week
  await here.db.sql("delete from app.steps where run_id = $1", [run.id]);
  for (const after of [undefined, 0, 7, 10, 11]) {
    const events = await (await watch(ada, run, after)).ended;
    expect([inShort(events), events[0]?.data]).toEqual([["1 end completed"], row]);
  }
  expect((await ada.get(`/runs/${run.id}/steps`)).body).toMatchObject({ data: [] });
  expect([row.steps, row.spendMicroCents]).toEqual([2, 12]);
});

test.each(["-1", "1.5", "ten", "1e3", "0x1", "1234567890", "1 2", "null"])(
  "watch_run refuses Last-Event-ID %s",
  async (lastEventId) => {
    const ada = await here.owner();
    const run = await watchedRun(here, pool, ada);
    const headers = { "last-event-id": lastEventId };
    expectRefusal(await ada.get(`/runs/${run.id}/events`, { headers }), "invalid_request", ["headers.last-event-id"]);
  },
);

test("watch_run of another person's run sends no messages and no approvals", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin"));
  const run = await story(ada);
  const [hers, his] = [await watch(ada, run), await watch(bob, run)];
  await run.ask();
  await hers.until(5);
  const later = await watch(bob, run, 4); // an event number that this person was not sent is valid
  await run.finish();
  const all = await hers.ended;
  const public_ = all.filter(({ event }) => event !== "message" && event !== "approval");
  expect(public_.length).toBe(all.length - 2);
  expect(await his.ended).toEqual(public_);
  expect(await later.ended).toEqual(public_.filter(({ id }) => id > 4));
  expect(his.text()).not.toContain("Deep.");
});

test("watch_run returns 404 for an unreadable run, and is refused in a batch", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const run = await watchedRun(here, pool, ada);
  expectRefusal(await eve.get(`/runs/${run.id}/events`), "not_found");
  expectRefusal(await here.api.call("GET", `/runs/${run.id}/events`), "unauthenticated");
  const operations = [{ method: "GET", path: `/runs/${run.id}/events` }];
  expectRefusal(await ada.post("/batch", { operations }), "invalid_request", ["body.operations.0.path"]);
});

test("Events that are rolled back are not sent, and their numbers are used again", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  const assignment = await run.begin();
  const session = await pool.connect();
  await session.query("begin");
  const { organisationId, runId, leaseId } = assignment;
  await session.query("select runner.step($1, $2, $3, 'regretted')", [organisationId, runId, leaseId]);
  await session.query("rollback");
  session.release();
  await run.executor.finish(assignment, "Deep.");
  expect(inShort(await stream.ended)).toEqual([
    "1 state queued",
    "2 state running",
    "3 message Deep.",
    "4 end completed",
  ]);
});

test("Runs changed by concurrent transactions number their events without gaps", async () => {
  const ada = await here.owner();
  const runs = await Promise.all(Array.from({ length: 8 }, () => watchedRun(here, pool, ada)));
  const streams = await Promise.all(runs.map((run) => watch(ada, run)));
  await Promise.all(
    runs.map(async ({ id, begin, executor }, nth) => {
      const assignment = await begin();
      const steps = Array.from({ length: 5 }, () => executor.step(assignment));
      // One of the two ends the run first, and the other is refused.
      await Promise.all([...steps, nth % 2 ? executor.fail(assignment) : ada.post(`/runs/${id}/cancel`)]).catch(
        () => {},
      );
    }),
  );
  for (const stream of streams) {
    const events = await stream.ended;
    expect(events.map(({ id }) => id)).toEqual(events.map((_, place) => place + 1));
    expect(events.at(-1)?.event).toBe("end");
  }
});

test("watch_run sends a run with more events than one read returns", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const live = await watch(ada, run);
  await run.begin();
  await run.step(173);
  await live.until(175);
  const late = await watch(ada, run);
  await late.until(175);
  await ada.post(`/runs/${run.id}/cancel`);
  expect(await late.ended).toEqual(await live.ended);
  expect(late.events.map(({ id }) => id)).toEqual(Array.from({ length: 176 }, (_, before) => before + 1));
  expect(await (await watch(ada, run)).ended).toEqual(late.events);
});

test("The event of a deleted approval is no longer sent, and its number is not used again", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  const assignment = await run.begin();
  const approvalId = await run.executor.ask(assignment);
  expect((await stream.until(4))[2]?.data).toMatchObject({ approvalId });
  await here.db.sql("delete from app.approvals where id = $1", [approvalId]);
  await ada.post(`/runs/${run.id}/cancel`);
  expect((await stream.ended).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect((await (await watch(ada, run)).ended).map(({ id }) => id)).toEqual([1, 2, 4, 5]);
});

test("After the last event's approval is deleted, no event is sent twice", async () => {
  const ada = await here.owner();
  const run = await watchedRun(here, pool, ada);
  const stream = await watch(ada, run);
  await run.begin();
  await run.step(60);
  await here.db.sql(
    `insert into app.approvals (organisation_id, run_id, bot_id, conversation_id, person_id, kind, proposal, expires_at)
     select organisation_id, id, bot_id, conversation_id, person_id, 'memory', '{}', now() + interval '1 day'
     from app.runs where id = $1`,
    [run.id],
  );
  expect((await stream.until(63)).at(-1)).toMatchObject({ id: 63, event: "approval" });
  await here.db.sql("delete from app.approvals where run_id = $1", [run.id]);
  const later = await watch(ada, run, 63);
  await ada.post(`/runs/${run.id}/cancel`);
  expect((await later.ended).map(({ id }) => id)).toEqual([64]);
  expect((await stream.ended).map(({ id }) => id)).toEqual(Array.from({ length: 64 }, (_, before) => before + 1));
});
