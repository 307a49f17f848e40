/** Inbound hooks: which posts are accepted, and what they start. */
import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import { testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { type Hook, hookInbox } from "../support/hook-inbox.ts";
import { nowInSeconds, type Posted, signed } from "../support/sign.ts";

const here = apiOfFile();
const { hook, send, runsOf, saidIn } = hookInbox(here);

test("receive_hook with a valid signature starts a tainted run with the body unchanged", async () => {
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

test("A run with trigger webhook is always tainted, also if inserted directly", async () => {
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

test("receive_hook accepts the signature of a Standard Webhooks library, which includes the message id", async () => {
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

describe("receive_hook returns the same refusal for", () => {
  const raw = "Hello";
  const other = `whsec_${"A".repeat(43)}=`;
  const without = (posted: Posted, name: string): Posted => {
    const { [name]: _, ...headers } = posted.headers;
    return { ...posted, headers };
  };
  const cases: [string, (at: Hook) => [{ id: string }, Posted]][] = [
    ["an unknown hook", ({ secret }) => [{ id: randomUUID() }, signed(secret, raw)]],
    ["a hook id of 201 characters", ({ secret }) => [{ id: "a".repeat(201) }, signed(secret, raw)]],
    ["a malformed hook id", ({ secret }) => [{ id: "alerts" }, signed(secret, raw)]],
    ["another secret", (at) => [at, signed(other, raw)]],
    ["another body", (at) => [at, { ...signed(at.secret, raw), raw: "Hello!" }]],
    ["a body of the same meaning", (at) => [at, { ...signed(at.secret, '{"a":1}'), raw: '{"a": 1}' }]],
    ["a timestamp 302 s old", (at) => [at, signed(at.secret, raw, { at: nowInSeconds() - 302 })]],
    ["a timestamp 302 s in the future", (at) => [at, signed(at.secret, raw, { at: nowInSeconds() + 302 })]],
    [
      "another timestamp than the signed one",
      (at) => [at, signed(at.secret, raw, { headers: { "x-botstead-timestamp": String(nowInSeconds() + 1) } })],
    ],
    ["a malformed timestamp", (at) => [at, signed(at.secret, raw, { headers: { "x-botstead-timestamp": "now" } })]],
    ["a missing timestamp", (at) => [at, without(signed(at.secret, raw), "x-botstead-timestamp")]],
    ["a missing signature", (at) => [at, without(signed(at.secret, raw), "x-botstead-signature")]],
    [
      "a signature in capitals",
      (at) => {
        const posted = signed(at.secret, raw);
        posted.headers["x-botstead-signature"] = posted.headers["x-botstead-signature"]?.toUpperCase() ?? "";
        return [at, posted];
      },
    ],
    ["a delivery id with a blank", (at) => [at, signed(at.secret, raw, { id: "a b" })]],
    ["a delivery id that is too long", (at) => [at, signed(at.secret, raw, { id: "a".repeat(256) })]],
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

  test("a hook of another organisation, signed with the caller's own secret", async () => {
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

  test("no timestamp within five minutes either way", async () => {
    const at = await hook();
    for (const apart of [-295, 295]) {
      expect((await send(at, signed(at.secret, raw, { at: nowInSeconds() + apart }))).status).toBe(202);
    }
  });
});

test("No API key reaches the operations behind a hook, alone or in a batch", async () => {
  const at = await hook();
  for (const path of ["/open_hook", "/receive_hook", `/hooks/${at.id}/open`]) {
    expectRefusal(await at.ada.post(path, {}), "not_found");
  }
  const batch = { operations: [{ method: "POST", path: `/hooks/${at.id}/receive`, body: { a: 1 } }] };
  const [result] = (await at.ada.post("/batch", batch)).body.results;
  expect([result.status, result.body.error.details[0].path]).toEqual([400, "body.operations.0.path"]);
  expect(await runsOf(at)).toEqual([]);
});

test("The API's database login cannot start a run from a hook's id without its secret", async () => {
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
  expect(JSON.parse(opened.split("\n")[1] ?? "")).toEqual({
    organisationId: at.ada.organisation.id,
    secretSealed: expect.stringMatching(/^01[0-9a-f]+$/),
  });
  expect(opened).not.toContain(Buffer.from(at.secret).toString("hex"));
  expect(await runsOf(at)).toEqual([]);
});

describe("Rate limits of hooks", () => {
  test("count wrong signatures by address, and valid posts by hook", async () => {
    const at = await hook();
    const api = await testApi(here.db, {}, makeRateLimiter(Date.now, { ...specified, address: 3, hook: 2 }));
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
