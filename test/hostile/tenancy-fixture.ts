/** Separate organisations, each with a row of every kind and credentials of every kind. */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { type Documented, readDocument } from "../contract/document.ts";
import { type ContractFixture, makeContractFixture } from "../contract/fixture.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { testCheckpoints } from "../support/checkpoints.ts";
import {
  makeExecutor,
  makeKey,
  makeMember,
  makePlatformKey,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { signed } from "../support/sign.ts";
import { rowsOf } from "./fixture.ts";
import type { Credential } from "./tenancy-rules.ts";

export type Fixture = {
  db: TestDatabase;
  api: TestApi;
  /** The caller's organisation, a second organisation, and a suspended organisation. */
  own: Tenant;
  other: Tenant;
  suspended: Tenant;
  documented(name: string): Documented;
  /** The other organisation's row for the path of an operation. */
  foreignOf(path: string): string;
  /** A new organisation without rows. */
  fresh(): Promise<ContractFixture>;
  close(): Promise<void>;
};

export type Tenant = {
  organisation: ContractFixture;
  /** A row of each kind. (`rowsOf`) */
  rows: Record<string, string>;
};

export async function openFixture(): Promise<Fixture> {
  const db = await testDatabase();
  const api = await testApi(db, {}, unlimitedBuckets());
  await makeExecutor(db);
  const document = readDocument(openApiDocument("http://127.0.0.1:3000"));
  const [own, other, suspended] = [await tenant(db, api), await tenant(db, api), await tenant(db, api)];
  await db.sql("update app.organisations set suspended_at = now() where id = $1", [
    suspended.organisation.organisationId,
  ]);
  await testCheckpoints(db).run(); // so that later checkpoints add no leaf of these organisations
  return {
    db,
    api,
    own,
    other,
    suspended,
    documented(name) {
      const found = document.operations.find(({ id }) => id === name);
      if (!found) throw new Error(`The document lacks ${name}.`);
      return found;
    },
    foreignOf: (path) => other.rows[path.split("/")[1] ?? ""] ?? "",
    fresh: () => makeContractFixture(db, api),
    async close() {
      await api.stop();
      await db.drop();
    },
  };
}

/** An organisation with rows in every table. */
export async function tenant(db: TestDatabase, api: TestApi): Promise<Tenant> {
  const organisation = await makeContractFixture(db, api);
  const rows = await rowsOf(organisation);
  await organisation.row("event");
  // A second row for each list, so that there is a second page, and rows for the remaining tables.
  for (let second = 0; second < 2; second += 1) {
    const bot = await organisation.created("/bots", { name: "Second" });
    await organisation.created("/runs", { botId: bot, message: "Hello", metadata: { order: "4711" } });
    await organisation.created("/hooks", { botId: bot, name: "Second" });
    await organisation.created("/routines", { botId: bot, name: "Second", schedule: "0 9 * * *", message: "Hello" });
    await organisation.created("/memories", {
      scope: "bot",
      botId: rows.bots,
      kind: "note",
      subject: "Quay",
      value: "Long.",
    });
    await organisation.created(`/webhooks/${rows.webhooks}/test`);
    await organisation.created("/invitations", {
      email: `second${second}.${organisation.organisationId}@example.test`,
    });
    await organisation.created("/portal-sessions", {});
    await organisation.as("POST", `/exports/${await organisation.created("/exports")}/parts`, { part: 1 });
    await organisation.created("/memories/erase", { subjectKind: "third_party", subject: "No Such Person" });
  }
  await organisation.created("/audit/stream", { url: "https://siem.example/" });
  await leaveTraces(db, api, organisation);
  return { organisation, rows };
}

/**
 * A neighbouring id that no row has: equally old, and in the same page of every index. Likewise for a cursor that ends
 * in an id.
 */
export const besides = (id: string, by = 1): string =>
  id.slice(0, -1) + (Number.parseInt(id.slice(-1), 16) ^ by).toString(16);

/** Rows that workers, executors and other systems create. */
async function leaveTraces(db: TestDatabase, api: TestApi, organisation: ContractFixture): Promise<void> {
  const here = [organisation.organisationId];
  await db.sql(
    `insert into app.steps (organisation_id, run_id, number, kind)
     select organisation_id, id, 1, 'recall' from app.runs where organisation_id = $1 on conflict do nothing`,
    here,
  );
  await db.sql(
    `insert into app.step_results (organisation_id, run_id, conversation_id, key, number, result)
     select organisation_id, id, conversation_id, 'recall', 1, '"Nine."' from app.runs where organisation_id = $1`,
    here,
  );
  await db.sql(
    `insert into app.delivery_attempts
       (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
     select organisation_id, id, endpoint_id, 1, 'scheduled', now(), 1, 500 from app.deliveries where organisation_id = $1`,
    here,
  );
  const hook = await organisation.row("hook");
  const { secret } = (await organisation.as("POST", `/hooks/${hook}/rotate`)).body;
  await api.call("POST", `/hooks/${hook}/receive`, { ...signed(secret, "Hello"), idempotencyKey: null });
}

/** The bearer token of this credential in this organisation. Undefined for none. */
export async function bearerOf(
  db: TestDatabase,
  { name }: Credential,
  organisation: ContractFixture,
): Promise<string | undefined> {
  const { organisationId } = organisation;
  const owner = await organisation.row("owner");
  const keyOf = async (scope: "read" | "write" | "admin", person = owner, change?: string) => {
    const key = await makeKey(db, organisationId, person, scope);
    if (change) await db.sql(`update app.api_keys set ${change} where id = $1`, [key.id]);
    return key.text;
  };
  const platformKey = async (change?: string) => {
    const key = await makePlatformKey(db);
    if (change) await db.sql(`update app.platform_keys set ${change} where id = $1`, [key.id]);
    return key.text;
  };
  const keyOfOneWho = async (leaves: string) => {
    const admin = await makeMember(db, organisationId, "admin");
    const text = await keyOf("admin", admin);
    await db.sql(leaves, [organisationId, admin]);
    return text;
  };
  const makers: Record<string, () => Promise<string | undefined>> = {
    read: () => keyOf("read"),
    write: () => keyOf("write"),
    admin: () => keyOf("admin"),
    suspended: () => keyOf("admin"),
    demoted: () =>
      keyOfOneWho("update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2"),
    removed: () => keyOfOneWho("delete from app.memberships where organisation_id = $1 and person_id = $2"),
    revoked: () => keyOf("admin", owner, "revoked_at = now()"),
    expired: () => keyOf("admin", owner, "expires_at = now()"),
    platform: () => platformKey(),
    "revoked platform": () => platformKey("revoked_at = now()"),
    "expired platform": () => platformKey("expires_at = now()"),
    "never made": async () => makeCredential("bsk").text,
    none: async () => undefined,
  };
  const make = makers[name];
  if (!make) throw new Error(`Nothing here makes the credential ${name}.`);
  return make();
}
