/** Starting and reading runs, without an executor. (docs/specification/runs.md#starting) */

import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember, noteModels } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { anOwnerWithBot } from "../support/resources.ts";

const here = ownApiOfFile();

const runsOf = ({ organisation }: Member) =>
  here.db.sql("select id from app.runs where organisation_id = $1", [organisation.id]);

test("start_run returns 202 with the queued run, and its Location returns the same run", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const started = await ada.post("/runs", { botId, message: "Hello?" });
  expect(started.status).toBe(202);
  const run = expectAnswer("start_run", started);
  expect(run).toEqual({
    id: run.id,
    botId,
    conversationId: run.conversationId,
    routineId: null,
    retryOf: null,
    state: "queued",
    trigger: "api",
    taint: false,
    steps: 0,
    spendMicroCents: 0,
    error: null,
    createdAt: run.createdAt,
    finishedAt: null,
    startAt: null,
    concurrencyKey: null,
    metadata: {},
  });
  expect(started.headers.get("location")).toMatch(new RegExp(`/api/v1/runs/${run.id}$`));
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}`))).toEqual(run);
  const [budget] = await here.db.sql(
    "select budget_steps, budget_micro_cents::int as cents, budget_working::text as working from app.runs where id = $1",
    [run.id],
  );
  expect(budget).toEqual({ budget_steps: 50, cents: 200_000_000, working: "00:10:00" });
});

test("start_run stores a message unchanged", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  for (const message of ["𝒳".repeat(16_000), "é".repeat(32_000), ' é"\\\u2028 ']) {
    const run = expectAnswer("start_run", await ada.post("/runs", { botId, message }));
    const said = expectAnswer("list_run_messages", await ada.get(`/runs/${run.id}/messages`));
    expect(said.data).toMatchObject([{ runId: run.id, author: "person", text: message, memoryIds: [] }]);
  }
});

test("start_run names each missing field", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  expectRefusal(await ada.post("/runs", {}), "invalid_request", ["body.botId", "body.message"]);
  expectRefusal(await ada.post("/runs", { botId: "ada", message: "Hi" }), "invalid_request", ["body.botId"]);
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }, { idempotencyKey: null }), "invalid_request", [
    "headers.idempotency-key",
  ]);
});

test("get_run shows a team bot's run to all admins, list_run_messages only to its person", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const bob = await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: run } = await ada.post("/runs", { botId, message: "Between us" });
  expect((await bob.get(`/runs/${run.id}`)).body).toEqual(run);
  expectRefusal(await bob.get(`/runs/${run.id}/messages`), "not_found");
  const said = await ada.get(`/runs/${run.id}/messages`);
  expect(said.body.data[0].text).toBe("Between us");
  expectRefusal(await ada.get(`/runs/${absent}/messages`), "not_found");
});

test("start_run returns 404 for a bot that the person may not see or talk to", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "write", await makeMember(here.db, ada.organisation.id, "admin"));
  const personal = (await ada.post("/bots", { name: "Mine", visibility: "personal" })).body.id;
  const ownersAlone = (await ada.post("/bots", { name: "Secretary", directConversation: "owner" })).body.id;
  for (const botId of [personal, ownersAlone]) {
    expectRefusal(await bob.post("/runs", { botId, message: "Hi" }), "not_found");
    expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }));
  }
  const [eve, foreign] = await anOwnerWithBot(here, { scope: "write" });
  for (const botId of [foreign, absent]) expectRefusal(await ada.post("/runs", { botId, message: "Hi" }), "not_found");
  expectAnswer("start_run", await eve.post("/runs", { botId: foreign, message: "Hi" }));
  const hidden = (await ada.post("/runs", { botId: personal, message: "Hi" })).body.id;
  expectRefusal(await bob.get(`/runs/${hidden}`), "not_found");
  expectRefusal(await bob.post(`/runs/${hidden}/cancel`), "not_found");
  expect((await bob.get("/runs")).body.data.map((run: Json) => run.botId)).toEqual([ownersAlone]);
});

test.each([
  ["has neither a trial nor a subscription", "billing_state = 'none'"],
  ["has an ended trial", "billing_state = 'trial', trial_ends_at = now()"],
])("start_run for an organisation that %s is payment_required and writes nothing", async (_story, set) => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  await here.db.sql(`update app.organisations set ${set} where id = $1`, [ada.organisation.id]);
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }), "payment_required");
  expect(await runsOf(ada)).toEqual([]);
  await here.db.sql(
    "update app.organisations set billing_state = 'trial', trial_ends_at = now() + interval '1 day' where id = $1",
    [ada.organisation.id],
  );
  expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }));
});

test("start_run returns 503 and writes nothing while no executor serves the bot's model", async () => {
  await noteModels(here.db, "nobody-serves-this");
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write", model: "nobody-serves-this" });
  const again = { idempotencyKey: "again" };
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }, again), "unavailable");
  expect(await runsOf(ada)).toEqual([]);
  await ada.patch(`/bots/${botId}`, { model: "recall" });
  await here.db.sql("update app.executors set last_seen_at = now() - interval '61 seconds'");
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }, again), "unavailable");
  await here.db.sql("update app.executors set last_seen_at = now()");
  expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }, again));
});

test("list_runs with include=message shows the start of own messages alone", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const long = "é".repeat(300);
  await ada.post("/runs", { botId, message: "Hi" });
  await ada.post("/runs", { botId, message: long });
  const messages = async (member: typeof ada, query: string) =>
    expectAnswer("list_runs", await member.get(`/runs?include=message${query}`)).data.map((run: Json) => run.message);
  expect(await messages(ada, "")).toEqual([long.slice(0, 200), "Hi"]);
  expect(await messages(ada, "&state=queued&limit=1")).toEqual([long.slice(0, 200)]);
  const admin = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  expect(await messages(admin, "")).toEqual([null, null]);
  expect(await messages(ada, `&botId=${crypto.randomUUID()}`)).toEqual([]);
  expect(Object.keys((await ada.get("/runs")).body.data[0])).not.toContain("message");
});
