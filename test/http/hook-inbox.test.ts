/** What is posted to a hook: who is believed, what becomes of it, and that nothing starts a second run. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { Webhook } from "standardwebhooks";
import { makeBuckets, specified } from "../../src/http/buckets.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import { type Json, type Reply, type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { nowInSeconds, type Posted, signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let second: TestApi;
beforeAll(async () => {
  second = await testApi(here.db);
});
afterAll(() => second?.stop());

type Hook = { ada: Member; id: string; secret: string; botId: string };

async function hook(): Promise<Hook> {
  const ada = await here.owner();
  const botId = (await ada.post("/bots", { name: "Guide" })).body.id;
  const { id, secret } = (await ada.post("/hooks", { botId, name: "Alerts" })).body;
  return { ada, id, secret, botId };
}

const send = ({ id }: { id: string }, posted: Posted, api = here.api): Promise<Reply<Json>> =>
  api.call("POST", `/hooks/${id}/receive`, { idempotencyKey: null, ...posted });

const runsOf = async ({ ada }: Hook): Promise<Json[]> => (await ada.get("/runs?limit=200")).body.data;
const saidIn = async ({ ada }: Hook, runId: string): Promise<string[]> =>
  (await ada.get(`/runs/${runId}/messages`)).body.data.map(({ text }: Json) => text);
const set = ({ ada }: Hook, column: string, value: unknown) =>
  here.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [ada.organisation.id, value]);

test("what is signed rightly starts a tainted run, with the body as it came", async () => {
  const at = await hook();
  const raw = '{ "alert" : "Der Kran steht still – 起重机",\r\n "n": 1.0 }';
  const reply = await send(at, signed(at.secret, raw));
  expect(reply.status).toBe(202);
  expect(reply.body).toEqual({ runId: expect.any(String) });
  expect(reply.headers.get("ratelimit-policy")).toBe('"hook";q=60;w=60');
  const { runId } = reply.body;
  const run = { id: runId, botId: at.botId, trigger: "webhook", taint: true, routineId: null, state: "queued" };
  expect(await runsOf(at)).toEqual([expect.objectContaining(run)]);
  expect(await saidIn(at, runId)).toEqual([raw]);
  const row = (await at.ada.get(`/hooks/${at.id}`)).body;
  expect(row).toMatchObject({ lastRunId: runId, lastReceivedAt: expect.any(String) });
});

test("a run that came in by a hook is tainted, whoever writes it", async () => {
  const at = await hook();
  const { runId } = (await send(at, signed(at.secret, "Hello"))).body;
  const [run] = await here.db.sql<{ taint: boolean }>(
    `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, taint)
     select organisation_id, bot_id, conversation_id, person_id, 'webhook', false from app.runs where id = $1
     returning taint`,
    [runId],
  );
  expect(run?.taint).toBe(true);
});

test("a library of Standard Webhooks may sign too, with its name as part of what is signed", async () => {
  const at = await hook();
  const raw = '{"type":"crane.stopped"}';
  const standard = (id: string, secret = at.secret, date = new Date()): Posted => ({
    raw,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(date.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, date, raw),
    },
  });
  const first = await send(at, standard("msg_1"));
  expect(first.status).toBe(202);
  expect((await send(at, standard("msg_1"))).body).toEqual(first.body);
  const other = standard("msg_2");
  expectRefusal(await send(at, { raw, headers: { ...other.headers, "webhook-id": "msg_3" } }), "unauthenticated");
  const several = `v1,${"A".repeat(43)}= ${other.headers["webhook-signature"]}`;
  expect((await send(at, { raw, headers: { ...other.headers, "webhook-signature": several } })).status).toBe(202);
  expectRefusal(await send(at, standard("msg_4", `whsec_${"A".repeat(43)}=`)), "unauthenticated");
  expectRefusal(await send(at, standard("msg_5", at.secret, new Date(Date.now() - 310_000))), "unauthenticated");
  expect(await runsOf(at)).toHaveLength(2);
});

describe("whoever is not believed is told the same, whatever the reason", () => {
  const raw = "Hello";
  const other = `whsec_${"A".repeat(43)}=`;
  const without = (posted: Posted, name: string): Posted => {
    const { [name]: _, ...headers } = posted.headers;
    return { ...posted, headers };
  };
  const cases: [string, (at: Hook) => [{ id: string }, Posted]][] = [
    ["no such hook", ({ secret }) => [{ id: randomUUID() }, signed(secret, raw)]],
    ["an id that is none", ({ secret }) => [{ id: "alerts" }, signed(secret, raw)]],
    ["another secret", (at) => [at, signed(other, raw)]],
    ["another body", (at) => [at, { ...signed(at.secret, raw), raw: "Hello!" }]],
    ["a body of the same meaning", (at) => [at, { ...signed(at.secret, '{"a":1}'), raw: '{"a": 1}' }]],
    ["too old", (at) => [at, signed(at.secret, raw, { at: nowInSeconds() - 302 })]],
    ["too early", (at) => [at, signed(at.secret, raw, { at: nowInSeconds() + 302 })]],
    [
      "another time than was signed",
      (at) => [at, signed(at.secret, raw, { headers: { "x-botstead-timestamp": String(nowInSeconds() + 1) } })],
    ],
    ["a time that is none", (at) => [at, signed(at.secret, raw, { headers: { "x-botstead-timestamp": "now" } })]],
    ["no time", (at) => [at, without(signed(at.secret, raw), "x-botstead-timestamp")]],
    ["no signature", (at) => [at, without(signed(at.secret, raw), "x-botstead-signature")]],
    [
      "capitals",
      (at) => {
        const posted = signed(at.secret, raw);
        posted.headers["x-botstead-signature"] = posted.headers["x-botstead-signature"]?.toUpperCase() ?? "";
        return [at, posted];
      },
    ],
    ["a name with a blank", (at) => [at, signed(at.secret, raw, { id: "a b" })]],
    ["a name that is too long", (at) => [at, signed(at.secret, raw, { id: "a".repeat(256) })]],
    [
      "an API key in place of a signature",
      (at) => [at, { raw, headers: { authorization: `Bearer ${at.ada.key.text}` } }],
    ],
  ];
  test.each(cases)("%s", async (_story, make) => {
    const at = await hook();
    const [where, posted] = make(at);
    const reply = await send(where, posted);
    expectRefusal(reply, "unauthenticated");
    expect(sameButForRequestId(reply)).toEqual(sameButForRequestId(await here.api.call("GET", "/me")));
    expect(await runsOf(at)).toEqual([]);
  });

  test("a hook of another organisation is not opened by one's own secret", async () => {
    const [at, elsewhere] = [await hook(), await hook()];
    expectRefusal(await send(elsewhere, signed(at.secret, raw)), "unauthenticated");
    expect(await runsOf(elsewhere)).toEqual([]);
  });

  test("a deleted hook, and one whose bot is deleted", async () => {
    const [at, botless] = [await hook(), await hook()];
    await at.ada.delete(`/hooks/${at.id}`);
    await botless.ada.delete(`/bots/${botless.botId}`);
    expectRefusal(await send(at, signed(at.secret, raw)), "unauthenticated");
    expectRefusal(await send(botless, signed(botless.secret, raw)), "unauthenticated");
  });

  test("five minutes either way are in time", async () => {
    const at = await hook();
    for (const apart of [-295, 295]) {
      expect((await send(at, signed(at.secret, raw, { at: nowInSeconds() + apart }))).status).toBe(202);
    }
  });
});

describe("a delivery starts one run", () => {
  test("sent again under its name, with a new signature too, it is answered as it was", async () => {
    const at = await hook();
    const first = await send(at, signed(at.secret, "Hello", { id: "d1" }));
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const again = [
      await send(at, signed(at.secret, "Hello", { id: "d1" })),
      await send(at, signed(at.secret, "Hello", { id: "d1", at: nowInSeconds() - 60 })),
    ];
    for (const reply of again) {
      expect([reply.status, reply.body]).toEqual([202, first.body]);
      expect(reply.headers.get("idempotent-replayed")).toBe("true");
    }
    expect(await runsOf(at)).toHaveLength(1);
  });

  test("other words under the same name are a conflict", async () => {
    const at = await hook();
    await send(at, signed(at.secret, "Hello", { id: "d1" }));
    expectRefusal(await send(at, signed(at.secret, "Goodbye", { id: "d1" })), "conflict");
    expect(await runsOf(at)).toHaveLength(1);
  });

  test("a recording under another name is a conflict, also of what was sent again; under none it is what it was", async () => {
    const at = await hook();
    const first = signed(at.secret, "Hello", { id: "d1" });
    const again = signed(at.secret, "Hello", { id: "d1", at: nowInSeconds() - 10 });
    const taken = await send(at, first);
    await send(at, again);
    for (const { raw, headers } of [first, again]) {
      const { "x-botstead-delivery": _, ...unnamed } = headers as Record<string, string>;
      expectRefusal(await send(at, { raw, headers: { ...unnamed, "x-botstead-delivery": "d2" } }), "conflict");
      expect((await send(at, { raw, headers: unnamed })).body).toEqual(taken.body);
    }
    expect(await runsOf(at)).toHaveLength(1);
  });

  test("without a name, the signature is the name", async () => {
    const at = await hook();
    const then = nowInSeconds();
    const first = await send(at, signed(at.secret, "Hello", { id: null, at: then }));
    const again = await send(at, signed(at.secret, "Hello", { id: null, at: then }));
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await send(at, signed(at.secret, "Hello", { id: null, at: then - 1 }))).status).toBe(202);
    expect(await runsOf(at)).toHaveLength(2);
  });

  test("two hooks know nothing of each other's names", async () => {
    const at = await hook();
    const { id, secret } = (await at.ada.post("/hooks", { botId: at.botId, name: "More" })).body;
    for (const each of [at, { ...at, id, secret }]) {
      expect((await send(each, signed(each.secret, "Hello", { id: "d1" }))).status).toBe(202);
    }
    expect(await runsOf(at)).toHaveLength(2);
  });

  test("sixteen times at once, at two processes, and held up until all are there", async () => {
    const at = await hook();
    const holder = new Client({ connectionString: here.db.adminUrl });
    await holder.connect();
    try {
      await holder.query("begin");
      await holder.query("select from app.hooks where id = $1 for update", [at.id]);
      const sent = Array.from({ length: 16 }, (_, each) =>
        send(at, signed(at.secret, "Hello", { id: each % 4 ? "d1" : `d${each}` }), each % 2 ? second : here.api),
      );
      const waiting = `select from pg_stat_activity
        where datname = current_database() and usename = 'server' and wait_event_type = 'Lock'`;
      await eventually(async () => (await here.db.sql(waiting)).length === 16);
      await holder.query("commit");
      const replies = await Promise.all(sent);
      const taken = replies.filter(({ status }) => status === 202);
      expect(new Set(taken.map(({ body }) => body.runId)).size).toBe(1);
      for (const reply of replies.filter(({ status }) => status !== 202)) expectRefusal(reply, "conflict");
    } finally {
      await holder.end();
    }
    expect(await runsOf(at)).toHaveLength(1);
  }, 20_000);

  test("for 24 hours, and then it is forgotten", async () => {
    const at = await hook();
    await send(at, signed(at.secret, "Hello", { id: "d1" }));
    const kept = () => here.db.sql("select from app.hook_receipts where hook_id = $1", [at.id]);
    const age = (by: string) =>
      here.db.sql("update app.hook_receipts set created_at = now() - $2::interval where hook_id = $1", [at.id, by]);
    await age("23 hours 59 minutes");
    await here.db.sql("select jobs.forget()");
    expect(await kept()).toHaveLength(2);
    await age("24 hours 1 minute");
    await here.db.sql("select jobs.forget()");
    expect(await kept()).toHaveLength(0);
  });
});

describe("what is believed and yet not taken", () => {
  test("a paused hook is a conflict; what it had taken before is answered as it was", async () => {
    const at = await hook();
    const first = await send(at, signed(at.secret, "Hello", { id: "d1" }));
    await at.ada.patch(`/hooks/${at.id}`, { state: "paused" });
    expectRefusal(await send(at, signed(at.secret, "Hello again", { id: "d2" })), "conflict");
    expect((await send(at, signed(at.secret, "Hello", { id: "d1" }))).body).toEqual(first.body);
    await at.ada.patch(`/hooks/${at.id}`, { state: "active" });
    expect((await send(at, signed(at.secret, "Hello again", { id: "d2" }))).status).toBe(202);
  });

  test.each<
    [
      string,
      "payment_required" | "quota_exceeded" | "unavailable",
      (at: Hook) => Promise<unknown>,
      (at: Hook) => Promise<unknown>,
    ]
  >([
    [
      "no payment",
      "payment_required",
      (at) => set(at, "billing_state", "none"),
      (at) => set(at, "billing_state", "active"),
    ],
    [
      "the ceiling",
      "quota_exceeded",
      (at) => set(at, "hourly_webhook_ceiling", 0),
      (at) => set(at, "hourly_webhook_ceiling", 1),
    ],
    [
      "no executor",
      "unavailable",
      (at) => at.ada.patch(`/bots/${at.botId}`, { model: "nobody's" }),
      (at) => at.ada.patch(`/bots/${at.botId}`, { model: "recall" }),
    ],
  ])("%s: and the same is taken once that has passed", async (_story, code, begin, end) => {
    const at = await hook();
    await begin(at);
    const posted = signed(at.secret, "Hello", { id: "d1" });
    expectRefusal(await send(at, posted), code);
    expect(await runsOf(at)).toEqual([]);
    await end(at);
    expect((await send(at, posted)).status).toBe(202);
  });

  test("hooks have a ceiling of their own", async () => {
    const at = await hook();
    await set(at, "hourly_run_ceiling", 0);
    await set(at, "hourly_routine_ceiling", 0);
    expect((await send(at, signed(at.secret, "Hello"))).status).toBe(202);
  });

  test.each([
    [
      "demoted",
      "creator_not_admin",
      (at: Hook, grace: string) => at.ada.patch(`/members/${grace}`, { role: "member" }),
    ],
    ["without the bot", "bot_not_visible", (at: Hook) => at.ada.patch(`/bots/${at.botId}`, { visibility: "personal" })],
  ])("a person who is %s: the hook pauses, with its reason", async (_story, reason, begin) => {
    const at = await hook();
    const grace = await makeMember(here.db, at.ada.organisation.id, "admin");
    const theirs = await here.another(at.ada, "admin", grace);
    const { id, secret } = (await theirs.post("/hooks", { botId: at.botId, name: "Grace's" })).body;
    expect((await send({ id }, signed(secret, "Hello"))).status).toBe(202);
    await begin(at, grace);
    expectRefusal(await send({ id }, signed(secret, "Hello?")), "conflict");
    expect((await at.ada.get(`/hooks/${id}`)).body).toMatchObject({ state: "paused", pauseReason: reason });
    expect(await runsOf(at)).toHaveLength(1);
  });

  test.each<[string, string | Buffer]>([
    ["empty", ""],
    ["too long", "a".repeat(32_001)],
    ["U+0000", "a\0b"],
    ["no UTF-8", Buffer.from([0xc3, 0x28])],
  ])("a body that is no message: %s", async (_story, raw) => {
    const at = await hook();
    expectRefusal(await send(at, signed(at.secret, raw)), "invalid_request", ["body"]);
    expect(await runsOf(at)).toEqual([]);
  });

  test("a message has up to 32,000 characters, however many bytes they are", async () => {
    const at = await hook();
    const raw = "𝒳".repeat(32_000);
    const { runId } = (await send(at, signed(at.secret, raw))).body;
    expect(await saidIn(at, runId)).toEqual([raw]);
  });

  test("a body over 1 MB, and one that is packed", async () => {
    const at = await hook();
    expectRefusal(await send(at, signed(at.secret, "a".repeat(1024 * 1024 + 1))), "payload_too_large");
    const packed = signed(at.secret, "Hello", { headers: { "content-encoding": "gzip" } });
    expectRefusal(await send(at, packed), "invalid_request", ["headers.content-encoding"]);
  });

  test("another method", async () => {
    const at = await hook();
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const reply = await here.api.call(method, `/hooks/${at.id}/receive`);
      expectRefusal(reply, "not_supported");
      expect(reply.headers.get("allow")).toBe("POST");
    }
  });
});

test("the key of an organisation is no way in: the operations behind a hook are nobody's to call", async () => {
  const at = await hook();
  for (const path of ["/open_hook", "/receive_hook", `/hooks/${at.id}/open`]) {
    expectRefusal(await at.ada.post(path, {}), "not_found");
  }
  const batch = { operations: [{ method: "POST", path: `/hooks/${at.id}/receive`, body: { a: 1 } }] };
  const [result] = (await at.ada.post("/batch", batch)).body.results;
  expect([result.status, result.body.error.code]).toEqual([404, "not_found"]);
  expect(await runsOf(at)).toEqual([]);
});

test("who holds the API's login and no secret starts nothing by knowing a hook's address", async () => {
  const at = await hook();
  const server = here.db.poolAs("server");
  const handle = async (credential: Buffer, operation: string) =>
    (
      await server.query("select api.handle($1, $2, $3, null, uuidv7(), null, null, null) as answer", [
        credential,
        operation,
        {
          message: "Hello",
          deliveryDigest: "00".repeat(32),
          signedDigest: "01".repeat(32),
          bodyDigest: "02".repeat(32),
        },
      ])
    ).rows[0].answer as string;
  const address = Buffer.from(at.id.replaceAll("-", ""), "hex");
  expect(await handle(address, "receive_hook")).toBe('{"refusal":"unauthenticated"}');
  const opened = await handle(address, "open_hook");
  expect(JSON.parse(opened.split("\n")[1] ?? "")).toEqual({ secretSealed: expect.stringMatching(/^01[0-9a-f]+$/) });
  expect(opened).not.toContain(Buffer.from(at.secret).toString("hex"));
  expect(await runsOf(at)).toEqual([]);
});

describe("buckets", () => {
  test("strangers are counted by their address, and a hook that is posted to rightly is not their matter", async () => {
    const at = await hook();
    const api = await testApi(here.db, {}, makeBuckets(Date.now, { ...specified, address: 3, hook: 2 }));
    try {
      for (let count = 0; count < 3; count += 1) {
        expectRefusal(await send(at, signed("whsec_wrong", "Hello"), api), "unauthenticated");
      }
      expectRefusal(await send(at, signed("whsec_wrong", "Hello"), api), "rate_limited");
      expectRefusal(await send(at, signed(at.secret, "a".repeat(1024 * 1024 + 1)), api), "rate_limited");
      expect((await send(at, signed(at.secret, "One"), api)).status).toBe(202);
      const last = await send(at, signed(at.secret, "Two"), api);
      expect([last.status, last.headers.get("ratelimit")]).toEqual([202, expect.stringMatching(/^"hook";r=0;t=\d+$/)]);
      expectRefusal(await send(at, signed(at.secret, "Three"), api), "rate_limited");
      expect(await runsOf(at)).toHaveLength(2);
      expect((await api.call("GET", "/me", { key: at.ada.key.text })).status).toBe(200);
    } finally {
      await api.stop();
    }
  });
});
