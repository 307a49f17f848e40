/**
 * The fixture of the matrix: an organisation with a row of every kind, the keys of its callers, and the ids of its rows
 * by the names that rows.ts uses.
 */
import { createHash, randomUUID } from "node:crypto";
import { makeKey, makeMember, makeOrganisation, type TestDatabase, type TestKey } from "../support/database.ts";

export type Seeded = {
  /** By the names that rows.ts uses. */
  ids: Record<string, string>;
  keys: Record<"read" | "write" | "admin" | "demoted" | "revoked" | "expired", TestKey>;
  /** The people to whom the keys are bound. */
  owner: string;
  demoted: string;
};

/** A row of each kind that belongs to no organisation and that a migrated database does not have. */
export async function seedService(db: TestDatabase): Promise<void> {
  await db.sql("select runner.heartbeat(uuidv7(), 'matrix', '{matrix}')");
  await db.sql("insert into app.worker_pools values ('matrix', 1, now())");
  await db.sql("select service.lock('matrix')");
  await db.sql("select jobs.add_signing_key(sha256('matrix'), 'sealed')");
  await db.sql("select operator.set_model_price('matrix', 1, 1, 'A price')");
  await db.sql("select operator.accept_finding(repeat('0', 16), 'rule', 'object', 'what', 'matrix', 'A reason')");
  await db.sql("insert into app.audit_tiles values (9, 0, 0, sha256('seeded'))");
  await db.sql(`
    with made as (
      insert into app.audit_checkpoints (tree_size, root, public_key, note) values (0, sha256(''), 'key', 'note') returning number
    )
    insert into app.audit_cosignatures (checkpoint, witness, line) select number, 'seeded', 'line' from made`);
  await db.sql("select operator.mint_token('matrix', 'act', 1, sha256('matrix'))");
  await db.sql("select operator.open_session(sha256('matrix'), sha256('session'))");
  await db.sql(
    `insert into app.refused_credentials values (date_trunc('hour', now()), '192.0.2.1', gen_random_uuid(), 'bsk_00000000', 'key', 'revoked', 1, now(), now())`,
  );
}

export async function seedOrganisation(db: TestDatabase): Promise<Seeded> {
  const { id: organisation, ownerId: owner } = await makeOrganisation(db);
  const colleague = await makeMember(db, organisation, "admin");
  const demoted = await makeMember(db, organisation, "admin");
  const ids: Record<string, string> = { organisation, owner, colleague };

  /** Writes a row of the organisation and stores its id under a name. */
  async function row(name: string, table: string, values: Record<string, unknown>): Promise<void> {
    const given = { organisation_id: organisation, ...values };
    const marks = Object.keys(given).map((_, index) => `$${index + 1}`);
    const [made] = await db.sql<{ row: { id: string } }>(
      `insert into app.${table} (${Object.keys(given)}) values (${marks}) returning to_json(${table}) as row`,
      Object.values(given),
    );
    ids[name] = made?.row.id ?? "";
  }

  const keys = {
    read: await makeKey(db, organisation, owner, "read"),
    write: await makeKey(db, organisation, owner, "write"),
    admin: await makeKey(db, organisation, owner, "admin"),
    demoted: await makeKey(db, organisation, demoted, "admin"),
    revoked: await makeKey(db, organisation, owner, "admin"),
    expired: await makeKey(db, organisation, owner, "admin"),
  };
  ids.read_key = keys.read.id;
  ids.admin_key = keys.admin.id;
  ids.spare_key = (await makeKey(db, organisation, owner, "admin")).id;
  ids.colleague_key = (await makeKey(db, organisation, colleague, "admin")).id;
  const [platform] = await db.sql<{ id: string }>(
    "select operator.mint_platform_key('matrix', 90, 'bsp_00000000', sha256($1::text::bytea)) as id",
    [organisation],
  );
  ids.platform_key = platform?.id ?? "";

  await row("invitation", "invitations", {
    email: "guest@example.test",
    role: "member",
    invited_by: owner,
    token_digest: createHash("sha256").update(organisation).digest(),
  });
  await row("mail", "mails", { kind: "invitation", recipient: "guest@example.test", data: "{}" });

  await row("bot", "bots", { name: "Team", owner_id: owner });
  await row("silent_bot", "bots", { name: "Without conversations", owner_id: owner });
  await row("personal_bot", "bots", { name: "Personal", owner_id: colleague, visibility: "personal" });

  const talk = async (prefix: string, bot: string | undefined, person: string) => {
    await row(`${prefix}conversation`, "conversations", { bot_id: bot, person_id: person });
    const conversation = { conversation_id: ids[`${prefix}conversation`] };
    await row(`${prefix}run`, "runs", { bot_id: bot, ...conversation, person_id: person, trigger: "api" });
    const said = { ...conversation, run_id: ids[`${prefix}run`] };
    await row(`${prefix}metadata`, "run_metadata", { run_id: said.run_id, key: "order", value: "4711" });
    await row(`${prefix}message`, "messages", { ...said, author: "person", text: "Hello?" });
    await row(prefix ? `${prefix}answer` : "answer", "messages", { ...said, author: "bot", text: "Hello!" });
    await row(`${prefix}step`, "steps", { run_id: said.run_id, number: 1, kind: "answer" });
    await row(`${prefix}result`, "step_results", { ...said, key: "answer", number: 1 });
  };
  await talk("", ids.bot, owner);
  await talk("colleague_", ids.bot, colleague);
  await talk("personal_", ids.personal_bot, colleague);

  const automate = async (prefix: string, bot: string | undefined, person: string) => {
    const made = { bot_id: bot, created_by: person, name: "Daily" };
    await row(`${prefix}routine`, "routines", { ...made, schedule: "0 9 * * *", time_zone: "UTC", message: "Hello" });
    const secret = randomUUID();
    const secret_digest = createHash("sha256").update(secret).digest();
    await row(`${prefix}hook`, "hooks", { ...made, secret_sealed: Buffer.from("sealed"), secret_digest });
  };
  await automate("", ids.bot, owner);
  await automate("colleague_", ids.bot, colleague);
  await automate("personal_", ids.personal_bot, colleague);
  await row("receipt", "hook_receipts", {
    hook_id: ids.hook,
    run_id: ids.run,
    digest: Buffer.alloc(32, 1),
    body_digest: Buffer.alloc(32),
  });

  const asks = async (name: string, prefix: string, bot: string | undefined, person: string) =>
    row(name, "approvals", {
      run_id: ids[`${prefix}run`],
      conversation_id: ids[`${prefix}conversation`],
      bot_id: bot,
      person_id: person,
      kind: "question",
      question: "May I?",
      reason: "It is not mine.",
      expires_at: new Date(Date.now() + 20 * 86_400_000),
    });
  await asks("approval", "", ids.bot, owner);
  await asks("colleague_approval", "colleague_", ids.bot, colleague);
  await asks("unseen_approval", "personal_", ids.personal_bot, owner);
  await row("limit", "organisation_limits", { name: "seats", maximum: 300 });
  await row("usage", "monthly_usage", { month: "2026-01-01" });

  const contents = { kind: "fact", subject: "We", value: "We are.", provenance: "member", source: "app" };
  await row("memory", "memories", { ...contents, scope: "organisation" });
  await row("bot_memory", "memories", { ...contents, scope: "bot", bot_id: ids.bot });
  await row("personal_memory", "memories", { ...contents, scope: "bot", bot_id: ids.personal_bot });
  await row("own_memory", "memories", { ...contents, scope: "member", member_id: owner });
  await row("colleague_memory", "memories", { ...contents, scope: "member", member_id: colleague });
  await row("run_memory", "memories", { ...contents, scope: "organisation", provenance: "run" });
  const imported = { ...contents, provenance: "import", created_by: colleague };
  await row("imported_memory", "memories", { ...imported, scope: "organisation", external_id: "1" });
  await row("tainted_memory", "memories", {
    ...{ ...imported, provenance: "run-tainted" },
    ...{ scope: "organisation", external_id: "2" },
  });
  await row("imported_bot_memory", "memories", { ...imported, scope: "bot", bot_id: ids.bot, external_id: "1" });
  const ofColleague = { scope: "bot", bot_id: ids.personal_bot };
  await row("imported_personal_memory", "memories", { ...imported, ...ofColleague, external_id: "1" });
  await row("replaced_memory", "memories", { ...contents, scope: "organisation" });
  await row("successor", "memories", { ...contents, scope: "organisation", supersedes: ids.replaced_memory });
  await row("replaced_personal_memory", "memories", { ...contents, ...ofColleague });
  await row("personal_successor", "memories", {
    ...{ ...contents, ...ofColleague },
    supersedes: ids.replaced_personal_memory,
  });

  for (const name of ["memory", "personal_memory", "own_memory", "colleague_memory"]) {
    await db.sql("update app.memories set value = 'We were.' where id = $1", [ids[name]]);
  }
  await row("erasure", "erasures", {
    erased_by: owner,
    key_id: keys.admin.id,
    subject_kind: "member",
    memories: 1,
    history: 0,
    proposals: 0,
  });
  await row("restriction_change", "third_party_restriction_changes", {
    kind: "salary",
    change: "restricted",
    reason: "matrix",
  });

  await row("endpoint", "webhook_endpoints", {
    url: "https://receiver.example/",
    events: "{approval.needed}", // so that the event below makes no delivery of its own
    secret_sealed: Buffer.from("sealed"),
  });
  await row("stream", "audit_streams", { url: "https://siem.example/", secret_sealed: Buffer.from("sealed") });
  await row("test_event", "events", { kind: "webhook.test", data: "{}" });
  await row("event", "events", { kind: "run.finished", data: "{}" });
  const to = { endpoint_id: ids.endpoint };
  await row("test_delivery", "deliveries", { ...to, event_id: ids.test_event, event: "webhook.test" });
  await row("delivery", "deliveries", { ...to, event_id: ids.event, event: "run.finished" });
  await db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where id = $1", [ids.test_delivery]);
  await row("attempt", "delivery_attempts", {
    delivery_id: ids.test_delivery,
    endpoint_id: ids.endpoint,
    number: 1,
    trigger: "scheduled",
    started_at: new Date(),
    duration_ms: 1,
    failure: "timeout",
  });
  await row("record", "idempotency_records", {
    key_id: keys.admin.id,
    digest: Buffer.alloc(32, 1),
    fingerprint: Buffer.alloc(32),
    status: 200,
    body: "{}",
    request_id: randomUUID(),
  });
  const [token] = await db.sql<{ id: string }>("select id from app.operator_tokens where name = 'matrix'");
  await row("operator_action", "operator_actions", {
    token_id: token?.id,
    operator: "matrix",
    action: "set_limit",
    arguments: "{}",
    reason: "A reason",
  });
  await row("shown", "response_rows", {
    row_id: ids.admin_memory ?? randomUUID(),
    key_id: keys.admin.id,
    digest: Buffer.alloc(32, 1),
    day_partition: 0,
  });
  await row("stored", "response_bytes", { ring_hour: 0, hour: new Date(0), bytes: 1 });
  await row("count", "request_counts", { counted_id: organisation, minute: new Date(0), requests: 1 });
  await row("key_day", "api_key_days", { key_id: ids.spare_key ?? randomUUID(), day: "2026-11-01", requests: 1 });
  await row("portal_session", "portal_sessions", {
    person_id: colleague,
    created_by: owner,
    key_id: keys.admin.id,
    link_digest: createHash("sha256").update(`link ${organisation}`).digest(),
    expires_at: new Date(Date.now() + 3_000_000),
    opened_at: "2026-11-02",
    session_digest: createHash("sha256").update(`session ${organisation}`).digest(),
  });
  for (const [name, person] of [
    ["export", owner],
    ["colleague_export", colleague],
  ] as const) {
    await row(name, "exports", { person_id: person, tables_hash: "0".repeat(64) });
    const part = { number: 1, counts: "{}", lines: 0, hash: "0".repeat(64), chain: "0".repeat(64) };
    await row(`${name}_part`, "export_parts", { export_id: ids[name], ...part });
  }
  await row("authorization_code", "authorization_codes", {
    portal_session_id: ids.portal_session,
    digest: createHash("sha256").update(`code ${organisation}`).digest(),
    ...{ client_id: "https://client.example/client.json", key_name: "Client", redirect_uri: "http://127.0.0.1:1/" },
    ...{ code_challenge: "c".repeat(43), resource: "http://127.0.0.1/mcp", scope: "read", key_days: 30 },
  });
  await row("move", "organisation_moves", { state: "leaving", cell: "another" });
  await row("deletion", "organisation_deletions", {
    due_at: "2026-01-01Z",
    begun_at: "2026-01-01Z",
    ended_at: "2026-01-02Z",
    receipt: "{}",
    hash: Buffer.alloc(32),
  });
  await row("counted", "request_minutes", { minute: new Date(0), answered: 1 });
  await row("truncation", "audit_truncations", { sequence: 0, hash: Buffer.alloc(32) });
  await row("fault", "audit_faults", { fault: "altered", sequence: 1, last_sequence: 1 });
  await row("leaves", "audit_leaves", {
    ...{ first_id: organisation, last_id: organisation, first_sequence: 1, last_sequence: 1, first_index: 0 },
    ...{ previous_hash: Buffer.alloc(32), last_hash: Buffer.alloc(32) },
  });
  // A pending entry written without its trigger, which would move it to the audit log at commit.
  await db.sql(`set local session_replication_role = replica;
    insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed)
    values ('${organisation}', 'system', 'created', 'nothing', '{}')`);
  return { ids, keys, owner, demoted };
}

/** Demotes, revokes and expires the last three callers, whose keys were valid until then. */
export async function invalidateKeys(db: TestDatabase, { keys, demoted }: Seeded): Promise<void> {
  await db.sql("update app.memberships set role = 'member' where person_id = $1", [demoted]);
  await db.sql("update app.api_keys set revoked_at = now() where id = $1", [keys.revoked.id]);
  await db.sql("update app.api_keys set expires_at = now() where id = $1", [keys.expired.id]);
}
