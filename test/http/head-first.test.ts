/**
 * Each refusal that follows from the request's head is sent before the body arrives.
 * (docs/specification/conventions.md#bodies)
 */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { speak } from "../hostile/wire.ts";
import { expectRefusal } from "../support/answers.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

const here = ownApiOfFile();
const { hook } = hookInbox(here);
const processes: [name: string, settings: Record<string, string>][] = [
  ["limits per process", {}],
  ["shared limits", { RATE_LIMITS: "shared" }],
];

type Sent = { method?: string; path?: string; key?: string | undefined; once?: string | null; headers?: string[] };

const head = ({ method = "POST", path = "/bots", key, once = randomUUID(), headers = [] }: Sent) =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    "host: a",
    "content-type: application/json",
    ...(key ? [`authorization: Bearer ${key}`] : []),
    ...(once === null ? [] : [`idempotency-key: ${once}`]),
    ...headers,
    "",
    "",
  ].join("\r\n");

/** Announces a body of this length and sends none. */
const withoutBody = (api: TestApi, sent: Sent, length = 3_000) =>
  speak(
    Number(new URL(api.url).port),
    head({ ...sent, headers: [...(sent.headers ?? []), `content-length: ${length}`] }),
    { replies: 1, withinMs: 10_000 },
  );

describe.each(processes)("with %s", (_name, settings) => {
  let api: TestApi;
  let full: TestApi;
  beforeAll(async () => {
    api = await testApi(here.db, settings);
    full = await testApi(here.db, settings, makeRateLimiter(Date.now, { ...specified, key: 2, address: 0 }));
  });
  afterAll(async () => {
    await api?.stop();
    await full?.stop();
  });

  test("refuses a missing, malformed, unknown or insufficient credential before the body", async () => {
    const reader = await here.owner("read");
    const keys = [undefined, "bsk_malformed", makeCredential("bsk").text, makeCredential("bsp").text, reader.key.text];
    for (const key of keys) {
      for (const headers of [[], ["content-encoding: gzip"]]) {
        for (const path of ["/bots", "/batch"]) {
          const { replies } = await withoutBody(api, { key, path, headers });
          expect(replies).toHaveLength(1);
          for (const reply of replies) expectRefusal(reply, "unauthenticated");
        }
      }
    }
  });

  test("stores nothing for a connection lost before its body, so that its Idempotency-Key can be used again", async () => {
    const ada = await here.owner();
    const once = randomUUID();
    const name = "Ada";
    const locks = here.db.poolAs("owner", 1);
    const holder = await locks.connect();
    await holder.query("begin; lock table app.api_keys in access exclusive mode"); // blocks the look-up of the credential
    const waiting = () => here.db.sql("select from pg_locks where not granted and relation = 'app.api_keys'::regclass");
    const sent = { key: ada.key.text, once, headers: ["content-length: 3000"] };
    const socket = connect(Number(new URL(api.url).port), "127.0.0.1", () => socket.write(head(sent)));
    await eventually(async () => (await waiting()).length > 0);
    socket.resetAndDestroy();
    await new Promise((resolve) => setImmediate(resolve));
    await api.call("GET", "/openapi.json"); // its response proves that the server saw the other connection end
    await holder.query("rollback");
    holder.release();
    await eventually(async () => (await waiting()).length === 0);
    expect((await api.call("GET", "/me", { key: ada.key.text })).status).toBe(200);
    const again = await api.call("POST", "/bots", { key: ada.key.text, idempotencyKey: once, body: { name } });
    expect([again.status, again.body]).toEqual([201, expect.objectContaining({ name })]);
  });

  test("refuses an exhausted rate limit of an address or a key before the body", async () => {
    const ada = await here.owner();
    for (const key of [undefined, makeCredential("bsk").text]) {
      const { replies } = await withoutBody(full, { key });
      expect(replies.map(({ status }) => status)).toEqual([429]);
    }
    const me = () => full.call("GET", "/me", { key: ada.key.text });
    expect([(await me()).status, (await me()).status, (await me()).status]).toEqual([200, 200, 429]);
    const { replies } = await withoutBody(full, { key: ada.key.text });
    expect(replies).toHaveLength(1);
    for (const reply of replies) expectRefusal(reply, "rate_limited");
  });

  test("refuses an unknown method, a missing Idempotency-Key and an excessive length before the body; GET ignores a body", async () => {
    const { key } = await here.owner();
    const of = { key: key.text };
    const answer = async (sent: Sent, length?: number) => {
      const { replies } = await withoutBody(api, { ...of, ...sent }, length);
      expect(replies).toHaveLength(1);
      return replies[0] as (typeof replies)[0];
    };
    expectRefusal(await answer({ method: "PUT", path: "/me" }), "not_supported");
    expectRefusal(await answer({ once: null }), "invalid_request", ["headers.idempotency-key"]);
    expectRefusal(await answer({}, 1024 * 1024 + 1), "payload_too_large");
    expectRefusal(await answer({ path: "/batch" }, 1024 * 1024 + 1), "payload_too_large");
    expect((await answer({ method: "GET", path: "/me" })).status).toBe(200);
    expect((await answer({ method: "GET", path: "/me" }, 1024 * 1024 + 1)).status).toBe(413);
  });

  test("waits for a compressed body of an accepted key that the process has not seen before", async () => {
    const { key } = await here.owner();
    const body = gzipSync('{"name":"Ada"}');
    const headers = ["content-encoding: gzip", `content-length: ${body.length}`];
    const bytes = Buffer.concat([Buffer.from(head({ key: key.text, headers })), body]);
    const { replies } = await speak(Number(new URL(api.url).port), bytes, { replies: 1 });
    expect(replies.map(({ status }) => status)).toEqual([201]);
  });

  test("answers `expect: 100-continue` with 100 only to an accepted credential", async () => {
    const { key } = await here.owner();
    const asking = (key: string | undefined) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(api.url).port), "127.0.0.1", () =>
          socket.write(head({ key, headers: ["content-length: 14", "expect: 100-continue"] })),
        );
        socket.once("data", (bytes) => {
          socket.destroy();
          resolve(String(bytes).slice(0, 12));
        });
      });
    expect(await asking(key.text)).toBe("HTTP/1.1 100");
    expect(await asking(makeCredential("bsk").text)).toBe("HTTP/1.1 401");
    expect(await asking(undefined)).toBe("HTTP/1.1 401");
  });
});

test("A request that the rate limit refused before its body succeeds once there is room", async () => {
  const ada = await here.owner();
  for (const [, settings] of processes) {
    const api = await testApi(here.db, settings, makeRateLimiter(Date.now, { ...specified, key: 3 }));
    const post = (operations = 1) =>
      api.call("POST", "/batch", {
        key: ada.key.text,
        body: { operations: Array(operations).fill({ method: "GET", path: "/bots" }) },
      });
    try {
      await here.db.sql("truncate app.request_counts");
      expect((await post(2)).status).toBe(200);
      expectRefusal(await post(2), "rate_limited"); // room for one is left
      expect([(await post()).status, (await post()).status]).toEqual([200, 429]);
      expectRefusal(await post(), "rate_limited");
      if (settings.RATE_LIMITS !== "shared") continue;
      await here.db.sql("truncate app.request_counts");
      const again = await post(2);
      expect([again.status, again.headers.get("ratelimit")]).toEqual([200, expect.stringMatching(/^"key";r=1;/)]);
    } finally {
      await api.stop();
    }
  }
});

test("receive_hook refuses a wrong head or address before the body", async () => {
  const at = await hook();
  const { "content-type": _, ...headers } = signed(at.secret, "Hello").headers;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const ask = async (id: string, headers: string[], length?: number) => {
    const { replies } = await withoutBody(here.api, { path: `/hooks/${id}/receive`, once: null, headers }, length);
    return replies.map(({ body }) => body.error.code);
  };
  expect(await ask(at.id, [])).toEqual(["unauthenticated"]);
  expect(await ask(randomUUID(), lines)).toEqual(["unauthenticated"]);
  expect(await ask(at.id, lines, 1024 * 1024 + 1)).toEqual(["payload_too_large"]);
  expect(await ask(at.id, [...lines, "content-encoding: gzip"])).toEqual(["invalid_request"]);
});
