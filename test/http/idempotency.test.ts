/** One Idempotency-Key: one effect, one response. (docs/specification/conventions.md#idempotency) */
import { expectAnswer, expectRefusal, expectReplay } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { noteModels, setLimits } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const { atOnce } = twoProcesses(here);
const once = { idempotencyKey: "once" };

const botsOf = async (ada: Member) => (await ada.get("/bots")).body.data;

test("A repeated request returns the same response and has one effect", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  expectAnswer("create_bot", first);
  for (let again = 0; again < 3; again += 1) expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  expect(await botsOf(ada)).toHaveLength(1);
});

test("A replay returns the first response, even after changes of the row", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  await ada.patch(`/bots/${first.body.id}`, { name: "Bob" });
  expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  await ada.delete(`/bots/${first.body.id}`);
  expectReplay(await ada.post("/bots", { name: "Ada" }, once), first);
  expect(await botsOf(ada)).toEqual([]);
});

test("The fingerprint ignores member order, white space and escapes", async () => {
  await noteModels(here.db, "m");
  const ada = await here.owner();
  const first = await ada.post("/bots", undefined, {
    ...once,
    raw: '{"name":"Adä","model":"m","extra":[1.0,{"b":1,"a":2}]}',
  });
  const same = ' {"extra":[1,{"a":2,"b":1}],\n"model" : "m" , "name":"Ad\\u00e4"} ';
  expectReplay(await ada.post("/bots", undefined, { ...once, raw: same }), first);
});

test("Another body, path or query under the same key is an idempotency_mismatch and changes nothing", async () => {
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

test("An Idempotency-Key expires after exactly 24 hours", async () => {
  const ada = await here.owner();
  const first = await ada.post("/bots", { name: "Ada" }, once);
  const age = (by: string) =>
    here.db.sql(
      `update app.idempotency_records set created_at = now() - $2::interval, day_partition = times.day_partition(now() - $2::interval)
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

/** Each refusal that is stored: how to cause it, and how to lift its cause. */
const kept: [string, string, (ada: Member) => Promise<{ path: string; body?: Json; lift: () => Promise<unknown> }>][] =
  [
    ["invalid_request", "a faulty body", async () => ({ path: "/bots", body: { name: "" }, lift: async () => {} })],
    [
      "not_found",
      "an unknown bot",
      async () => ({ path: "/runs", body: { botId: absent, message: "Hi" }, lift: async () => {} }),
    ],
    [
      "payment_required",
      "a missing payment",
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
      "a restricted kind",
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
      "a limit",
      async (ada) => {
        const hold = (max: number) => setLimits(here.db, ada.organisation.id, { liveKeys: max });
        await hold(1);
        return { path: "/keys", body: { name: "CI" }, lift: () => hold(20) };
      },
    ],
  ];

test.each(kept)("The refusal %s for %s is replayed after its cause is gone", async (code, _story, make) => {
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

test("Refusals for credential, method, size and a missing executor are not stored", async () => {
  const ada = await here.owner();
  const body = { name: "Ada" };
  expectRefusal(await here.api.call("POST", "/bots", { body, ...once }), "unauthenticated");
  expectRefusal(await ada.post(`/bots/${absent}`, body, once), "not_supported");
  expectRefusal(await ada.post("/bots", { name: "a".repeat(1_100_000) }, once), "payload_too_large");
  await noteModels(here.db, "nobody-serves-this");
  const { body: bot } = await ada.post("/bots", { name: "B", model: "nobody-serves-this" });
  expectRefusal(await ada.post("/runs", { botId: bot.id, message: "Hi" }, once), "unavailable");
  expectAnswer("create_bot", await ada.post("/bots", body, once));
  expectRefusal(await ada.post("/bots", { name: "a".repeat(1_100_000) }, once), "payload_too_large");
});

test("A request that failed internally is not stored and can be sent again", async () => {
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

test("A repeat is idempotency_in_progress while the first request runs, and a replay afterwards", async () => {
  const ada = await here.owner();
  const holder = await begun(here.db);
  await holder.query("select from app.organisations where id = $1 for update", [ada.organisation.id]);
  const first = ada.post("/keys", { name: "CI" }, once);
  await eventually(async () => (await lockWaits(here.db)) === 1);
  expectRefusal(await ada.post("/keys", { name: "CI" }, once), "idempotency_in_progress");
  expectRefusal(await ada.post("/keys", { name: "Other" }, once), "idempotency_in_progress");
  await holder.query("commit");
  const done = await first;
  expectAnswer("create_key", done);
  expectReplay(await ada.post("/keys", { name: "CI" }, once), done);
});

test("Fifty equal requests at once create one row; the others are replays or idempotency_in_progress", async () => {
  const ada = await here.owner();
  const answers = await atOnce(50, (api) =>
    api.call("POST", "/bots", { key: ada.key.text, body: { name: "Ada" }, ...once }),
  );
  const made = answers.filter((answer) => answer.status === 201);
  const firsts = made.filter((answer) => answer.headers.get("idempotent-replayed") === null);
  expect(firsts).toHaveLength(1);
  for (const answer of made) expect(answer.text).toBe(firsts[0]?.text);
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, "idempotency_in_progress");
  expect(await botsOf(ada)).toHaveLength(1);
});

test("Of fifty different requests under one key exactly one succeeds", async () => {
  const ada = await here.owner();
  const answers = await atOnce(50, (api, each) =>
    api.call<Json>("POST", "/bots", { key: ada.key.text, body: { name: `Bot ${each}` }, ...once }),
  );
  const codes = answers.map((answer) => answer.body.error?.code ?? "done");
  expect(codes.filter((code) => code === "done")).toHaveLength(1);
  for (const code of codes) expect(["done", "idempotency_in_progress", "idempotency_mismatch"]).toContain(code);
  expect(await botsOf(ada)).toHaveLength(1);
});

test("GET, PATCH and DELETE ignore the Idempotency-Key header", async () => {
  const ada = await here.owner();
  const headers = { "idempotency-key": "once" };
  const { body: bot } = await ada.post("/bots", { name: "Ada" }, once);
  expect((await ada.get(`/bots/${bot.id}`, { headers })).headers.get("idempotent-replayed")).toBeNull();
  expect((await ada.patch(`/bots/${bot.id}`, { name: "B" }, { headers })).body.name).toBe("B");
  expect((await ada.patch(`/bots/${bot.id}`, { name: "C" }, { headers })).body.name).toBe("C");
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot.id}`, { headers }));
  expectRefusal(await ada.delete(`/bots/${bot.id}`, { headers }), "not_found");
});
