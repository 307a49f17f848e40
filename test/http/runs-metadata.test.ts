/** Metadata of runs. (docs/specification/runs.md#metadata) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { anOwnerWithBot } from "../support/resources.ts";
import { tablesWithText } from "../support/tables-with-text.ts";

const here = apiOfFile();

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, `${n}`]));

async function start(who: Member, botId: string, metadata?: object, key?: string): Promise<Json> {
  const again = key ? { idempotencyKey: key } : {};
  const body = { botId, message: "Hi", ...(metadata ? { metadata } : {}) };
  return expectAnswer("start_run", await who.post("/runs", body, again));
}

const found = async (who: Member, query: string) =>
  expectAnswer("list_runs", await who.get(`/runs?${query}`)).data.map(({ id }: Json) => id);

test("start_run stores metadata at every bound, and get_run and list_runs return it", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const given = { ...pairs(17), ["k".repeat(40)]: "𝒳".repeat(500), "A_z.0-9": "", order: '"4711", {é}' };
  const run = await start(ada, botId, given);
  expect(run.metadata).toEqual(given);
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}`)).metadata).toEqual(given);
  const none = await start(ada, botId);
  expect(none.metadata).toEqual({});
  expect((await start(ada, botId, {})).metadata).toEqual({});
  const listed = expectAnswer("list_runs", await ada.get("/runs")).data;
  expect(listed.map(({ metadata }: Json) => metadata)).toEqual([{}, {}, given]);
});

test.each<[string, unknown, string]>([
  ["21 pairs", pairs(21), "body.metadata"],
  ["an empty key", { "": "x" }, "body.metadata"],
  ["a key of 41 characters", { ["k".repeat(41)]: "x" }, "body.metadata"],
  ["a key with a space", { "a b": "x" }, "body.metadata"],
  ["the key __proto__", JSON.parse('{"__proto__":"x"}'), "body.metadata"],
  ["a value of 501 characters", { order: "x".repeat(501) }, "body.metadata.order"],
  ["a value with U+0000", { order: "\0" }, "body.metadata.order"],
  ["a number as value", { order: 4711 }, "body.metadata.order"],
  ["a list", ["x"], "body.metadata"],
  ["a text", "order", "body.metadata"],
])("start_run refuses %s in metadata, in the API and in the database", async (_what, metadata, path) => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  expectRefusal(await ada.post("/runs", { botId, message: "Hi", metadata }), "invalid_request", [path]);
  if (path === "body.metadata.order" && JSON.stringify(metadata).includes("u0000")) return; // jsonb cannot hold it
  const [row] = await here.db.sql<{ fits: boolean | null }>(
    "select api_private.fits_contract('start_run', $1) as fits",
    [JSON.stringify({ botId, message: "Hi", untrusted: false, metadata })],
  );
  const isInserted = async () => {
    const { id } = await start(ada, botId);
    const text = JSON.stringify(metadata);
    return here.db.sql(
      "insert into app.run_metadata (organisation_id, run_id, key, value) select $1, $2, * from jsonb_each_text($3)",
      [ada.organisation.id, id, text],
    );
  };
  if (row?.fits) await expect(isInserted()).rejects.toThrow(/check constraint|20 pairs/);
});

test("list_runs filters by one pair and by several, with other filters and pages", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const first = await start(ada, botId, { order: "4711", env: "prod" });
  const second = await start(ada, botId, { order: "4712", env: "prod" });
  const third = await start(ada, botId, { order: "4711", env: "test" });
  expect(await found(ada, "metadata[order]=4711")).toEqual([third.id, first.id]);
  expect(await found(ada, "metadata%5Border%5D=4711&metadata[env]=prod")).toEqual([first.id]);
  expect(await found(ada, "metadata[env]=prod&metadata[order]=4711")).toEqual([first.id]);
  expect(await found(ada, "metadata[env]=PROD")).toEqual([]);
  expect(await found(ada, "metadata[ENV]=prod")).toEqual([]);
  expect(await found(ada, "metadata[env]=")).toEqual([]);
  await ada.post(`/runs/${second.id}/cancel`);
  expect(await found(ada, "metadata[env]=prod&state=cancelled")).toEqual([second.id]);
  expect(await found(ada, "metadata[env]=prod&state=queued&trigger=api")).toEqual([first.id]);
  expect(await found(ada, `metadata[env]=prod&botId=${crypto.randomUUID()}`)).toEqual([]);
  expect(await found(ada, `metadata[env]=prod&botId=${botId}`)).toEqual([second.id, first.id]);
  const page = expectAnswer("list_runs", await ada.get("/runs?metadata[env]=prod&limit=1&include=message"));
  expect(page.data).toMatchObject([{ id: second.id, message: "Hi" }]);
  expect(await found(ada, `metadata[env]=prod&cursor=${page.nextCursor}`)).toEqual([first.id]);
});

test.each([
  ["a text", "metadata=x", "query.metadata"],
  ["no key", "metadata[]=x", "query.metadata"],
  ["no closing bracket", "metadata[order=x", "query.metadata"],
  ["a key twice", "metadata[order]=1&metadata[order]=1", "query.metadata"],
  ["__proto__", "metadata[__proto__]=x", "query.metadata"],
  ["a long value", `metadata[order]=${"x".repeat(501)}`, "query.metadata.order"],
  [
    "21 pairs",
    Object.keys(pairs(21))
      .map((key) => `metadata[${key}]=1`)
      .join("&"),
    "query.metadata",
  ],
])("list_runs refuses %s as a filter by metadata", async (_what, query, path) => {
  const ada = await here.owner("read");
  expectRefusal(await ada.get(`/runs?${query}`), "invalid_request", [path]);
});

test("metadata is visible with its run, and a filter finds no hidden run and none of another organisation", async () => {
  const ada = await here.owner("write");
  const bob = await here.another(ada, "read", await makeMember(here.db, ada.organisation.id, "admin"));
  const personal = (await ada.post("/bots", { name: "Mine", visibility: "personal" })).body.id;
  const team = (await ada.post("/bots", { name: "Ours" })).body.id;
  const hidden = await start(ada, personal, { order: "1" });
  const shown = await start(ada, team, { order: "1" });
  const [eve, foreign] = await anOwnerWithBot(here, { scope: "write" });
  const other = await start(eve, foreign, { order: "1" });
  expect(await found(ada, "metadata[order]=1")).toEqual([shown.id, hidden.id]);
  expect(await found(bob, "metadata[order]=1")).toEqual([shown.id]);
  expect(await found(eve, "metadata[order]=1")).toEqual([other.id]);
  expect((await bob.get(`/runs/${shown.id}`)).body.metadata).toEqual({ order: "1" });
});

test("a repeated start_run with one Idempotency-Key stores its metadata once, and other metadata is a mismatch", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "write" });
  const first = await start(ada, botId, { order: "1", env: "prod" }, "once");
  expect(await start(ada, botId, { env: "prod", order: "1" }, "once")).toEqual(first);
  const body = { botId, message: "Hi", metadata: { order: "2" } };
  expectRefusal(await ada.post("/runs", body, { idempotencyKey: "once" }), "idempotency_mismatch");
});

test("erase_memories deletes pairs whose value is the subject, also from replays, and no other pair", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  const spelled = "Nīls  HOLM-Vogelsang";
  const run = await start(ada, botId, { customer: spelled, order: "4711" }, "named");
  const other = await start(ada, botId, { customer: `${spelled} junior` });
  const operations = [
    { method: "GET", path: `/runs/${run.id}` },
    { method: "POST", path: "/bots", body: { name: "Bea" } },
  ];
  const look = () => ada.post("/batch", { operations }, { idempotencyKey: "look" });
  await look();
  const erased = { subjectKind: "third_party", subject: "nīls holm vogelsang" };
  const [eve, foreign] = await anOwnerWithBot(here, { scope: "admin" });
  const untouched = await start(eve, foreign, { customer: spelled });
  const receipt = expectAnswer("erase_memories", await ada.post("/memories/erase", erased));
  expect(receipt).toMatchObject({ memories: 0, complete: true });
  expect((await ada.get(`/runs/${run.id}`)).body.metadata).toEqual({ order: "4711" });
  expect((await ada.get(`/runs/${other.id}`)).body.metadata).toEqual({ customer: `${spelled} junior` });
  expect((await eve.get(`/runs/${untouched.id}`)).body.metadata).toEqual({ customer: spelled });
  const again = { botId, message: "Hi", metadata: { customer: spelled, order: "4711" } };
  expectRefusal(await ada.post("/runs", again, { idempotencyKey: "named" }), "not_found");
  expect((await look()).body.results.map(({ status }: Json) => status)).toEqual([404, 201]);
  expectAnswer("erase_memories", await eve.post("/memories/erase", erased));
  await ada.post("/memories/erase", { ...erased, subject: `${spelled} junior` });
  expect(await tablesWithText(here.db, spelled)).toEqual([]);
});

test("an erasure beyond its maximum of pairs is not complete, and a second one is", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  const run = await start(ada, botId);
  await here.db.sql(
    `insert into app.run_metadata (organisation_id, run_id, key, value)
     select $1, $2, 'key' || n, 'Nora' from generate_series(1, 20) n`,
    [ada.organisation.id, run.id],
  );
  await here.db.sql(
    `with made as (
       insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
       select organisation_id, bot_id, conversation_id, person_id, 'message' from app.runs, generate_series(1, 50) where id = $1
       returning id
     )
     insert into app.run_metadata (organisation_id, run_id, key, value)
     select $2, made.id, 'key' || n, 'Nora' from made, generate_series(1, 20) n`,
    [run.id, ada.organisation.id],
  );
  const erase = () => ada.post("/memories/erase", { subjectKind: "member", subject: "nora" });
  expect((await erase()).body.complete).toBe(false);
  expect((await erase()).body.complete).toBe(true);
  expect(await here.db.sql("select from app.run_metadata where organisation_id = $1", [ada.organisation.id])).toEqual(
    [],
  );
});

test("the audit log and events contain no metadata", async () => {
  const [ada, botId] = await anOwnerWithBot(here, { scope: "admin" });
  await ada.post("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
  const run = await start(ada, botId, { customer: "Quaymark-Canary" });
  await ada.post(`/runs/${run.id}/cancel`);
  expect((await tablesWithText(here.db, "Quaymark-Canary")).sort()).toEqual([
    "app.idempotency_records",
    "app.run_metadata",
  ]);
});
