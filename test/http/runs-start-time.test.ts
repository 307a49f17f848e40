/** The start time of a run. (docs/specification/runs.md#start-time; test/runner/start-times.test.ts for its effect) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { setLimits } from "../support/database.ts";
import { anOwnerWithBot } from "../support/resources.ts";

const here = apiOfFile();
const dayMs = 24 * 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

test("start_run returns startAt in UTC and to the millisecond, and so do get_run, list_runs and cancel_run", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const startAt = inMs(29 * dayMs);
  const inBerlin = new Date(Date.parse(startAt) + 3_600_000).toISOString().replace("Z", "999+01:00");
  const run = expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi", startAt: inBerlin }));
  expect([run.state, run.startAt]).toEqual(["queued", startAt]);
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}`))).toEqual(run);
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}?wait=0`))).toEqual(run);
  for (const query of ["", "?state=queued", `?botId=${botId}`])
    expect(expectAnswer("list_runs", await ada.get(`/runs${query}`)).data).toEqual([run]);
  const cancelled = expectAnswer("cancel_run", await ada.post(`/runs/${run.id}/cancel`));
  expect(cancelled).toEqual({ ...run, state: "cancelled", finishedAt: cancelled.finishedAt });
});

test.each<[string, unknown]>([
  ["more than 30 days ahead", inMs(30 * dayMs + 3_600_000)],
  ["without an offset", "2026-11-30T10:00:00"],
  ["a date", "2026-11-30"],
  ["no time", "soon"],
  ["a number", 1_800_000_000],
  ["null", null],
])("start_run refuses a startAt that is %s, and starts nothing", async (_name, startAt) => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  expectRefusal(await ada.post("/runs", { botId, message: "Hi", startAt }), "invalid_request", ["body.startAt"]);
  expect(expectAnswer("list_runs", await ada.get("/runs")).data).toEqual([]);
});

test("a postponed run counts in runStartsPerHour when it is accepted", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  await setLimits(here.db, ada.organisation.id, { runStartsPerHour: 1 });
  expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi", startAt: inMs(dayMs) }));
  expectRefusal(await ada.post("/runs", { botId, message: "Hi", startAt: inMs(dayMs) }), "quota_exceeded");
});

test("a repeated start_run with one Idempotency-Key starts one postponed run, and another startAt is a mismatch", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const start = (startAt: string) => ada.post("/runs", { botId, message: "Hi", startAt }, { idempotencyKey: "once" });
  const startAt = inMs(dayMs);
  const first = expectAnswer("start_run", await start(startAt));
  expect(expectAnswer("start_run", await start(startAt))).toEqual(first);
  expectRefusal(await start(inMs(2 * dayMs)), "idempotency_mismatch");
  expect(expectAnswer("list_runs", await ada.get("/runs")).data).toHaveLength(1);
});

test("the audit log has the start time", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  const startAt = inMs(dayMs);
  const { id } = expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi", startAt }));
  const [entry] = expectAnswer("list_audit", await ada.get(`/audit?resourceId=${id}`)).data;
  expect(entry.after.startAt).toBe(startAt);
});
