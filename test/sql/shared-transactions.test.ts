/**
 * Several calls in one transaction, as pools send them: each answers as if it were alone, after every class of call and
 * with every left-over setting. (docs/decisions/0012-database-connections.md)
 */
import type { PoolClient } from "pg";
import { bodyOf } from "../../src/api/body.ts";
import { validateInput } from "../../src/api/stages/validate.ts";
import { operations } from "../../src/contract/operations.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { invalidateKeys, type Seeded, seedOrganisation, seedService } from "./seed.ts";

type Call = { caller: string; digest: Buffer; operation: string; id?: string | undefined; problem?: object };

/** The name in `Seeded.ids` of the row that an operation reads. */
const idOf: Record<string, string> = {
  get_approval: "approval",
  get_audit_proof: "entry",
  get_bot: "bot",
  get_delivery: "test_delivery",
  get_export: "export",
  get_hook: "hook",
  get_invitation: "invitation",
  get_key: "read_key",
  get_key_usage: "read_key",
  get_member: "owner",
  get_memory: "memory",
  get_organisation: "organisation",
  get_routine: "routine",
  get_portal_session: "portal_session",
  get_run: "run",
  get_webhook: "endpoint",
  get_webhook_stats: "endpoint",
  list_deliveries: "endpoint",
  list_memory_history: "memory",
  list_run_messages: "run",
  list_run_steps: "run",
};

let db: TestDatabase;
let server: PoolClient;
let ours: Seeded;
let theirs: Seeded;

/** The input as the API validates it; for a page or a post to a hook, none. */
function inputOf({ operation: name, id }: Call): object {
  const operation = operations.find((each) => each.name === name);
  if (!operation) return {};
  const given = {
    operation,
    params: id ? { [operation.path.match(/\{(\w+)\}/)?.[1] ?? "id"]: id } : {},
    path: operation.path,
    query: new URLSearchParams(),
  };
  const { input, problem } = validateInput(
    { ...given, body: bodyOf({}) },
    { allowed: { ranges: [], hosts: [] }, hasDirectory: false },
  );
  if (!input) throw new Error(`${name}: ${JSON.stringify(problem)}`);
  return input;
}

async function answerOf(call: Call): Promise<string> {
  const { rows } = await server.query<{ answer: string }>(
    // Without noting the use, which the answer shows and which changes after a minute.
    "select api.handle($1, $2, $3, $4, uuidv7(), null, null, null, false) as answer",
    [call.digest, call.operation, call.problem ? null : JSON.stringify(inputOf(call)), call.problem ?? null],
  );
  // The position of the feed follows the transactions of all databases of the cluster.
  const answer = rows[0]?.answer ?? "";
  return call.operation === "list_events" ? answer.replace(/"position":"[^"]*"/, "") : answer;
}

/** The answers of the calls in one transaction, which is rolled back. */
async function inOneTransaction(calls: Call[], before = "select"): Promise<string[]> {
  await server.query("begin");
  try {
    await server.query(before);
    const answers: string[] = [];
    for (const call of calls) answers.push(await answerOf(call));
    return answers;
  } finally {
    await server.query("rollback");
  }
}

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  ours = await seedOrganisation(db);
  theirs = await seedOrganisation(db);
  await invalidateKeys(db, theirs);
  const entry = "select id from app.audit_log where organisation_id = $1 limit 1";
  ours.ids.entry = (await db.sql<{ id: string }>(entry, [ours.ids.organisation]))[0]?.id ?? "";
  // Uses of this minute, so that no call of the tests writes its own.
  await db.sql("update app.api_key_uses set last_used_at = now()");
  await db.sql("update app.approvals set token_digest = sha256(id::text::bytea)");
  server = await db.poolAs("server", 1).connect();
});

afterAll(async () => {
  server.release();
  await db.drop();
});

const digestOf = async (text: string, organisation: string | undefined) => {
  const [row] = await db.sql<{ digest: Buffer }>(text, [organisation]);
  if (!row) throw new Error(`no row: ${text}`);
  return row.digest;
};

/** One call of each class and outcome. */
async function callsOf({ ids, keys }: Seeded): Promise<Call[]> {
  const platform = await digestOf("select sha256($1::text::bytea) as digest", ids.organisation);
  const link = (table: string) =>
    digestOf(`select token_digest as digest from app.${table} where organisation_id = $1 limit 1`, ids.organisation);
  const hook = await digestOf(
    "select secret_digest as digest from app.hooks where organisation_id = $1 limit 1",
    ids.organisation,
  );
  const session = await digestOf(
    "select session_digest as digest from app.portal_sessions where id = $1",
    ids.portal_session,
  );
  return [
    { caller: "portal session", digest: session, operation: "get_own_portal_session" },
    { caller: "portal session outside its scope", digest: session, operation: "list_keys" },
    { caller: "admin key", digest: keys.admin.digest, operation: "get_own_organisation" },
    { caller: "key of scope read", digest: keys.read.digest, operation: "get_memory", id: ids.memory },
    { caller: "revoked key", digest: keys.revoked.digest, operation: "get_me" },
    { caller: "unknown key", digest: makeCredential("bsk").digest, operation: "get_me" },
    { caller: "key with a missing row", digest: keys.admin.digest, operation: "get_bot", id: ids.run },
    { caller: "platform key", digest: platform, operation: "list_organisations" },
    { caller: "invitation link", digest: await link("invitations"), operation: "read_invitation" },
    { caller: "approval link", digest: await link("approvals"), operation: "read_approval" },
    {
      caller: "address of a hook",
      digest: Buffer.from(ids.hook?.replaceAll("-", "") ?? "", "hex"),
      operation: "open_hook",
    },
    { caller: "hook", digest: hook, operation: "receive_hook", problem: { code: "invalid_request" } },
  ];
}

/** Every read of an organisation's key, and one call of each other class. */
const reads = async (): Promise<Call[]> => [
  ...operations
    .filter(({ method, keyClass, stream }) => method === "get" && keyClass === "organisation" && !stream)
    .map(({ name }) => {
      const id = idOf[name] && ours.ids[idOf[name]];
      return { caller: "admin key", digest: ours.keys.admin.digest, operation: name, ...(id ? { id } : {}) };
    }),
  ...(await callsOf(ours)),
];
const nameOf = ({ caller, operation }: Call) => `${operation} by ${caller}`;

test("api.handle answers each read the same after a call of every class of another organisation", async () => {
  const earlier = await callsOf(theirs);
  const answered: string[] = [];
  const differing: string[] = [];
  for (const read of await reads()) {
    const [alone] = await inOneTransaction([read]);
    if (alone?.startsWith('{"status":200}')) answered.push(nameOf(read));
    for (const call of earlier) {
      const [, after] = await inOneTransaction([call, read]);
      if (after !== alone) differing.push(`${nameOf(read)} after ${nameOf(call)}: ${after}; alone: ${alone}`);
    }
  }
  expect(differing).toEqual([]);
  const refused = (await reads()).filter(({ caller }) => caller === "admin key").map(nameOf);
  expect(refused.filter((name) => !answered.includes(name))).toEqual([]);
});

test("api.handle answers each read the same when the transaction has the settings of another caller", async () => {
  const [platform] = await db.sql<{ id: string }>("select id from app.platform_keys limit 1");
  const hook = theirs.ids.hook;
  const [link] = [theirs.ids.approval];
  for (const credential of [
    `platform_key ${platform?.id}`,
    `key ${theirs.keys.admin.id}`,
    `hook ${hook}`,
    `approval ${link}`,
  ]) {
    const settings = {
      organisation_id: theirs.ids.organisation,
      person_id: theirs.owner,
      credential,
      scope: "admin",
      role: "owner",
      request_id: theirs.ids.run,
    };
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(await settingsOfIdentity()));
    const planted = Object.entries(settings).map(([name, value]) => `set_config('caller.${name}', '${value}', true)`);
    for (const read of await reads()) {
      const [alone] = await inOneTransaction([read]);
      const [after] = await inOneTransaction([read], `select ${planted}`);
      expect([nameOf(read), after]).toEqual([nameOf(read), alone]);
    }
  }
});

/** The settings that caller.clear_identity clears, from its definition. */
async function settingsOfIdentity(): Promise<string[]> {
  const [{ names } = { names: [] }] = await db.sql<{ names: string[] }>(
    `select regexp_split_to_array(substring(prosrc from 'array\\[([^]]*)\\]'), '[^a-z_]+') as names
     from pg_proc where oid = 'caller.clear_identity'::regproc`,
  );
  return names.filter(Boolean);
}
