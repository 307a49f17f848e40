/** Atomic batches: all operations or none. (docs/specification/batch.md) */
import { refusals } from "../../src/contract/refusals.ts";
import { expectAnswer, statusesOf } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

const make = (name = "Ada"): Json => ({ method: "POST", path: "/bots", body: { name } });
const atomic = async (ada: Member, operations: Json[]): Promise<Json[]> =>
  expectAnswer("batch", await ada.post("/batch", { atomic: true, operations })).results;

/** Every row of the organisation and every job, except the bookkeeping rows of the call itself. */
async function everything(ada: Member): Promise<Json> {
  const tables = await here.db.sql<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where attname = 'organisation_id' and relnamespace = 'app'::regnamespace and relkind in ('r', 'p')
       and relname not in ('idempotency_records', 'response_bytes', 'response_rows', 'api_key_uses', 'api_key_days', 'request_minutes')`,
  );
  const rows: Json = { jobs: await here.db.sql("select id from graphile_worker.jobs order by id") };
  for (const { name } of tables) {
    rows[name] = await here.db.sql(
      `select to_json(stored) from ${name} stored where organisation_id = $1 order by 1::text`,
      [ada.organisation.id],
    );
  }
  return rows;
}

/** One operation of each kind that writes. Some queue jobs. */
async function writes(ada: Member): Promise<Json[]> {
  const { body: bot } = await ada.post("/bots", { name: "Grace" });
  const { body: endpoint } = await ada.post("/webhooks", {
    url: "https://receiver.example/",
    events: ["run.finished"],
  });
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
  const { body: memory } = await ada.post("/memories", {
    scope: "organisation",
    kind: "fact",
    subject: "We",
    value: "We are.",
  });
  return [
    make(),
    { method: "PATCH", path: `/bots/${bot.id}`, body: { name: "Changed" } },
    { method: "DELETE", path: `/memories/${memory.id}` },
    { method: "POST", path: "/runs", body: { botId: bot.id, message: "Hi again" } },
    { method: "POST", path: `/runs/${run.id}/cancel` },
    { method: "POST", path: `/webhooks/${endpoint.id}/test` },
    { method: "POST", path: "/invitations", body: { email: `guest.of.${bot.id}@example.test` } },
    { method: "POST", path: "/keys", body: { name: "CI" } },
    { method: "PATCH", path: "/organisation", body: { name: "Changed" } },
  ];
}

test("An atomic batch without a refusal commits all operations", async () => {
  const ada = await here.owner();
  const before = await everything(ada);
  expect(statusesOf(await atomic(ada, await writes(ada)))).toEqual([201, 200, 200, 202, 200, 202, 201, 201, 200]);
  const after = await everything(ada);
  expect(after.jobs.length).toBeGreaterThan(before.jobs.length); // deliveries and a mail
  expect(after["app.invitations"]).toHaveLength(1);
});

test.each([
  ["refused as not found", { method: "GET", path: `/bots/${absent}` }, 404, "not_found"],
  ["refused for its body", { method: "POST", path: "/bots", body: {} }, 400, "invalid_request"],
  ["beyond the key's scope", { method: "GET", path: "/platform/organisations" }, 401, "unauthenticated"],
  ["with an unknown path", { method: "GET", path: "/nothing" }, 400, "invalid_request"],
  ["with a method that the path lacks", { method: "DELETE", path: "/bots" }, 405, "not_supported"],
] as const)(
  "An atomic batch with an operation %s changes nothing, and all other operations are a conflict",
  async (_what, bad, status, code) => {
    const ada = await here.owner();
    const good = await writes(ada);
    const before = await everything(ada);
    for (const place of [0, 5, good.length]) {
      const done = await atomic(ada, good.toSpliced(place, 0, bad));
      expect(statusesOf(done)).toEqual(Array(good.length).fill(409).toSpliced(place, 0, status));
      expect(done[place]?.body.error.code).toBe(code);
      for (const [each, { body }] of done.entries()) {
        if (each === place) continue;
        const { message } = refusals.conflict;
        expect(body).toEqual({ error: { code: "conflict", message, requestId: expect.any(String) } });
      }
      expect(await everything(ada)).toEqual(before);
    }
  },
);

test("An atomic batch with several refusals reports the first, and the others as conflicts", async () => {
  const ada = await here.owner();
  const bad = [
    { method: "GET", path: `/bots/${absent}` },
    { method: "POST", path: "/bots", body: {} },
  ];
  const done = await atomic(ada, [make(), ...bad, make()]);
  expect(statusesOf(done)).toEqual([409, 404, 409, 409]);
  const turned = await atomic(ada, [make(), ...bad.toReversed(), make()]);
  expect(statusesOf(turned)).toEqual([409, 400, 409, 409]);
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test("An atomic batch that exceeds a limit undoes all operations and returns no key", async () => {
  const ada = await here.owner();
  const key = { method: "POST", path: "/keys", body: { name: "CI" } };
  const done = await atomic(ada, Array(20).fill(key));
  expect(statusesOf(done)).toEqual([...Array(19).fill(409), 429]);
  expect(JSON.stringify(done)).not.toContain("bsk_");
  expect((await ada.get("/keys")).body.data).toHaveLength(1);
  expect(statusesOf(await atomic(ada, Array(19).fill(key)))).toEqual(Array(19).fill(201));
});

test("A batch without `atomic` keeps the operations before and after a refused one", async () => {
  const ada = await here.owner();
  const operations = [make("One"), { method: "GET", path: `/bots/${absent}` }, make("Two")];
  const { results } = expectAnswer("batch", await ada.post("/batch", { operations }));
  expect(statusesOf(results)).toEqual([201, 404, 201]);
  expect((await ada.get("/bots")).body.data.map((bot: Json) => bot.name)).toEqual(["Two", "One"]);
});
