/**
 * One organisation whose rows all calls concern: a bot with a queued, a running, a blocked and an ended run, and one row of each
 * other kind. Most limits have room for one more row.
 */
import { hash } from "node:crypto";
import { openApiDocument } from "../../../src/api/openapi/document.ts";
import { readDocument } from "../../contract/document.ts";
import { type ContractFixture, makeContractFixture } from "../../contract/fixture.ts";
import { testApi, unlimitedBuckets } from "../../support/api.ts";
import { raiseApproval } from "../../support/approvals.ts";
import { testCheckpoints } from "../../support/checkpoints.ts";
import {
  makeExecutor,
  makeKey,
  makeMember,
  setLimits,
  type TestDatabase,
  testDatabase,
} from "../../support/database.ts";
import { executorOn } from "../../support/hand-executor.ts";

export const documented = new Map(
  readDocument(openApiDocument("http://127.0.0.1:3000")).operations.map((operation) => [operation.id, operation]),
);

export type Fixture = {
  db: TestDatabase;
  organisation: ContractFixture;
  /** A second owner, whose run is at work. */
  other: Person;
  runs: { queued: string; running: string; blocked: string; ended: string };
  /** Admins: whose run is blocked, whose has ended, and who has none. */
  people: { blocked: Person; ended: Person; newcomer: Person };
  lease: string;
  executor: string;
  delivery: { id: string; lease: string };
  mail: string;
  failedDelivery: string;
  approval: string;
  /** The lease of the stream of the audit log, which has ended: its outcome still counts, and another may follow. */
  streamLease: string;
  /** The due routine, as jobs.due_routines returns it. */
  due: unknown[];
};

export type Person = { id: string; key: string };

/** A digest that a credential of the fixture has. */
export const digestFor = (name: string): Buffer => Buffer.alloc(32, name);

const kinds = [
  "key",
  "portalSession",
  "bot",
  "memory",
  "routine",
  "hook",
  "webhook",
  "delivery",
  "invitation",
  "member",
  "export",
] as const;

export async function openFixture(): Promise<Fixture> {
  const db = await testDatabase();
  const api = await testApi(db, {}, unlimitedBuckets());
  const executor = await makeExecutor(db);
  const organisation = await makeContractFixture(db, api);
  const { organisationId } = organisation;
  for (const kind of kinds) await organisation.row(kind);
  await organisation.prepare(documented.get("finish_export") ?? fail());
  const bot = await organisation.row("bot");

  async function person(role: "admin" | "owner" = "admin"): Promise<Person> {
    const id = await makeMember(db, organisationId, role);
    return { id, key: (await makeKey(db, organisationId, id)).text };
  }
  async function run(key: string): Promise<string> {
    const { body } = await api.call("POST", "/runs", {
      key,
      body: { botId: bot, message: "How deep is the harbour?" },
    });
    return body.id;
  }
  const people = { ended: await person(), blocked: await person(), newcomer: await person() };
  const other = await person("owner");
  const working = executorOn(db.poolAs("runner", 1), executor);
  const lease = async () => (await working.lease()) ?? fail();
  const ended = await run(people.ended.key);
  await working.finish(await lease(), "Nine metres.");
  const blocked = await run(people.blocked.key);
  await working.block(await lease());
  const running = await run(other.key);
  const leased = await lease();
  const approval = await raiseApproval(db, running);
  const queued = await run(organisation.admin);

  const [delivery] = await db.sql<{ id: string; lease: string }>(
    `update app.deliveries
     set state = 'pending', next_attempt_at = now() - interval '1 minute', lease_id = uuidv7(), lease_until = now() + interval '1 day'
     where id = $1 returning id, lease_id as lease`,
    [await organisation.row("delivery")],
  );
  const failedDelivery = await organisation.created(`/webhooks/${await organisation.row("webhook")}/test`);
  await db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where id = $1", [failedDelivery]);
  const [mail] = await db.sql<{ id: string }>("select id from app.mails where organisation_id = $1 limit 1", [
    organisationId,
  ]);
  await api.call("POST", "/hooks", { key: people.newcomer.key, body: { botId: bot, name: "Of the newcomer" } });
  await db.sql(lasting);
  await db.sql("update app.approvals set token_digest = $1", [digestFor("approval")]);
  await db.sql("update app.invitations set token_digest = $1", [digestFor("invitation")]);
  await db.sql("update app.hooks set secret_digest = case created_by when $1 then $2::bytea else $3 end", [
    ...[people.newcomer.id, digestFor("hook of the newcomer"), digestFor("hook")],
  ]);
  await db.sql("update app.portal_sessions set link_digest = $1", [digestFor("link")]);
  await openPortal(db, organisationId);
  await leaveRoom(db, organisationId);
  const streamLease = await leaseStream(db, organisation);
  const [due] = await db.sql<{ due: unknown[] }>(
    "select json_build_array(organisation_id, routine_id, schedule, time_zone, firing_at) as due from jobs.due_routines()",
  );
  await api.stop();
  return {
    ...{
      db,
      organisation,
      other,
      people,
      executor,
      approval,
      failedDelivery,
      lease: leased.leaseId,
      mail: mail?.id ?? "",
    },
    runs: { queued, running, blocked, ended },
    delivery: delivery ?? fail(),
    streamLease,
    due: due?.due ?? fail(),
  };
}

/** The test takes longer than leases and links last. */
const lasting = `
  do $$
  declare
    bound text;
  begin
    for bound in
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint
      where conrelid in ('app.portal_sessions'::regclass, 'app.authorization_codes'::regclass)
        and pg_get_constraintdef(oid) like '%interval%'
    loop
      execute bound;
    end loop;
  end
  $$;
  update app.runs set lease_until = now() + interval '1 day', budget_working = '2 days' where state = 'running';
  update app.portal_sessions set link_expires_at = now() + interval '1 day', expires_at = now() + interval '1 day';
  update app.routines set next_firing_at = now() - interval '1 minute';
  update app.models set last_served_at = now() + interval '1 day';
`;

/** What a client sends and gets with an authorization code. */
export const client = {
  clientId: "https://client.example/oauth.json",
  redirectUri: "https://client.example/back",
  resource: "http://127.0.0.1/mcp",
  codeVerifier: "v".repeat(43),
};

/** Another session of the portal, which is open, and a code that its person consented to. */
async function openPortal(db: TestDatabase, organisationId: string): Promise<void> {
  await db.sql(
    `with session as (
       insert into app.portal_sessions
         (organisation_id, person_id, created_by, key_id, link_digest, session_digest, opened_at, expires_at, link_expires_at)
       select organisation_id, person_id, created_by, key_id, $2, $3, now(), expires_at, link_expires_at
       from app.portal_sessions where organisation_id = $1 limit 1
       returning organisation_id, id
     )
     insert into app.authorization_codes
       (organisation_id, portal_session_id, digest, client_id, key_name, redirect_uri, code_challenge, resource, scope, key_days, expires_at)
     select organisation_id, id, $4, $5, 'Client', $6, $7, $8, 'read', 30, now() + interval '1 day' from session`,
    [
      ...[organisationId, digestFor("used link"), digestFor("session"), digestFor("code"), client.clientId],
      ...[client.redirectUri, hash("sha256", client.codeVerifier, "base64url"), client.resource],
    ],
  );
}

/** A stream with a part under way. */
async function leaseStream(db: TestDatabase, { organisationId, created }: ContractFixture): Promise<string> {
  await created("/audit/stream", { url: "https://siem.example/" });
  await testCheckpoints(db).run();
  const [part] = await db.sql<{ lease: string }>("select lease_id as lease from jobs.lease_audit_part($1)", [
    organisationId,
  ]);
  await db.sql("update app.audit_streams set lease_until = now() - interval '1 minute'");
  return part?.lease ?? fail();
}

/** Room for one more of what the organisation has. */
async function leaveRoom(db: TestDatabase, organisationId: string): Promise<void> {
  const used = await db.sql<{ name: string; used: number }>(
    "select name, used::integer from operator.limits where organisation_id = $1 and unit = 'count'",
    [organisationId],
  );
  const maximums = Object.fromEntries(used.map((limit) => [limit.name, limit.used + 1]));
  await setLimits(db, organisationId, maximums);
}

function fail(): never {
  throw new Error("The fixture lacks a row.");
}
