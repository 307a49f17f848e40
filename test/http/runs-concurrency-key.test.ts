/** Concurrency keys in the API. (docs/specification/runs.md#concurrency-key; test/runner/concurrency-keys.test.ts for their effect) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { anOwnerWithBot } from "../support/resources.ts";
import { tablesWithText } from "../support/tables-with-text.ts";

const here = apiOfFile();

test("start_run, get_run and list_runs return the key to everyone who sees the run", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const concurrencyKey = "𝒳".repeat(200);
  const run = expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi", concurrencyKey }));
  expect(run.concurrencyKey).toBe(concurrencyKey);
  const bob = await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin"));
  for (const who of [ada, bob]) {
    expect(expectAnswer("get_run", await who.get(`/runs/${run.id}`))).toEqual(run);
    for (const query of ["", "?state=queued", `?botId=${botId}`])
      expect(expectAnswer("list_runs", await who.get(`/runs${query}`)).data).toEqual([run]);
  }
});

test.each<[string, object, string]>([
  ["an empty key", { concurrencyKey: "" }, "body.concurrencyKey"],
  ["a key of 201 characters", { concurrencyKey: "k".repeat(201) }, "body.concurrencyKey"],
  ["a key with U+0000", { concurrencyKey: "a\0b" }, "body.concurrencyKey"],
  ["a number as key", { concurrencyKey: 4711 }, "body.concurrencyKey"],
  ["another word for ifBusy", { concurrencyKey: "a", ifBusy: "wait" }, "body.ifBusy"],
])("start_run refuses %s, and starts nothing", async (_name, more, path) => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  expectRefusal(await ada.post("/runs", { botId, message: "Hi", ...more }), "invalid_request", [path]);
  expect(expectAnswer("list_runs", await ada.get("/runs")).data).toEqual([]);
});

test("the database refuses a key of 201 characters", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const { id } = expectAnswer("start_run", await ada.post("/runs", { botId, message: "Hi" }));
  const again = `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, concurrency_key)
    select organisation_id, bot_id, conversation_id, person_id, 'api', $2 from app.runs where id = $1`;
  await expect(here.db.sql(again, [id, "k".repeat(201)])).rejects.toMatchObject({
    constraint: "runs_concurrency_key_check",
  });
  await expect(here.db.sql(again, [id, ""])).rejects.toMatchObject({ constraint: "runs_concurrency_key_check" });
});

test("reject is refused after the limit of starts, counts in no limit, and has no effect without a key", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  await setLimits(here.db, ada.organisation.id, { runStartsPerHour: 2 });
  const start = (concurrencyKey?: string) =>
    ada.post("/runs", { botId, message: "Hi", ifBusy: "reject", ...(concurrencyKey ? { concurrencyKey } : {}) });
  expectAnswer("start_run", await start("a"));
  expectRefusal(await start("a"), "concurrency_key_busy");
  expectRefusal(await start("a"), "concurrency_key_busy");
  expectAnswer("start_run", await start());
  expectRefusal(await start("a"), "quota_exceeded");
});

test("a repeated start_run with one Idempotency-Key returns the first run, and not that its own run is busy", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const start = (concurrencyKey: string, idempotencyKey: string) =>
    ada.post("/runs", { botId, message: "Hi", concurrencyKey, ifBusy: "reject" }, { idempotencyKey });
  const first = expectAnswer("start_run", await start("a", "once"));
  expect(expectAnswer("start_run", await start("a", "once"))).toEqual(first);
  expectRefusal(await start("b", "once"), "idempotency_mismatch");
  expectRefusal(await start("a", "twice"), "concurrency_key_busy");
  expect(expectAnswer("list_runs", await ada.get("/runs")).data).toHaveLength(1);
});

test("two starts of one atomic batch with one key and reject start nothing", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const body = { botId, message: "Hi", concurrencyKey: "a", ifBusy: "reject" };
  const operations = [1, 2].map(() => ({ method: "POST", path: "/runs", body }));
  const { body: done } = await ada.post("/batch", { operations, atomic: true });
  expect(done.results.map(({ status }: { status: number }) => status)).toEqual([409, 409]);
  expect(expectAnswer("list_runs", await ada.get("/runs")).data).toEqual([]);
});

test("events and the audit log contain no key, and an erasure leaves none, also not in replays", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  await ada.post("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
  const body = { botId, message: "Hi", concurrencyKey: "Quaymark-Canary-Key" };
  const { id } = expectAnswer("start_run", await ada.post("/runs", body, { idempotencyKey: "named" }));
  await ada.post(`/runs/${id}/cancel`);
  expect((await tablesWithText(here.db, body.concurrencyKey)).sort()).toEqual(["app.idempotency_records", "app.runs"]);
  const erased = { subjectKind: "third_party", subject: "quaymark canary key" };
  expect(expectAnswer("erase_memories", await ada.post("/memories/erase", erased))).toMatchObject({ complete: true });
  expect((await ada.get(`/runs/${id}`)).body.concurrencyKey).toBeNull();
  expectRefusal(await ada.post("/runs", body, { idempotencyKey: "named" }), "not_found");
  expect(await tablesWithText(here.db, body.concurrencyKey)).toEqual([]);
});
