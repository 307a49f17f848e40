/** The line of a request names its caller, and why it got a 503. (docs/observing.md#logs) */

import { type RunningApi, startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { outageReason } from "../../src/database/outage.ts";
import { callerOf, type TestApi } from "../support/api.ts";
import {
  makeKey,
  makeOrganisation,
  noteModels,
  type TestDatabase,
  type TestKey,
  testDatabase,
} from "../support/database.ts";
import { collectLog } from "../support/logged.ts";
import { unhurried } from "../support/program.ts";
import { signed } from "../support/sign.ts";
import { begun } from "../support/transactions.ts";

const { log, lines } = collectLog();
let db: TestDatabase;
let api: RunningApi;
let call: TestApi["call"];
let key: TestKey;
let caller: { organisationId: string; keyId: string };

beforeAll(async () => {
  db = await testDatabase();
  api = await startApi(readConfig({ PORT: "0", DATA_DIR: db.dataDir, ...unhurried }), db.adminUrl, db.key, log);
  call = callerOf(api.url);
  const organisation = await makeOrganisation(db);
  key = await makeKey(db, organisation.id, organisation.ownerId, "admin");
  caller = { organisationId: organisation.id, keyId: key.id };
});
afterAll(async () => {
  await api.stop(0);
  await db.drop();
});
beforeEach(() => void lines.splice(0));

test("a request line has the organisation and the key of its caller", async () => {
  await call("GET", "/me", { key: key.text });
  expect(lines).toEqual([
    expect.objectContaining({ ...caller, method: "GET", operation: "get_me", status: 200, ms: expect.any(Number) }),
  ]);
  expect(lines[0]).not.toHaveProperty("reason");
});

test("a refused request line has the reason of the refusal", async () => {
  await db.sql("update app.organisations set suspended_at = now() where id = $1", [caller.organisationId]);
  await call("GET", "/me", { key: key.text });
  await db.sql("update app.organisations set suspended_at = null where id = $1", [caller.organisationId]);
  expect(lines).toEqual([expect.objectContaining({ ...caller, status: 403, reason: "organisation_suspended" })]);
});

test("a request line without an accepted credential names no caller", async () => {
  await call("GET", "/me");
  await call("GET", "/me", { key: `${key.text.slice(0, -8)}00000000` });
  expect(lines.map(({ status, keyId, organisationId }) => [status, keyId, organisationId])).toEqual([
    [401, undefined, undefined],
    [401, undefined, undefined],
  ]);
});

test("a 503 without an executor has the reason no_executor", async () => {
  await noteModels(db, "unserved");
  const { body } = await call("POST", "/bots", { key: key.text, body: { name: "Ada", model: "unserved" } });
  await call("POST", "/runs", { key: key.text, body: { botId: body.id, message: "Hello" } });
  expect(lines.at(-1)).toMatchObject({ ...caller, status: 503, code: "unavailable", reason: "no_executor" });
});

test("a 503 of a hook whose secret cannot be opened has the reason lost_secret", async () => {
  const bot = await call("POST", "/bots", { key: key.text, body: { name: "Ada", model: "unserved" } });
  const { body } = await call("POST", "/hooks", { key: key.text, body: { botId: bot.body.id, name: "Alerts" } });
  await db.sql("update app.hooks set secret_sealed = 'sealed' where id = $1", [body.id]);
  const post = { ...signed(body.secret, "Hello"), idempotencyKey: null };
  expect((await call("POST", `/hooks/${body.id}/receive`, post)).status).toBe(503);
  expect(lines.at(-1)).toMatchObject({ level: 30, status: 503, code: "unavailable", reason: "lost_secret" });
});

test("a 503 of an outage has its reason and its caller, in the lines of the error and of the request", async () => {
  const holder = await begun(db);
  await holder.query("lock table app.bots in access exclusive mode");
  expect((await call("GET", "/bots", { key: key.text })).status).toBe(503);
  const [error, request] = lines;
  expect(error).toMatchObject({ level: 50, msg: "unavailable", reason: "lock_timeout", error: { code: "55P03" } });
  expect(request).toMatchObject({ ...caller, level: 30, status: 503, code: "unavailable", reason: "lock_timeout" });
  expect(request?.requestId).toBe(error?.requestId);
});

test.each([
  [{ code: "57014" }, "statement_timeout"],
  [{ code: "57P01" }, "connection_lost"],
  [{ code: "53100" }, "disk_full"],
  [{ code: "53300" }, "too_many_connections"],
  [{ code: "28P01", message: 'password authentication failed for user "server"' }, "login_refused"],
  [{ code: "53200" }, "insufficient_resources"],
  [{ code: "40P01" }, "deadlock"],
  [{ code: "25006" }, "standby"],
  [{ errors: [{ code: "ECONNREFUSED" }] }, "database_unreachable"],
  [{ code: "ECONNRESET" }, "connection_lost"],
  [{ code: "deadline" }, "deadline"],
  [{ code: "42883" }, "migration"],
  [{ code: "42883", where: "SQL function" }, undefined],
  [{ message: "timeout exceeded when trying to connect" }, "no_connection"],
  [{ message: "Query read timeout" }, "database_unresponsive"],
  [{ code: "23505", message: "duplicate key" }, undefined],
])("outageReason of %j is %s", (error, reason) => {
  expect(outageReason(error)).toBe(reason);
});
