/**
 * A secret is only in the response that created it and in idempotent replays; the database alone cannot open it
 * (docs/specification/conventions.md#one-time-secrets).
 */
import { createHash } from "node:crypto";
import { open, replayKey } from "../../src/secrets/seal.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { testApi } from "../support/api.ts";
import { apiOfFile, type Caller } from "../support/callers.ts";
import { logEverything, logSince, sizeOfLog, statementsOfSessions, tablesThatContain } from "./search.ts";

const here = apiOfFile();
const hook = { url: "https://receiver.example/hook", events: ["run.finished"] };

type Showing = { caller: Caller; path: string; body?: Json };

/** The four operations that return a secret, and its member. */
const operations: [string, "key" | "secret", () => Promise<Showing>][] = [
  ["create_key", "key", async () => ({ caller: await here.owner(), path: "/keys", body: { name: "CI" } })],
  ["create_webhook", "secret", async () => ({ caller: await here.owner(), path: "/webhooks", body: hook })],
  [
    "rotate_webhook_secret",
    "secret",
    async () => {
      const caller = await here.owner();
      const { body } = await caller.post("/webhooks", hook);
      return { caller, path: `/webhooks/${body.id}/rotate` };
    },
  ],
  [
    "create_owner_key",
    "key",
    async () => {
      const { organisation } = await here.owner();
      return { caller: await here.platform(), path: `/platform/organisations/${organisation.id}/owner-key`, body: {} };
    },
  ],
];

describe.each(operations)("what %s shows", (name, member, make) => {
  test("is in the first response and in every replay, byte for byte, from any process, and in no other response", async () => {
    const { caller, path, body } = await make();
    const idempotencyKey = `order-${name}-7f3a`;
    const first = await caller.post(path, body, { idempotencyKey });
    const secret: string = expectAnswer(name, first)[member];
    const second = await testApi(here.db);
    try {
      const replays = [
        await caller.post(path, body, { idempotencyKey }),
        await second.call("POST", path, { key: caller.key.text, body, idempotencyKey }),
      ];
      for (const replay of replays) {
        expect(replay.headers.get("idempotent-replayed")).toBe("true");
        expect([replay.status, replay.text]).toEqual([first.status, first.text]);
      }
    } finally {
      await second.stop();
    }
    const other: string = expectAnswer(name, await caller.post(path, body))[member];
    expect(other).not.toBe(secret);

    const list = name.includes("webhook") ? "/webhooks" : "/keys";
    if (name !== "create_owner_key") {
      const rows = await caller.get(`${list}?limit=200`);
      expect(rows.body.data.length).toBeGreaterThan(0);
      expect(rows.text).not.toContain(secret);
      expect((await caller.get(`${list}/${first.body.id}`)).text).not.toContain(secret);
    }
  });

  test("is in no table, job, statement or log line, even if PostgreSQL logs every statement", async () => {
    const { caller, path, body } = await make();
    await logEverything(here.db);
    const start = sizeOfLog(here.db);
    const logged = await testApi(here.db);
    const idempotencyKey = `order-${name}-b81c`;
    let first: Reply<Json>;
    try {
      const ask = () => logged.call("POST", path, { key: caller.key.text, body, idempotencyKey });
      first = await ask();
      expect((await ask()).text).toBe(first.text);
    } finally {
      await logged.stop();
    }
    const { id, [member]: secret } = expectAnswer(name, first);

    // The search works: it finds the row's id in its table and in the idempotent response, and the request in the log.
    expect(await tablesThatContain(here.db, id)).toContain("app.idempotency_records");
    const log = logSince(here.db, start);
    expect(log).toContain(name);
    const digest = createHash("sha256").update(caller.key.text).digest("hex");
    expect(log).toContain(digest);
    const statements = await statementsOfSessions(here.db);
    expect(statements).toContain("api.handle");

    const base = secret.replace(/^whsec_/, "");
    for (const hidden of [secret, base, base.slice(5, 30), caller.key.text, idempotencyKey]) {
      expect(await tablesThatContain(here.db, hidden)).toEqual([]);
      expect(statements).not.toContain(hidden);
      expect(log).not.toContain(hidden);
      expect(log).not.toContain(Buffer.from(hidden).toString("hex"));
    }
    if (member === "secret") {
      const raw = Buffer.from(base, "base64").toString("hex");
      const [hit] = await here.db.sql(
        "select from app.webhook_endpoints where position($1 in secret_sealed::text) > 0",
        [raw],
      );
      expect(hit).toBeUndefined();
      expect(log).not.toContain(raw);
    }
  });

  test("opens only with both the bearer token and the Idempotency-Key, which the database does not have", async () => {
    const { caller, path, body } = await make();
    const first = await caller.post(path, body, { idempotencyKey: "pair" });
    const [record] = await here.db.sql<{
      sealed: Buffer;
      digest: Buffer;
      fingerprint: Buffer;
      key_id: string;
      body: string;
    }>(
      "select sealed, digest, fingerprint, key_id, body from app.idempotency_records where key_id = $1 order by created_at desc limit 1",
      [caller.key.id],
    );
    if (!record) throw new Error("Nothing was kept.");
    const opened = open(replayKey(caller.key.text, "pair"), "shown-once", record.sealed);
    expect(JSON.parse(opened)).toEqual([`"${member}":${JSON.stringify(first.body[member])}`]);
    expect(record.body).not.toContain(`"${member}":`);
    const known = [record.digest, record.fingerprint, caller.key.digest].flatMap((bytes) => [
      bytes.toString("hex"),
      bytes.toString("latin1"),
    ]);
    for (const bearer of [...known, record.key_id, caller.key.prefix, ""]) {
      for (const idempotencyKey of [...known, "pair", ""]) {
        expect(() => open(replayKey(bearer, idempotencyKey), "shown-once", record.sealed)).toThrow();
      }
    }
    expect(() => open(replayKey(caller.key.text, "other"), "shown-once", record.sealed)).toThrow();
    expect(() => open(here.db.key.sealing, "shown-once", record.sealed)).toThrow();
    expect(() => open(here.db.key.sealing, "webhook-secret", record.sealed)).toThrow();
  });
});

test("an endpoint's sealed secret opens only under the master key and for its purpose", async () => {
  const ada = await here.owner();
  const { body } = await ada.post("/webhooks", hook);
  const [row] = await here.db.sql<{ secret_sealed: Buffer }>(
    "select secret_sealed from app.webhook_endpoints where id = $1",
    [body.id],
  );
  const sealed = row?.secret_sealed ?? Buffer.alloc(0);
  expect(open(here.db.key.sealing, "webhook-secret", sealed)).toBe(body.secret);
  expect(() => open(here.db.key.sealing, "shown-once", sealed)).toThrow();
  const { body: rotated } = await ada.post(`/webhooks/${body.id}/rotate`);
  const [after] = await here.db.sql<{ secret_sealed: Buffer }>(
    "select secret_sealed from app.webhook_endpoints where id = $1",
    [body.id],
  );
  expect(open(here.db.key.sealing, "webhook-secret", after?.secret_sealed ?? sealed)).toBe(rotated.secret);
});

test("a revoked key gets no replay with the secret", async () => {
  const ada = await here.owner();
  const other = await here.another(ada);
  const options = { idempotencyKey: "once" };
  expectAnswer("create_key", await other.post("/keys", { name: "CI" }, options));
  await ada.delete(`/keys/${other.key.id}`);
  expectRefusal(await other.post("/keys", { name: "CI" }, options), "unauthenticated");
});

test("a mismatch under the same Idempotency-Key returns no secret", async () => {
  const ada = await here.owner();
  const { body } = await ada.post("/keys", { name: "CI" }, { idempotencyKey: "once" });
  const refused = await ada.post("/keys", { name: "Other" }, { idempotencyKey: "once" });
  expectRefusal(refused, "idempotency_mismatch");
  expect(refused.text).not.toContain(body.key);
});
