/** One Idempotency-Key, one effect, one answer. (Part 4, "Common conventions"; decisions: "Idempotency".) */
import { Client } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const absent = "01890000-0000-7000-8000-000000000000";
const once = { idempotencyKey: "once" };

/** The second answer is the first again, to the byte, and says that it is. */
function expectReplay(again: Reply<Json>, first: Reply<Json>): void {
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  for (const name of ["x-request-id", "location", "content-type", "cache-control"]) {
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  }
}

const botsOf = async (ada: Member) => (await ada.get("/bots")).body.data;

test("the same request again is answered the same, and done once", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  expectAnswer("create_bot", first);
  for (let again = 0; again < 3; again += 1) expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  expect(await botsOf(ada)).toHaveLength(1);
});

test("the answer stays as it was, whatever has become of the row since", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  await ada.patch(`/bots/${first.body.id}`, { name: "Bob" });
  expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  await ada.delete(`/bots/${first.body.id}`);
  expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  expect(await botsOf(ada)).toEqual([]);
});

test("the order of members, white space and the spelling of characters don't make it another request", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", undefined, {
    ...once,
    raw: '{"name":"Adä","model":"m","extra":[1.0,{"b":1,"a":2}]}',
  });
  const same = ' {"extra":[1,{"a":2,"b":1}],\n"model" : "m" , "name":"Ad\\u00e4"} ';
  expectReplay(await ada.post("/bots", undefined, { ...once, raw: same }), first);
});

test("another body, path or query under the same key is a mismatch, and changes nothing", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  expectRefusal(await ada.post("/bots", { name: "Bob" }, once), "idempotency_mismatch");
  expectRefusal(await ada.post("/bots", { name: "Ada", extra: 1 }, once), "idempotency_mismatch");
  expectRefusal(await ada.post("/bots", { name: "" }, once), "idempotency_mismatch");
  expectRefusal(await ada.post("/bots", undefined, { ...once, raw: "{" }), "idempotency_mismatch");
  expectRefusal(await ada.post("/bots?a=b", { name: "Ada" }, once), "idempotency_mismatch");
  expectRefusal(await ada.post("/keys", { name: "Ada" }, once), "idempotency_mismatch");
  expectRefusal(await ada.post(`/runs/${absent}/cancel`, { name: "Ada" }, once), "idempotency_mismatch");
  expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  expect(await botsOf(ada)).toHaveLength(1);
});

test("a key of its own has keys of its own, in one organisation too", async () => {
  const ada = await here.owner();
  const other = await here.another(ada);
  const eve = await here.owner();
  const answers = [];
  for (const caller of [ada, other, eve]) answers.push(await caller.post("/bots", { name: "Ada" }, once));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
  expect(answers.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, null, null]);
});

test("after 24 hours the key is forgotten, and not a moment before", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  const age = (by: string) =>
    here.db.sql(
      `update app.idempotency_records set created_at = now() - $2::interval, ring_day = jobs.ring_day(now() - $2::interval)
       where key_id = $1`,
      [ada.key.id, by],
    );
  await age("23 hours 59 minutes");
  expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  await age("24 hours");
  const second = await ada.post("/bots", { name: "Bob" }, once);
  expectAnswer("create_bot", second);
  expectReplay(await ada.post("/bots", { name: "Bob" }, once), second);
  expectRefusal(await ada.post("/bots", { name: "Ada" }, once), "idempotency_mismatch");
  expect(await botsOf(ada)).toHaveLength(2);
});

/** Each refusal that is kept: how it comes about, and how its cause is lifted. */
const kept: [string, string, (ada: Member) => Promise<{ path: string; body?: Json; lift: () => Promise<unknown> }>][] =
  [
    ["invalid_request", "a faulty body", async () => ({ path: "/bots", body: { name: "" }, lift: async () => {} })],
    [
      "not_found",
      "a bot that is not there",
      async () => ({ path: "/runs", body: { botId: absent, message: "Hi" }, lift: async () => {} }),
    ],
    [
      "payment_required",
      "a payment that is due",
      async (ada) => {
        const { body: bot } = await ada.post("/bots", { name: "Ada" });
        const bill = (state: string) =>
          here.db.sql("update app.organisations set billing_state = $2 where id = $1", [ada.organisation.id, state]);
        await bill("none");
        return { path: "/runs", body: { botId: bot.id, message: "Hi" }, lift: () => bill("active") };
      },
    ],
    [
      "forbidden",
      "a kind that may not be held",
      async (ada) => ({
        path: "/memories",
        body: { scope: "organisation", kind: "health", subject: "s", value: "v", subjectKind: "third_party" },
        lift: () =>
          here.db.sql("delete from app.third_party_restrictions where organisation_id = $1", [ada.organisation.id]),
      }),
    ],
    [
      "conflict",
      "a paused endpoint",
      async (ada) => {
        const { body } = await ada.post("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
        const set = (state: string) => ada.patch(`/webhooks/${body.id}`, { state });
        await set("paused");
        return { path: `/webhooks/${body.id}/test`, lift: () => set("active") };
      },
    ],
    [
      "quota_exceeded",
      "a ceiling",
      async (ada) => {
        const hold = (most: number) =>
          here.db.sql("update app.organisations set live_key_ceiling = $2 where id = $1", [ada.organisation.id, most]);
        await hold(1);
        return { path: "/keys", body: { name: "CI" }, lift: () => hold(20) };
      },
    ],
  ];

test.each(kept)("the refusal %s for %s is answered again, though its cause is gone", async (code, _story, make) => {
  const ada = await here.owner();
  const { path, body, lift } = await make(ada);
  const first = await ada.post(path, body, once);
  expectRefusal(first, code as "conflict");
  await lift();
  expectReplay(await ada.post(path, body, once), first);
  const fresh = await ada.post(path, body);
  expect(fresh.headers.get("idempotent-replayed")).toBeNull();
  if (code !== "invalid_request" && code !== "not_found") expect(fresh.status).toBeLessThan(300);
});

test("what was refused before it was looked at is not kept: credential, method, size, a missing executor", async () => {
  const ada = await here.owner();
  const body = { name: "Ada" };
  expectRefusal(await here.api.call("POST", "/bots", { body, ...once }), "unauthenticated");
  expectRefusal(await ada.post(`/bots/${absent}`, body, once), "not_supported");
  expectRefusal(await ada.post("/bots", { name: "a".repeat(1_100_000) }, once), "payload_too_large");
  const { body: bot } = await ada.post("/bots", { name: "B", model: "nobody-serves-this" });
  expectRefusal(await ada.post("/runs", { botId: bot.id, message: "Hi" }, once), "unavailable");
  expectAnswer("create_bot", await ada.post("/bots", body, once));
  expectRefusal(await ada.post("/bots", { name: "a".repeat(1_100_000) }, once), "payload_too_large");
});

test("a request that failed on our side is not kept and may be sent again", async () => {
  const ada = await here.owner();
  await here.db.sql(
    `create function public.fail() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$`,
  );
  await here.db.sql(
    "create trigger fail before insert on app.bots for each row when (new.name = 'Broken') execute function public.fail()",
  );
  const failed = await ada.post("/bots", { name: "Broken" }, once);
  expectRefusal(failed, "internal");
  expect(failed.text).not.toContain("out of order");
  await here.db.sql("drop trigger fail on app.bots");
  const made = await ada.post("/bots", { name: "Broken" }, once);
  expectAnswer("create_bot", made);
  expectReplay(await ada.post("/bots", { name: "Broken" }, once), made);
});

test("while the first is under way, the second is told so at once; when it is done, the third is its replay", async () => {
  const ada = await here.owner();
  const holder = new Client({ connectionString: here.db.adminUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.organisations where id = $1 for update", [ada.organisation.id]);
    const first = ada.post("/keys", { name: "CI" }, once);
    const waiting = () =>
      here.db.sql(
        "select from pg_stat_activity where datname = current_database() and usename = 'server' and wait_event_type = 'Lock'",
      );
    await eventually(async () => (await waiting()).length === 1);
    const began = performance.now();
    expectRefusal(await ada.post("/keys", { name: "CI" }, once), "idempotency_in_progress");
    expect(performance.now() - began).toBeLessThan(2_000);
    expectRefusal(await ada.post("/keys", { name: "Other" }, once), "idempotency_in_progress");
    await holder.query("commit");
    const done = await first;
    expectAnswer("create_key", done);
    expectReplay(await ada.post("/keys", { name: "CI" }, once), done);
  } finally {
    await holder.end();
  }
});

test("fifty equal requests at once write one row; whoever is not told so is told to ask again", async () => {
  const ada = await here.owner();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ada.post("/bots", { name: "Ada" }, once)));
  const made = answers.filter((answer) => answer.status === 201);
  const firsts = made.filter((answer) => answer.headers.get("idempotent-replayed") === null);
  expect(firsts).toHaveLength(1);
  for (const answer of made) expect(answer.text).toBe(firsts[0]?.text);
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, "idempotency_in_progress");
  expect(await botsOf(ada)).toHaveLength(1);
});

test("of fifty different requests under one key, one is done", async () => {
  const ada = await here.owner();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, each) => ada.post("/bots", { name: `Bot ${each}` }, once)),
  );
  const codes = answers.map((answer) => answer.body.error?.code ?? "done");
  expect(codes.filter((code) => code === "done")).toHaveLength(1);
  for (const code of codes) expect(["done", "idempotency_in_progress", "idempotency_mismatch"]).toContain(code);
  expect(await botsOf(ada)).toHaveLength(1);
});

test("reads, changes and deletions pay no heed to the header", async () => {
  const ada = await here.owner();
  const headers = { "idempotency-key": "once" };
  const { body: bot } = await ada.post("/bots", { name: "Ada" }, once);
  expect((await ada.get(`/bots/${bot.id}`, { headers })).headers.get("idempotent-replayed")).toBeNull();
  expect((await ada.patch(`/bots/${bot.id}`, { name: "B" }, { headers })).body.name).toBe("B");
  expect((await ada.patch(`/bots/${bot.id}`, { name: "C" }, { headers })).body.name).toBe("C");
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot.id}`, { headers }));
  expectRefusal(await ada.delete(`/bots/${bot.id}`, { headers }), "not_found");
});
