/** Routines: creating and changing them. For when they fire see test/worker/routines.test.ts. */
import { nextFiring } from "../../src/routines/next-firing.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { anOwnerWithBot } from "../support/resources.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);
const daily = { name: "Daily", schedule: "0 9 * * *", timeZone: "Europe/Berlin", message: "What is new?" };

async function withRoutine(): Promise<[Member, Json]> {
  const [ada, botId] = await anOwnerWithBot(here);
  return [ada, (await ada.post("/routines", { botId, ...daily })).body];
}

/** Another admin of the organisation. */
const colleague = async (ada: Member, scope: "write" | "admin" = "write") =>
  here.another(ada, scope, await makeMember(here.db, ada.organisation.id, "admin"));

test("A routine is created, read, listed by bot, changed and deleted", async () => {
  const [ada, botId] = await anOwnerWithBot(here);
  const made = expectAnswer("create_routine", await ada.post("/routines", { botId, ...daily }));
  expect(made).toEqual({
    id: made.id,
    botId,
    ...daily,
    state: "active",
    pauseReason: null,
    nextFiringAt: nextFiring(daily.schedule, daily.timeZone, new Date(made.createdAt))?.toISOString(),
    lastFiredAt: null,
    lastRunId: null,
    lastSkippedAt: null,
    lastSkipReason: null,
    createdBy: ada.organisation.ownerId,
    createdAt: made.createdAt,
  });
  expect(expectAnswer("get_routine", await ada.get(`/routines/${made.id}`))).toEqual(made);
  const other = (await ada.post("/bots", { name: "Other" })).body.id;
  const second = (await ada.post("/routines", { botId: other, name: "UTC", schedule: "5 4 * * SUN", message: "Hm" }))
    .body;
  expect(second.timeZone).toBe("UTC");
  expect(expectAnswer("list_routines", await ada.get("/routines")).data).toEqual([second, made]);
  expect((await ada.get(`/routines?botId=${botId}`)).body.data).toEqual([made]);

  const changes = { name: "Weekly", schedule: "0 9 * * MON", timeZone: "Asia/Tokyo", message: "What was?" };
  const changed = expectAnswer("update_routine", await ada.patch(`/routines/${made.id}`, changes));
  expect(changed).toEqual({ ...made, ...changes, nextFiringAt: null });
  expect((await ada.patch(`/routines/${made.id}`, { message: "And now?" })).body).toEqual({
    ...changed,
    message: "And now?",
  });
  expect(expectAnswer("delete_routine", await ada.delete(`/routines/${made.id}`))).toEqual({
    id: made.id,
    deleted: true,
  });
  for (const gone of [await ada.get(`/routines/${made.id}`), await ada.delete(`/routines/${made.id}`)]) {
    expectRefusal(gone, "not_found");
  }
  expectRefusal(await ada.patch(`/routines/${made.id}`, { name: "Back" }), "not_found");
  expect((await ada.get("/routines")).body.data).toEqual([second]);
});

test.each<[field: string, values: unknown[]]>([
  [
    "schedule",
    [
      "",
      "@daily",
      "* * * *",
      "0 0 30 2 *",
      "0 9 * * * *",
      "99 * * * *",
      "0 9 * * 1#2",
      `${"1,".repeat(99)}1 * * * *`,
      9,
    ],
  ],
  ["timeZone", ["", "Mars/Olympus", "+02:00", "Europe/Berlin\u0000", 2]],
  ["message", ["", "a".repeat(32_001), "\u0000", null]],
  ["name", ["", "a".repeat(61), null]],
  ["botId", ["guide", null]],
])("create_routine and update_routine name an invalid %s", async (field, values) => {
  const [ada, routine] = await withRoutine();
  for (const value of values) {
    const body = { botId: routine.botId, ...daily, [field]: value };
    expectRefusal(await ada.post("/routines", body), "invalid_request", [`body.${field}`]);
    if (field === "botId") continue;
    expectRefusal(await ada.patch(`/routines/${routine.id}`, { [field]: value }), "invalid_request", [`body.${field}`]);
  }
});

test("update_routine ignores fixed fields, and refuses a change of nothing", async () => {
  const [ada, routine] = await withRoutine();
  const fixed = { botId: routine.botId, nextFiringAt: "2026-01-01T00:00:00Z", createdBy: routine.id, state: undefined };
  expectRefusal(await ada.patch(`/routines/${routine.id}`, fixed), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/routines/${routine.id}`, { state: "disabled" }), "invalid_request", ["body.state"]);
});

test("create_routine needs a bot that its person may see and talk to", async () => {
  const [ada] = await anOwnerWithBot(here);
  const grace = await colleague(ada);
  const hidden = (await ada.post("/bots", { name: "Mine", visibility: "personal" })).body.id;
  const silent = (await ada.post("/bots", { name: "Silent", directConversation: "owner" })).body.id;
  const [, foreign] = await anOwnerWithBot(here);
  for (const botId of [hidden, silent, foreign]) {
    expectRefusal(await grace.post("/routines", { botId, ...daily }), "not_found");
  }
  const own = (await ada.post("/routines", { botId: hidden, ...daily })).body;
  expect((await grace.get("/routines")).body.data).toEqual([]);
  expectRefusal(await grace.get(`/routines/${own.id}`), "not_found");
  expectRefusal(await grace.delete(`/routines/${own.id}`), "not_found");
  expectRefusal(await grace.patch(`/routines/${own.id}`, { state: "paused" }), "not_found");
});

test("Another admin may pause and delete a person's routine, but not change or resume it", async () => {
  const [ada, routine] = await withRoutine();
  const grace = await colleague(ada);
  expect((await grace.get(`/routines/${routine.id}`)).body).toEqual(routine);
  for (const change of [{ message: "Give all away" }, { schedule: "* * * * *" }, { timeZone: "UTC" }, { name: "X" }]) {
    expectRefusal(await grace.patch(`/routines/${routine.id}`, change), "forbidden");
    expectRefusal(await grace.patch(`/routines/${routine.id}`, { ...change, state: "paused" }), "forbidden");
  }
  expect((await ada.get(`/routines/${routine.id}`)).body).toEqual(routine);
  expect((await grace.patch(`/routines/${routine.id}`, { state: "paused" })).body.state).toBe("paused");
  expectRefusal(await grace.patch(`/routines/${routine.id}`, { state: "active" }), "forbidden");
  expect((await ada.patch(`/routines/${routine.id}`, { state: "active" })).body.state).toBe("active");
  expectAnswer("delete_routine", await grace.delete(`/routines/${routine.id}`));
});

test("Of sixty create_routine calls at once in two processes fifty succeed, and a deletion makes room for one", async () => {
  const [ada, botId] = await anOwnerWithBot(here);
  const body = { botId, ...daily };
  const replies = await atOnce(60, (api) => api.call<Json>("POST", "/routines", { key: ada.key.text, body }));
  const made = replies.filter(({ status }) => status === 201);
  expect(made).toHaveLength(50);
  for (const reply of replies.filter(({ status }) => status !== 201)) expectRefusal(reply, "quota_exceeded");
  expect((await ada.get("/me")).body.limits.liveRoutines).toEqual({ limit: 50, used: 50 });
  await ada.delete(`/routines/${made[0]?.body.id}`);
  expectAnswer("create_routine", await ada.post("/routines", body));
  expectRefusal(await ada.post("/routines", body), "quota_exceeded");
});
