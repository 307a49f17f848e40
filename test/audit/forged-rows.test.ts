/** Rows that a superuser writes past the triggers: each is named. Rows that Botstead wrote are no findings. */
import { randomBytes } from "node:crypto";
import { urlAs } from "../../src/database/urls.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { makeKey, makeOrganisation, setLimits } from "../support/database.ts";
import { customer } from "../support/post-office.ts";
import { query } from "../support/query.ts";

const here = ownApiOfFile();

type Violation = { rule: string; name: string; detail: string };

const violations = () =>
  query<Violation>(
    urlAs("auditor", here.db.adminUrl, here.db.key),
    "select rule, name, detail from audit.violations_of_records order by rule, name",
  );

async function forge(statement: string, values: unknown[] = []): Promise<{ id?: string }[]> {
  const pool = here.db.adminPool({ max: 1, options: "-c session_replication_role=replica" });
  const { rows } = await pool.query(statement, values);
  await pool.end();
  return rows;
}

afterEach(async () => {
  expect(await violations()).toEqual([]); // each test cures its faults
});

test("rows that the API, the command line and an operator wrote are no violations", async () => {
  const who = await customer(here);
  await setLimits(here.db, who.organisation.id, { runStartsPerHour: 1000 });
  const { id } = (await who.ask("POST", "/webhooks", { url: "https://receiver.example/", events: ["run.finished"] }))
    .body;
  await who.ask("PATCH", `/webhooks/${id}`, { events: ["run.finished", "memory.created"] });
  await who.ask("POST", "/invitations", { email: "new@example.test", role: "member" });
  const key = (await who.ask("POST", "/keys", { name: "Second", scope: "read" })).body;
  await who.ask("DELETE", `/keys/${key.id}`);
  await who.ask("POST", "/portal-sessions", {});
  await who.ask("POST", "/hooks", { botId: who.bot, name: "Hook" });
  await here.db
    .sql("select operator.mint_platform_key('Signup', 'bsp_12345678', $1, 30)", [randomBytes(32)])
    .catch(() => {});
  await here.db.sql("select operator.mint_token('Ada', 'act', 30, $1)", [randomBytes(32)]);
  await here.db.sql("update app.service_settings set audit_retention = '2 years', delivery_slots = 100");
  await here.db.sql("update app.retry_schedule set delay = '2 minutes' where attempt = 1");
});

test("forged credentials, memberships, limits and settings are violations, each by its id", async () => {
  const ours = await makeOrganisation(here.db);
  const key = await makeKey(here.db, ours.id, ours.ownerId, "read");
  const [known] = await here.db.sql<{ id: string }>("select id from app.api_keys where digest = $1", [key.digest]);
  const digest = () => randomBytes(32);
  const [person] = await here.db.sql<{ id: string }>(
    "insert into app.people (email) values ('forged@example.test') returning id",
  );
  const [forged] = await forge(
    `insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at)
     values ($1, 'Forged', 'bsk_Forged00', $2, 'admin', $3, now() + interval '1 day') returning id`,
    [ours.id, digest(), ours.ownerId],
  );
  await forge("update app.api_keys set scope = 'admin' where id = $1", [known?.id]);
  await forge("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')", [
    ours.id,
    person?.id,
  ]);
  const [session] = await forge(
    `insert into app.portal_sessions (organisation_id, person_id, created_by, link_digest, expires_at)
     values ($1, $2, $2, $3, now() + interval '1 hour') returning id`,
    [ours.id, ours.ownerId, digest()],
  );
  const [token] = await forge(
    "insert into app.operator_tokens (name, scope, digest, expires_at) values ('Forged', 'act', $1, now() + interval '1 day') returning id",
    [digest()],
  );
  const [platform] = await forge(
    "insert into app.platform_keys (name, prefix, digest, expires_at) values ('Forged', 'bsp_Forged00', $1, now() + interval '1 day') returning id",
    [digest()],
  );
  const [accepted] = await forge(
    `insert into app.accepted_findings (finding, rule, object, what, accepted_by, reason)
     values ('0123456789abcdef', 'difference', 'table public.spy', 'It was added.', 'Ada', 'Forged') returning id`,
  );
  await forge(
    "insert into app.organisation_limits (organisation_id, name, maximum) select $1, name, 7 from app.limits order by position limit 1",
    [ours.id],
  );
  const [limit] = await here.db.sql<{ name: string }>(
    "select name from app.organisation_limits where organisation_id = $1",
    [ours.id],
  );
  await forge("update app.service_settings set step_retention = '1 day'");
  await forge("update app.retry_schedule set delay = '1 second' where attempt = 2");

  const none = "no entry in the audit log";
  const noCommand = "no command in the operators' log";
  const expected = [
    [`app.accepted_findings ${accepted?.id}`, noCommand],
    [`app.api_keys ${ours.id} ${forged?.id}`, none],
    [`app.api_keys ${ours.id} ${known?.id}`, "another value in the audit log: scope"],
    [`app.memberships ${ours.id} ${person?.id}`, none],
    [`app.operator_tokens ${token?.id}`, noCommand],
    [`app.organisation_limits ${ours.id} ${limit?.name}`, none],
    [`app.platform_keys ${platform?.id}`, noCommand],
    [`app.portal_sessions ${ours.id} ${session?.id}`, none],
    ["app.retry_schedule 2", "another value in the audit log: delay"],
    ["app.service_settings", "another value in the audit log: stepRetention"],
  ].map(([name, detail]) => ({ rule: "row_not_recorded", name, detail }));
  const found = await violations();
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).toHaveLength(expected.length);

  for (const table of ["operator_tokens", "platform_keys", "accepted_findings"])
    await forge(`delete from app.${table} where ${table === "accepted_findings" ? "reason" : "name"} = 'Forged'`);
  await forge("delete from app.api_keys where name = 'Forged'");
  await forge("delete from app.portal_sessions where id = $1", [session?.id]);
  await forge("delete from app.memberships where person_id = $1", [person?.id]);
  await forge("delete from app.organisation_limits where organisation_id = $1", [ours.id]);
  await forge("update app.api_keys set scope = 'read' where id = $1", [known?.id]);
  await forge("update app.service_settings set step_retention = '90 days'");
  await forge("update app.retry_schedule set delay = '5 minutes' where attempt = 2");
});

test("another value of a credential, an address or a setting that entries do not show is a violation, by table and id", async () => {
  const who = await customer(here);
  const { id: key } = (await who.ask("POST", "/keys", { name: "Of CI", scope: "read", allowedIps: ["192.0.2.7"] }))
    .body;
  const url = "https://receiver.example/";
  const { id: endpoint } = (await who.ask("POST", "/webhooks", { url, events: ["run.finished"] })).body;
  const { id: hook } = (await who.ask("POST", "/hooks", { botId: who.bot, name: "Hook" })).body;
  const guest = { email: "guest@example.test", role: "member" };
  const { id: invitation } = (await who.ask("POST", "/invitations", guest)).body;
  const { id: session } = (await who.ask("POST", "/portal-sessions", {})).body;
  const ids: Record<string, string> = {
    ...{ api_keys: key, webhook_endpoints: endpoint, hooks: hook, invitations: invitation, portal_sessions: session },
    bots: who.bot,
  };
  await here.db.sql("select service.record_settings_digest()"); // as a migration by the command line
  expect(await violations()).toEqual([]);
  const secret = `'\\x${randomBytes(32).toString("hex")}'`;
  const forgeries: [table: string, column: string, value: string, what: string][] = [
    ["api_keys", "digest", secret, "contentDigest"],
    ["api_keys", "allowed_ips", "null", "contentDigest"],
    ["api_keys", "rate_per_minute", "300", "contentDigest"],
    ["webhook_endpoints", "url", "'https://spy.example/'", "contentDigest"],
    ["webhook_endpoints", "secret_sealed", secret, "contentDigest"],
    ["webhook_endpoints", "bot_ids", "array[uuidv7()]", "contentDigest"],
    ["webhook_endpoints", "run_states", "'{failed}'", "contentDigest"],
    ["hooks", "secret_digest", secret, "contentDigest"],
    ["hooks", "secret_sealed", secret, "contentDigest"],
    ["invitations", "email", "'spy@example.test'", "contentDigest"],
    ["invitations", "token_digest", secret, "contentDigest"],
    ["portal_sessions", "link_digest", secret, "contentDigest"],
    ["portal_sessions", "link_expires_at", "created_at", "contentDigest"],
    ["portal_sessions", "key_id", `'${key}'`, "contentDigest"],
    ["bots", "visibility", "'personal'", "visibility"],
    ["service_settings", "run_events_secret", "gen_random_uuid()", "contentDigest"],
    ["service_settings", "webhook_allow_ranges", "'{10.0.0.0/8}'", "contentDigest"],
    ["service_settings", "webhook_allow_hosts", "'{intern.example}'", "contentDigest"],
  ];
  for (const [table, column, value, what] of forgeries) {
    const id = ids[table];
    const where = id === undefined ? "true" : `id = '${id}'`;
    const [{ former } = { former: null }] = await here.db.sql<{ former: string | null }>(
      `select ${column}::text as former from app.${table} where ${where}`,
    );
    await forge(`update app.${table} set ${column} = ${value} where ${where}`);
    const found = await violations();
    await forge(`update app.${table} set ${column} = $1::text::${await typeOf(table, column)} where ${where}`, [
      former,
    ]);
    const name = id === undefined ? `app.${table}` : `app.${table} ${who.organisation.id} ${id}`;
    const detail = `another value in the audit log: ${what}`;
    expect([column, found]).toEqual([column, [{ rule: "row_not_recorded", name, detail }]]);
  }
});

const typeOf = async (table: string, column: string): Promise<string> =>
  (
    await here.db.sql<{ type: string }>(
      "select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2",
      [`app.${table}`, column],
    )
  )[0]?.type ?? "";

test("revoked, widened and prolonged credentials of operators are violations", async () => {
  const mint = "select operator.mint_token($1, 'view', 30, $2) as id";
  const ids: Record<string, string> = {};
  for (const name of ["revoked", "widened", "prolonged"])
    ids[name] = (await here.db.sql<{ id: string }>(mint, [name, randomBytes(32)]))[0]?.id ?? "";
  const [platform] = await here.db.sql<{ id: string }>(
    "select operator.mint_platform_key('Forged', 30, 'bsp_Forged01', $1) as id",
    [randomBytes(32)],
  );
  await here.db.sql("select operator.revoke_token('revoked')");
  await here.db.sql(
    "select operator.accept_finding('0123456789abcdef', 'difference', 'table public.spy', 'It was added.', 'Ada', 'Tests')",
  );
  await here.db.sql("select operator.revoke_finding('0123456789abcdef')");
  expect(await violations()).toEqual([]);

  await forge("update app.operator_tokens set revoked_at = null where name = 'revoked'");
  await forge("update app.operator_tokens set scope = 'act' where name = 'widened'");
  await forge("update app.operator_tokens set expires_at = expires_at + interval '1 day' where name = 'prolonged'");
  await forge("update app.platform_keys set expires_at = expires_at + interval '1 day' where name = 'Forged'");
  const [accepted] = await forge(
    "update app.accepted_findings set revoked_at = null where reason = 'Tests' returning id",
  );
  const expected = [
    [`app.operator_tokens ${ids.revoked}`, "revoked in the operators' log"],
    [`app.operator_tokens ${ids.widened}`, "another value in the operators' log: scope"],
    [`app.operator_tokens ${ids.prolonged}`, "another value in the operators' log: days"],
    [`app.platform_keys ${platform?.id}`, "another value in the operators' log: days"],
    [`app.accepted_findings ${accepted?.id}`, "revoked in the operators' log"],
  ].map(([name, detail]) => ({ rule: "row_not_recorded", name, detail }));
  const found = await violations();
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).toHaveLength(expected.length);
  for (const table of ["operator_tokens", "platform_keys", "accepted_findings"])
    await forge(`update app.${table} set revoked_at = now() where revoked_at is null`);
});

test("settings and delays that were deleted past the triggers are violations, and others are not", async () => {
  await here.db.sql("create table kept_delays as table app.retry_schedule");
  await here.db.sql("create table kept_settings as table app.service_settings");
  await here.db.sql("delete from app.retry_schedule where attempt = 5");
  expect(await violations()).toEqual([]);
  await forge("delete from app.retry_schedule where attempt = 4");
  await forge("delete from app.service_settings");
  const detail = "no row, and no entry in the audit log";
  expect(await violations()).toEqual([
    { rule: "row_not_recorded", name: "app.retry_schedule 4", detail },
    { rule: "row_not_recorded", name: "app.service_settings", detail },
  ]);
  await forge("insert into app.retry_schedule select * from kept_delays where attempt = 4");
  await forge("insert into app.service_settings select * from kept_settings");
  await here.db.sql("insert into app.retry_schedule select * from kept_delays where attempt = 5");
});

test("a memory about a person who was never a member is a violation, and one about a former member is not", async () => {
  const ours = await makeOrganisation(here.db);
  const people = await here.db.sql<{ id: string }>(
    "insert into app.people (email) values ('former@example.test'), ('outsider@example.test') returning id",
  );
  const [former, outsider] = people.map(({ id }) => id);
  await here.db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'member')", [
    ours.id,
    former,
  ]);
  await here.db.sql("delete from app.memberships where person_id = $1", [former]);
  const add = `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, search_vector)
    values ($1, 'member', $2, 'fact', 'We', 'We are many.', 'member', 'test', '') returning id`;
  await forge(add, [ours.id, former]);
  expect(await violations()).toEqual([]);
  const [memory] = await forge(add, [ours.id, outsider]);
  expect(await violations()).toEqual([
    { rule: "row_not_recorded", name: `app.memories ${ours.id} ${memory?.id}`, detail: "no member in the audit log" },
  ]);
  await forge("delete from app.memories where organisation_id = $1", [ours.id]);
});

test("a membership that was deleted by the API and put back past the triggers is a violation", async () => {
  const ours = await makeOrganisation(here.db);
  const [person] = await here.db.sql<{ id: string }>(
    "insert into app.people (email) values ('back@example.test') returning id",
  );
  const add = "insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')";
  await here.db.sql(add, [ours.id, person?.id]);
  await here.db.sql("delete from app.memberships where person_id = $1", [person?.id]);
  expect(await violations()).toEqual([]);
  await forge(add, [ours.id, person?.id]);
  expect(await violations()).toEqual([
    { rule: "row_not_recorded", name: `app.memberships ${ours.id} ${person?.id}`, detail: "no entry in the audit log" },
  ]);
  await forge("delete from app.memberships where person_id = $1", [person?.id]);
});

test("a memory that names a bot of another organisation is a violation", async () => {
  const [ours, theirs] = [await customer(here), await customer(here)];
  const [memory] = await forge(
    `insert into app.memories (organisation_id, scope, bot_id, kind, subject, value, provenance, source, search_vector)
     values ($1, 'bot', $2, 'fact', 'We', 'We are many.', 'member', 'test', '') returning id`,
    [ours.organisation.id, theirs.bot],
  );
  expect(await violations()).toEqual([
    {
      rule: "reference_broken",
      name: `app.memories ${ours.organisation.id} ${memory?.id}`,
      detail: "memories_organisation_id_bot_id_fkey",
    },
  ]);
  await forge("delete from app.memories where id = $1", [memory?.id]);
});

test("rows older than the beginning of their chain need no entry, and later ones do", async () => {
  const ours = await makeOrganisation(here.db);
  const key = await makeKey(here.db, ours.id, ours.ownerId);
  await here.db.sql("update app.organisations set seats_bought = 3 where id = $1", [ours.id]);
  // As after a drop of a week: the first entries are gone, and the chain begins behind them.
  const dropped = "select max(sequence) - 1 as last from app.audit_log where organisation_id = $1";
  await forge(
    `insert into app.audit_truncations (organisation_id, sequence, hash)
     select $1, last, sha256('') from (${dropped}) dropped on conflict (organisation_id) do update set sequence = excluded.sequence`,
    [ours.id],
  );
  await forge(
    `delete from app.audit_log where organisation_id = $1 and sequence <= (select sequence from app.audit_truncations where organisation_id = $1)`,
    [ours.id],
  );
  expect(await violations()).toEqual([]);
  const [forged] = await forge(
    `insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at)
     values ($1, 'Forged', 'bsk_Forged00', $2, 'admin', $3, now() + interval '1 day') returning id`,
    [ours.id, randomBytes(32), ours.ownerId],
  );
  expect((await violations()).map(({ name }) => name)).toEqual([`app.api_keys ${ours.id} ${forged?.id}`]);
  await forge("delete from app.api_keys where name = 'Forged'");
  expect(key.digest).toHaveLength(32);
});

test("a sequence behind its table or far ahead, and a migration with another hash, are violations until their remedies", async () => {
  const remedies = () =>
    query<{ rule: string; remedy: string }>(
      urlAs("auditor", here.db.adminUrl, here.db.key),
      "select rule, remedy from audit.violations_of_records",
    );
  for (const plant of [
    "select setval('app.definition_builds_id_seq', 1, false)",
    "select setval('app.definition_builds_id_seq', 2000000000)",
    "begin; set local session_replication_role = replica; update graphile_migrate.migrations set hash = 'sha1:forged' where filename like '000013%'; commit",
  ]) {
    await here.db.sql(plant);
    const [found, ...more] = await remedies();
    expect(more).toEqual([]);
    expect(found?.rule).toMatch(/^(sequence_moved|migration_differs)$/);
    await here.db.sql(found?.remedy ?? "");
  }
});
