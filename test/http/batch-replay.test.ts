/**
 * A batch under one Idempotency-Key: one record, one effect, one response with its secrets. (docs/specification/batch.md)
 */

import { tablesThatContain } from "../secrets/search.ts";
import { expectAnswer, expectRefusal, expectReplay } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { absent } from "../support/requests.ts";
import { storedResponses } from "../support/stored.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = ownApiOfFile();
const processes = twoProcesses(here);
const once = { idempotencyKey: "once" };

const bot = { method: "POST", path: "/bots", body: { name: "Ada" } };
const key = (name: string): Json => ({ method: "POST", path: "/keys", body: { name } });
const hook = {
  method: "POST",
  path: "/webhooks",
  body: { url: "https://receiver.example/", events: ["run.finished"] },
};

test("A batch returns each operation's secret, also when replayed, and no table contains one", async () => {
  const ada = await here.owner();
  const operations = [key("One"), bot, hook, { ...key("Two"), id: "two" }, key(""), hook];
  const first = await ada.post("/batch", { operations }, once);
  const { results } = expectAnswer("batch", first);
  expect(results.map(({ status }: Json) => status)).toEqual([201, 201, 201, 201, 400, 201]);
  const shown = [results[0].body.key, results[2].body.secret, results[3].body.key, results[5].body.secret];
  expect(shown.map((text) => text.slice(0, 4))).toEqual(["bsk_", "whse", "bsk_", "whse"]);
  expect(new Set(shown).size).toBe(4);
  expect([results[1].body, results[4].body].map((body) => body.key ?? body.secret)).toEqual([undefined, undefined]);

  const { second } = processes;
  expectReplay(await second.call("POST", "/batch", { key: ada.key.text, body: { operations }, ...once }), first);
  expectReplay(await ada.post("/batch", { operations }, once), first);
  expect(await storedResponses(here.db, ada)).toHaveLength(1);

  // The digest of each key belongs to the row that names it: each key works.
  for (const { body } of [results[0], results[3]]) {
    const me = await here.api.call("GET", "/me", { key: body.key });
    expect(me.body.key).toMatchObject({ id: body.id, name: body.name, prefix: body.key.slice(0, 12) });
  }
  expect(await tablesThatContain(here.db, results[0].body.id)).toContain("app.idempotency_records");
  for (const secret of shown) expect(await tablesThatContain(here.db, secret)).toEqual([]);
});

test("A batch with other operations, another order or another `atomic` under the same key is an idempotency_mismatch", async () => {
  const ada = await here.owner();
  const operations = [bot, { method: "GET", path: "/bots" }];
  const first = await ada.post("/batch", { operations }, once);
  for (const body of [
    { operations: operations.toReversed() },
    { operations: [bot] },
    { operations: [...operations, bot] },
    { operations, atomic: true },
    { operations: [{ ...bot, id: "named" }, operations[1]] },
    { operations: [{ ...bot, body: { name: "Bob" } }, operations[1]] },
  ]) {
    expectRefusal(await ada.post("/batch", body, once), "idempotency_mismatch");
  }
  expectRefusal(await ada.post("/bots", bot.body, once), "idempotency_mismatch");
  expectReplay(await ada.post("/batch", { operations }, once), first);
  expect((await ada.get("/bots")).body.data).toHaveLength(1);
});

test("A batch with refused operations and a batch that is invalid are both stored and replayed", async () => {
  const ada = await here.owner();
  const operations = [bot, { method: "GET", path: `/bots/${absent}` }, hook];
  const undone = await ada.post("/batch", { atomic: true, operations }, once);
  expect(undone.body.results.map(({ status }: Json) => status)).toEqual([409, 404, 409]);
  expectReplay(await ada.post("/batch", { atomic: true, operations }, once), undone);
  const none = await ada.post("/batch", { operations: [] }, { idempotencyKey: "none" });
  expectRefusal(none, "invalid_request");
  expectReplay(await ada.post("/batch", { operations: [] }, { idempotencyKey: "none" }), none);
  const nested = { operations: [{ method: "POST", path: "/batch", body: {} }] };
  const refused = await ada.post("/batch", nested, { idempotencyKey: "nested" });
  expectReplay(await ada.post("/batch", nested, { idempotencyKey: "nested" }), refused);
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test("A batch that fails internally is rolled back and not stored, so that it can be sent again", async () => {
  const ada = await here.owner();
  await here.db.sql(
    `create function public.fail() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$`,
  );
  await here.db.sql(
    "create trigger fail before insert on app.bots for each row when (new.name = 'Broken') execute function public.fail()",
  );
  const operations = [bot, { ...bot, body: { name: "Broken" } }];
  expectRefusal(await ada.post("/batch", { operations }, once), "internal");
  expect((await ada.get("/bots")).body.data).toEqual([]);
  await here.db.sql("drop trigger fail on app.bots");
  expectAnswer("batch", await ada.post("/batch", { operations }, once));
  expect((await ada.get("/bots")).body.data).toHaveLength(2);
});

test("Fifty equal batches at once have one effect; the others are replays or idempotency_in_progress", async () => {
  const ada = await here.owner();
  const operations = [bot, key("CI"), hook, bot];
  const answers = await processes.atOnce(50, (api) =>
    api.call("POST", "/batch", { key: ada.key.text, body: { operations }, ...once }),
  );
  const done = answers.filter(({ status }) => status === 200);
  const firsts = done.filter(({ headers }) => headers.get("idempotent-replayed") === null);
  expect(firsts).toHaveLength(1);
  for (const answer of done) expect(answer.text).toBe(firsts[0]?.text);
  for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, "idempotency_in_progress");
  expect((await ada.get("/bots")).body.data).toHaveLength(2);
  expect((await ada.get("/keys")).body.data).toHaveLength(2);
  expect((await ada.get("/webhooks")).body.data).toHaveLength(1);
  expect(await storedResponses(here.db, ada)).toHaveLength(1);
});
