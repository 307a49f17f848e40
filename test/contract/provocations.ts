/** For each error code, a way to provoke it; some ways depend on the operation. */
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { reasons } from "../../src/contract/reasons.ts";
import type { RefusalCode } from "../../src/contract/refusals.ts";
import type { Json, Reply, TestApi } from "../support/api.ts";
import type { TestDatabase } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import type { Documented } from "./document.ts";
import type { ContractFixture } from "./fixture.ts";
import { type Provoked, ways } from "./reasons.ts";

export type Suite = {
  db: TestDatabase;
  api: TestApi;
  /** An API whose rate limits are 0. */
  full: TestApi;
};

type Setting = { fixture: ContractFixture; operation: Documented; suite: Suite };
type Provoke = (setting: Setting) => Promise<Reply<Json>>;

/** The first of the operation's own reasons with that code; otherwise suspension of its organisation. */
const explained =
  (code: RefusalCode): Provoke =>
  async (setting) => {
    const { fixture, operation } = setting;
    await fixture.prepare(operation);
    const [reason] = operation.reasons.filter((each) => reasons[each].code === code && each in ways).toReversed();
    if (!reason) throw new Error(`Nothing here brings ${operation.id} to refuse so.`);
    return fixture.send(operation, await ways[reason as Provoked](setting));
  };

/** Invalid for every schema: an empty change, an invalid limit or time, or no Idempotency-Key. */
const invalid: Provoke = ({ fixture, operation }) => {
  if (operation.method === "POST") return fixture.send(operation, { idempotencyKey: null });
  if (operation.id === "watch_run") return fixture.send(operation, { headers: { "last-event-id": "none" } });
  return fixture.send(
    operation,
    operation.method === "PATCH" ? { body: {} } : { query: "?limit=0&since=never&wait=26" },
  );
};

const missing: Provoke = async ({ fixture, operation, suite }) => {
  if (operation.path.includes("{")) return fixture.send(operation, { id: absent });
  if (operation.path.startsWith("/audit/stream")) {
    await suite.db.sql("delete from app.audit_streams where organisation_id = $1", [fixture.organisationId]);
    const body =
      operation.id === "create_audit_stream" ? { ...operation.example, afterEntryId: absent } : operation.example;
    return fixture.send(operation, { id: absent, body }); // with an id the fixture makes no stream
  }
  if (operation.id === "create_portal_session") return fixture.send(operation, { body: { personId: absent } });
  const scope = operation.id === "create_memory" ? { scope: "bot" } : {};
  return fixture.send(operation, { body: { ...operation.example, ...scope, botId: absent } });
};

const mismatch: Provoke = async ({ fixture, operation }) => {
  const idempotencyKey = "once";
  await fixture.send(operation, { idempotencyKey });
  return fixture.send(operation, { idempotencyKey, body: { another: "request" } });
};

const tooLarge: Provoke = ({ fixture, operation, suite }) => {
  const raw = JSON.stringify({ padding: "x".repeat(1024 * 1024) });
  if (operation.method !== "GET") return fixture.send(operation, { raw });
  return getWithBody(
    `${suite.api.url}/api/v1${operation.path.replace(/\{\w+\}/, absent)}`,
    fixture.keyFor(operation),
    raw,
  );
};

/** For requests that fetch does not send although HTTP allows them. */
function getWithBody(url: string, key: string, body: string): Promise<Reply<Json>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "GET", headers }, async (response) => {
      const answered = await text(response);
      resolve({
        status: response.statusCode ?? 0,
        body: JSON.parse(answered),
        text: answered,
        headers: new Headers(response.headers as Record<string, string>),
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** idempotency_in_progress, internal and unavailable are provoked for all operations at once, in the test itself. */
export const provocations: Record<string, Provoke> = {
  unauthenticated: ({ fixture, operation }) => fixture.send(operation, { key: undefined }),
  rate_limited: ({ fixture, operation, suite }) => fixture.send(operation, { api: suite.full }),
  invalid_request: invalid,
  payload_too_large: tooLarge,
  not_found: missing,
  forbidden: explained("forbidden"),
  payment_required: explained("payment_required"),
  conflict: explained("conflict"),
  quota_exceeded: explained("quota_exceeded"),
  idempotency_mismatch: mismatch,
};
