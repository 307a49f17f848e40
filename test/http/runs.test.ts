/** Runs over HTTP, up to where an executor takes them. (Part 4, "Runs"; part 7, "Runs".) */

import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();
const absent = "01890000-0000-7000-8000-000000000000";

async function ownerWithBot(more: Json = {}): Promise<[Member, string]> {
  const ada = await here.owner("write", more.organisation);
  return [ada, (await ada.post("/bots", { name: "Ada", ...more.bot })).body.id];
}

const runsOf = ({ organisation }: Member) =>
  here.db.sql("select id from app.runs where organisation_id = $1", [organisation.id]);

test("a run is accepted with its row, queued, and can be read where Location says", async () => {
  const [ada, botId] = await ownerWithBot();
  const started = await ada.post("/runs", { botId, message: "Hello?" });
  expect(started.status).toBe(202);
  const run = expectAnswer("start_run", started);
  expect(run).toEqual({
    id: run.id,
    botId,
    conversationId: run.conversationId,
    routineId: null,
    state: "queued",
    trigger: "api",
    taint: false,
    steps: 0,
    spendMicroCents: 0,
    error: null,
    createdAt: run.createdAt,
    finishedAt: null,
  });
  expect(started.headers.get("location")).toMatch(new RegExp(`/api/v1/runs/${run.id}$`));
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}`))).toEqual(run);
  const [budget] = await here.db.sql(
    "select budget_steps, budget_micro_cents::int as cents, budget_working::text as working from app.runs where id = $1",
    [run.id],
  );
  expect(budget).toEqual({ budget_steps: 50, cents: 200_000_000, working: "00:10:00" });
});

test("a message holds 1 to 32000 code points and is kept as it was said", async () => {
  const [ada, botId] = await ownerWithBot();
  for (const message of ["a", "𝒳".repeat(31_999), "𝒳".repeat(32_000), "b".repeat(32_000), ' é"\\\u2028 ']) {
    const run = expectAnswer("start_run", await ada.post("/runs", { botId, message }));
    const said = expectAnswer("list_run_messages", await ada.get(`/runs/${run.id}/messages`));
    expect(said.data).toMatchObject([{ runId: run.id, author: "person", text: message, memoryIds: [] }]);
  }
  for (const message of ["", "a".repeat(32_001), "𝒳".repeat(32_001), "a\u0000", "\ud800", 1, null, ["a"]]) {
    expectRefusal(await ada.post("/runs", { botId, message }), "invalid_request", ["body.message"]);
  }
  expect(await runsOf(ada)).toHaveLength(5);
});

test("a run that outsiders have a hand in is tainted from its first token", async () => {
  const [ada, botId] = await ownerWithBot();
  const run = expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi", untrusted: true }));
  expect(run.taint).toBe(true);
  expect((await ada.post("/runs", { botId, message: "Hi", untrusted: false })).body.taint).toBe(false);
  for (const untrusted of ["true", 1, null]) {
    expectRefusal(await ada.post("/runs", { botId, message: "Hi", untrusted }), "invalid_request", ["body.untrusted"]);
  }
});

test("what a run must have is asked for by name", async () => {
  const [ada, botId] = await ownerWithBot();
  expectRefusal(await ada.post("/runs", {}), "invalid_request", ["body.botId", "body.message"]);
  expectRefusal(await ada.post("/runs", { botId: "ada", message: "Hi" }), "invalid_request", ["body.botId"]);
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }, { idempotencyKey: null }), "invalid_request", [
    "headers.idempotency-key",
  ]);
});

test("runs of one person with one bot share a conversation; another person has their own", async () => {
  const [ada, botId] = await ownerWithBot();
  const bob = await here.another(ada, "write", await makeMember(here.db, ada.organisation.id, "admin"));
  const first = (await ada.post("/runs", { botId, message: "1" })).body;
  const second = (await ada.post("/runs", { botId, message: "2" })).body;
  const bobs = (await bob.post("/runs", { botId, message: "3" })).body;
  expect(second.conversationId).toBe(first.conversationId);
  expect(bobs.conversationId).not.toBe(first.conversationId);
});

test("that a team's bot ran is seen by all of it, what was said by the person alone", async () => {
  const [ada, botId] = await ownerWithBot();
  const bob = await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: run } = await ada.post("/runs", { botId, message: "Between us" });
  expect((await bob.get(`/runs/${run.id}`)).body).toEqual(run);
  expectRefusal(await bob.get(`/runs/${run.id}/messages`), "not_found");
  const said = await ada.get(`/runs/${run.id}/messages`);
  expect(said.body.data[0].text).toBe("Between us");
  expectRefusal(await ada.get(`/runs/${absent}/messages`), "not_found");
});

test("a bot that the person does not see, or may not talk to, is not found", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "write", await makeMember(here.db, ada.organisation.id, "admin"));
  const personal = (await ada.post("/bots", { name: "Mine", visibility: "personal" })).body.id;
  const ownersAlone = (await ada.post("/bots", { name: "Secretary", directConversation: "owner" })).body.id;
  for (const botId of [personal, ownersAlone]) {
    expectRefusal(await bob.post("/runs", { botId, message: "Hi" }), "not_found");
    expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }));
  }
  const [eve, foreign] = await ownerWithBot();
  for (const botId of [foreign, absent]) expectRefusal(await ada.post("/runs", { botId, message: "Hi" }), "not_found");
  expectAnswer("start_run", await eve.post("/runs", { botId: foreign, message: "Hi" }));
  const hidden = (await ada.post("/runs", { botId: personal, message: "Hi" })).body.id;
  expectRefusal(await bob.get(`/runs/${hidden}`), "not_found");
  expectRefusal(await bob.post(`/runs/${hidden}/cancel`), "not_found");
  expect((await bob.get("/runs")).body.data.map((run: Json) => run.botId)).toEqual([ownersAlone]);
});

test.each([
  ["has neither a trial nor pays", "billing_state = 'none'"],
  ["is at the end of its trial", "billing_state = 'trial', trial_ends_at = now()"],
])("an organisation that %s starts no run, and nothing is written", async (_story, set) => {
  const [ada, botId] = await ownerWithBot();
  await here.db.sql(`update app.organisations set ${set} where id = $1`, [ada.organisation.id]);
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }), "payment_required");
  expect(await runsOf(ada)).toEqual([]);
  await here.db.sql(
    "update app.organisations set billing_state = 'trial', trial_ends_at = now() + interval '1 day' where id = $1",
    [ada.organisation.id],
  );
  expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }));
});

test("where no executor of the bot's model lives, the run is refused for now and nothing is written", async () => {
  const [ada, botId] = await ownerWithBot({ bot: { model: "nobody-serves-this" } });
  const again = { idempotencyKey: "again" };
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }, again), "unavailable");
  expect(await runsOf(ada)).toEqual([]);
  await ada.patch(`/bots/${botId}`, { model: "recall" });
  await here.db.sql("update app.executors set last_seen_at = now() - interval '61 seconds'");
  expectRefusal(await ada.post("/runs", { botId, message: "Hi" }, again), "unavailable");
  await here.db.sql("update app.executors set last_seen_at = now()");
  expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }, again));
});
