/** Limits and final states under concurrent connections. (docs/specification/organisation-and-me.md#limits) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { begun } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = apiOfFile();
const processes = twoProcesses(here);
const { atOnce } = processes;

const posts = ({ key }: Member, count: number, path: string, body?: Json): Promise<Reply<Json>[]> =>
  atOnce(count, (api) => api.call("POST", path, { key: key.text, body }));

function expectLimit(answers: Reply<Json>[], status: number, max: number): void {
  const done = answers.filter((answer) => answer.status === status);
  expect(done).toHaveLength(max);
  expect(new Set(done.map(({ body }) => body.id)).size).toBe(max);
  for (const answer of answers) if (answer.status !== status) expectRefusal(answer, "quota_exceeded");
}

const count = async (table: string, ada: Member) =>
  (await here.db.sql(`select from ${table} where organisation_id = $1`, [ada.organisation.id])).length;

test("Forty create_key calls at once leave exactly 20 keys", async () => {
  const ada = await here.owner();
  expectLimit(await posts(ada, 40, "/keys", { name: "CI" }), 201, 19);
  expect(await count("app.api_keys", ada)).toBe(20);
});

test("Forty create_webhook calls at once leave exactly 10 endpoints", async () => {
  const ada = await here.owner();
  expectLimit(
    await posts(ada, 40, "/webhooks", { url: "https://receiver.example/", events: ["run.finished"] }),
    201,
    10,
  );
  expect(await count("app.webhook_endpoints", ada)).toBe(10);
});

test("150 start_run calls at once start exactly 120 runs", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectLimit(await posts(ada, 150, "/runs", { botId: bot.id, message: "Hi" }), 202, 120);
  expect(await count("app.runs", ada)).toBe(120);
  expect(await count("app.messages", ada)).toBe(120);
  expect(await count("app.conversations", ada)).toBe(1);
});

test("Twenty cancel_run calls at once return one end state and write one event", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  const answers = await posts(ada, 20, `/runs/${run.id}/cancel`);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(expectAnswer("cancel_run", answers[0] as Reply).state).toBe("cancelled");
  expect(await count("app.events", ada)).toBe(1);
});

test("Of twenty redeliver calls at once exactly one succeeds", async () => {
  const ada = await here.owner();
  const { body: endpoint } = await ada.post("/webhooks", {
    url: "https://receiver.example/",
    events: ["run.finished"],
  });
  const { body: delivery } = await ada.post(`/webhooks/${endpoint.id}/test`);
  await here.db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where id = $1", [delivery.id]);
  const answers = await posts(ada, 20, `/deliveries/${delivery.id}/redeliver`);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 202) expectRefusal(answer, "conflict");
});

test("Of twenty delete_bot calls at once exactly one succeeds", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const answers = await atOnce(20, (api) => api.call("DELETE", `/bots/${bot.id}`, { key: ada.key.text }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, "not_found");
});

test("Twenty create_organisation calls at once for one new address share its person", async () => {
  const { key } = await here.platform();
  const body = { name: "Acme", owner: { email: "shared@example.test" } };
  const created = await atOnce(20, (api) => api.call("POST", "/platform/organisations", { key: key.text, body }));
  const owners = created.map((answer) => expectAnswer("create_organisation", answer).owner.userId);
  expect(new Set(owners).size).toBe(1);
});

test("Recording a key's use waits for no lock on the key or its use record", async () => {
  const ada = await here.owner();
  const holder = await begun(here.db);
  await holder.query("select from app.api_keys where id = $1 for update", [ada.key.id]);
  await holder.query("select from app.api_key_uses where key_id = $1 for update", [ada.key.id]);
  const answers = await Promise.all(Array.from({ length: 30 }, () => ada.get("/me")));
  for (const answer of answers) expect(expectAnswer("get_me", answer).key.lastUsedAt).toBeNull();
  expectAnswer("create_bot", await ada.post("/bots", { name: "Ada" }));
  await holder.query("rollback");
  // The first process tries again after a minute.
  const answer = await processes.second.call("GET", "/me", { key: ada.key.text });
  expect(answer.body.key.lastUsedAt).not.toBeNull();
});

test("Eighty calls with one key write its use once", async () => {
  const ada = await here.owner();
  await Promise.all(Array.from({ length: 40 }, () => ada.get("/bots")));
  const version = () => here.db.sql("select xmin::text from app.api_key_uses where key_id = $1", [ada.key.id]);
  const written = await version();
  await Promise.all(Array.from({ length: 40 }, () => ada.get("/bots")));
  expect(await version()).toEqual(written);
});
