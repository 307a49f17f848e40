/**
 * For each line of the matrix: its row, and the statements to try on it. Statements name ids of the fixture, for
 * example :organisation. :person is the caller; all other names belong to the organisation under test.
 */
import {
  bot,
  conversation,
  exportOf,
  hook,
  type Insert,
  invitation,
  key,
  mail,
  memory,
  message,
  metadata,
  partOf,
  portalSession,
  routine,
  run,
} from "./inserts.ts";

export type Row = {
  /** Finds the row, by columns that tenant may read if it may read any. */
  where: string;
  /** A row like it. Without: any insert. */
  insert?: Insert;
  /** What an update sets. */
  set: string;
};

const id = (name: string) => `id = :${name}`;
const membership = (person: string) => `organisation_id = :organisation and person_id = ${person}`;
const mailOf = (kind: string) => `organisation_id = :organisation and kind = '${kind}'`;
const ofOrganisation = "organisation_id = :organisation";
const value = "value = 'changed'";

// biome-ignore format: a table
export const rows: Record<string, Row> = {
  organisations: { where: id("organisation"), set: "name = 'changed'" },
  "organisations: what it has paid for": { where: id("organisation"), set: "seats_bought = 1000" },
  people: { where: id("colleague"), set: "display_name = 'changed'" },
  "memberships: a colleague's": { where: membership(":colleague"), set: "role = 'owner'" },
  "memberships: of the person themself": { where: membership(":owner"), set: "role = 'owner'" },
  invitations: { where: id("invitation"), insert: invitation(":person"), set: "revoked_at = now()" },
  "invitations: in a colleague's name": { where: id("invitation"), insert: invitation(":colleague"), set: "invited_by = :colleague" },
  "invitations: accepted for the invitee": {
    where: id("invitation"),
    insert: invitation(":person", ", accepted_at, accepted_by", ", now(), :person"),
    set: "accepted_at = now(), accepted_by = :person",
  },
  "api_keys: another key of the person": { where: id("spare_key"), insert: key(":person"), set: "revoked_at = now()" },
  "api_keys: the key of scope read": { where: id("read_key"), insert: key(":person"), set: "revoked_at = now()" },
  "api_keys: a colleague's": { where: id("colleague_key"), insert: key(":colleague"), set: "revoked_at = now()" },
  portal_sessions: { where: id("portal_session"), insert: portalSession(":person"), set: "revoked_at = now()" },
  "portal_sessions: in a colleague's name": {
    where: id("portal_session"),
    insert: portalSession(":colleague"),
    set: "created_by = :colleague",
  },
  "portal_sessions: opened by the caller": {
    where: id("portal_session"),
    insert: portalSession(":person", ", opened_at, session_digest", ", now(), sha256('session')"),
    set: "opened_at = now(), session_digest = sha256('session')",
  },
  exports: { where: id("export"), insert: exportOf(":person"), set: "expires_at = now()" },
  "exports: of another owner": { where: id("colleague_export"), insert: exportOf(":colleague"), set: "expires_at = now()" },
  export_parts: { where: "export_id = :export", insert: partOf(":export"), set: "lines = 1" },
  "export_parts: of another owner's export": { where: "export_id = :colleague_export", insert: partOf(":colleague_export"), set: "lines = 1" },
  authorization_codes: { where: ofOrganisation, set: "expires_at = now()" },
  api_key_uses: { where: "organisation_id = :organisation and key_id = :spare_key", set: "last_used_at = now()" },
  api_key_days: { where: "organisation_id = :organisation and key_id = :spare_key", set: "requests = 9" },
  platform_keys: { where: id("platform_key"), set: "revoked_at = now()" },
  "bots: of the team": { where: id("bot"), insert: bot(":person"), set: "name = 'changed'" },
  "bots: a colleague's personal one": { where: id("personal_bot"), insert: bot(":colleague"), set: "visibility = 'team'" },
  "conversations: one's own": { where: id("conversation"), insert: conversation(":silent_bot", ":person"), set: "person_id = person_id" },
  "conversations: a colleague's": {
    where: id("colleague_conversation"),
    insert: conversation(":silent_bot", ":colleague"),
    set: "person_id = person_id",
  },
  "conversations: with a colleague's personal bot": {
    where: id("personal_conversation"),
    insert: conversation(":personal_bot", ":person"),
    set: "person_id = person_id",
  },
  "runs: one's own": { where: id("run"), insert: run(":bot", ":conversation", ":person"), set: "state = 'cancelled'" },
  "runs: a colleague's, of a bot of the team": {
    where: id("colleague_run"),
    insert: run(":bot", ":colleague_conversation", ":person"),
    set: "state = 'cancelled'",
  },
  "runs: of a colleague's personal bot": {
    where: id("personal_run"),
    insert: run(":personal_bot", ":conversation", ":person"),
    set: "state = 'cancelled'",
  },
  "runs: set to anything but cancelled": {
    where: id("run"),
    insert: [
      "organisation_id, bot_id, conversation_id, person_id, trigger, state",
      ":organisation, :bot, :conversation, :person, 'api', 'queued'",
    ],
    set: "state = 'paused_limit'",
  },
  "messages: one's own": { where: id("message"), insert: message(":conversation", ":run", "person"), set: "text = ''" },
  "run_metadata: of one's own run": { where: "run_id = :run", insert: metadata(":run"), set: value },
  "run_metadata: of a colleague's run, of a bot of the team": { where: "run_id = :colleague_run", insert: metadata(":colleague_run"), set: value },
  "run_metadata: of a run of a colleague's personal bot": { where: "run_id = :personal_run", insert: metadata(":personal_run"), set: value },
  "messages: in a colleague's conversation": {
    where: id("colleague_message"),
    insert: message(":colleague_conversation", ":colleague_run", "person"),
    set: "text = ''",
  },
  "messages: in the name of the bot": { where: id("answer"), insert: message(":conversation", ":run", "bot"), set: "text = ''" },
  "routines: one's own": { where: id("routine"), insert: routine(":bot", ":person"), set: "state = 'paused'" },
  "routines: a colleague's, of a bot of the team": {
    where: id("colleague_routine"),
    insert: routine(":bot", ":colleague"),
    set: "state = 'paused'",
  },
  "routines: of a colleague's personal bot": {
    where: id("personal_routine"),
    insert: routine(":personal_bot", ":person"),
    set: "state = 'paused'",
  },
  "routines: given a time to fire": {
    where: id("routine"),
    insert: routine(":bot", ":person", ", next_firing_at", ", now()"),
    set: "next_firing_at = now()",
  },
  "hooks: one's own": { where: id("hook"), insert: hook(":bot", ":person"), set: "state = 'paused'" },
  "hooks: a colleague's, of a bot of the team": {
    where: id("colleague_hook"),
    insert: hook(":bot", ":colleague"),
    set: "state = 'paused'",
  },
  "hooks: of a colleague's personal bot": { where: id("personal_hook"), insert: hook(":personal_bot", ":person"), set: "state = 'paused'" },
  hook_receipts: { where: "organisation_id = :organisation and hook_id = :hook", set: "run_id = :run" },
  "steps: of a visible run": { where: "run_id = :run", set: "kind = 'changed'" },
  "steps: of a run of a colleague's personal bot": { where: "run_id = :personal_run", set: "kind = 'changed'" },
  step_results: { where: "run_id = :run", set: "key = 'changed'" },
  "run_events: of one's own run": { where: "run_id = :run and number = 1", set: "state = 'completed'" },
  "run_events: what the bot said in one's own": { where: "message_id = :answer", set: "number = number + 1" },
  "run_events: of a colleague's run, of a bot of the team": { where: "run_id = :colleague_run and number = 1", set: "state = 'completed'" },
  "run_events: what the bot said in a colleague's": { where: "message_id = :colleague_answer", set: "number = number + 1" },
  "run_events: what the bot asked in a colleague's": { where: "approval_id = :colleague_approval", set: "number = number + 1" },
  "run_events: of a run of a colleague's personal bot": { where: "run_id = :personal_run and number = 1", set: "state = 'completed'" },
  "approvals: of a run of one's own": { where: id("approval"), set: "state = 'approved', answered_at = now()" },
  "approvals: of a colleague's run": { where: id("colleague_approval"), set: "person_id = :person" },
  "approvals: of a bot that is no longer seen": { where: id("unseen_approval"), set: "person_id = :person" },
  monthly_usage: { where: ofOrganisation, set: "spend_micro_cents = 0" },
  executors: { where: "models = '{matrix}'", set: "models = '{}'" },
  "memories: of the organisation": { where: id("memory"), insert: memory("organisation"), set: value },
  "memories: of a bot of the team": { where: id("bot_memory"), insert: memory("bot", ", bot_id", ", :bot"), set: value },
  "memories: of a colleague's personal bot": {
    where: id("personal_memory"),
    insert: memory("bot", ", bot_id", ", :personal_bot"),
    set: value,
  },
  "memories: of the person themself": { where: id("own_memory"), insert: memory("member", ", member_id", ", :person"), set: value },
  "memories: of a colleague": { where: id("colleague_memory"), insert: memory("member", ", member_id", ", :colleague"), set: value },
  "memories: as if a run had written it": {
    where: id("run_memory"),
    insert: memory("organisation", "", "", "run"),
    set: "provenance = 'member'",
  },
  "memory_history: of the organisation": { where: "memory_id = :memory", set: "former = '{}'" },
  "memory_history: of a colleague's personal bot": { where: "memory_id = :personal_memory", set: "former = '{}'" },
  "memory_history: of the person themself": { where: "memory_id = :own_memory", set: "former = '{}'" },
  "memory_history: of a colleague": { where: "memory_id = :colleague_memory", set: "former = '{}'" },
  erasures: { where: ofOrganisation, set: "memories = 0" },
  third_party_restriction_changes: { where: ofOrganisation, set: "reason = 'changed'" },
  third_party_restrictions: { where: "organisation_id = :organisation and kind = 'health'", set: "kind = 'changed'" },
  webhook_endpoints: {
    where: id("endpoint"),
    insert: [
      "organisation_id, url, description, events, secret_sealed",
      ":organisation, 'https://new.example', null, '{run.finished}', 'sealed'",
    ],
    set: "description = 'changed'",
  },
  audit_streams: {
    where: ofOrganisation,
    insert: [
      "organisation_id, url, secret_sealed",
      ":organisation, 'https://new.example', 'sealed'",
      "on conflict (organisation_id) do update set url = excluded.url",
    ],
    set: "format = 'ocsf'",
  },
  "events: a test": {
    where: id("test_event"),
    insert: ["organisation_id, kind, data", ":organisation, 'webhook.test', '{}'"],
    set: "data = '{}'",
  },
  "events: a run that finished": {
    where: id("event"),
    insert: ["organisation_id, kind, data", ":organisation, 'run.finished', '{}'"],
    set: "data = '{}'",
  },
  "deliveries: of a test": {
    where: id("test_delivery"),
    insert: ["organisation_id, endpoint_id, event_id, event", ":organisation, :endpoint, :test_event, 'webhook.test'"],
    set: "state = 'pending'",
  },
  "deliveries: of a run that finished": {
    where: id("delivery"),
    insert: ["organisation_id, endpoint_id, event_id, event", ":organisation, :endpoint, :event, 'run.finished'"],
    set: "state = 'delivered'",
  },
  "deliveries: of another kind than its event": {
    where: id("delivery"),
    insert: ["organisation_id, endpoint_id, event_id, event", ":organisation, :endpoint, :event, 'webhook.test'"],
    set: "event = 'webhook.test'",
  },
  delivery_attempts: { where: "delivery_id = :test_delivery", set: "status_code = 200" },
  endpoint_counts: { where: "endpoint_id = :endpoint and counted = 'timeout'", set: "total = 2" },
  "idempotency_records: of the key of scope admin": {
    where: "organisation_id = :organisation and key_id = :admin_key",
    insert: [
      "organisation_id, key_id, digest, fingerprint, status, body, request_id",
      ":organisation, :admin_key, sha256('new'), sha256(''), 200, '{}', uuidv7()",
    ],
    set: "status = 201",
  },
  audit_log: { where: "organisation_id = :organisation and sequence = 1", set: "reason = 'none'" },
  audit_chain_heads: { where: ofOrganisation, set: "sequence = 0" },
  audit_truncations: { where: ofOrganisation, set: "sequence = 1" },
  audit_pending_entries: { where: ofOrganisation, set: "reason = 'none'" },
  audit_tree: { where: "singleton", set: "attempted_at = now()" },
  audit_tiles: { where: "level = 9", set: "position = 1" },
  audit_leaves: { where: ofOrganisation, set: "last_sequence = 2" },
  audit_checkpoints: { where: "tree_size = 0", set: "note = 'changed'" },
  audit_cosignatures: { where: "witness = 'seeded'", set: "line = 'changed'" },
  audit_faults: { where: ofOrganisation, set: "last_sequence = 2" },
  response_rows: { where: ofOrganisation, set: "day_partition = day_partition" },
  response_bytes: { where: ofOrganisation, set: "bytes = 0" },
  request_counts: { where: ofOrganisation, set: "requests = 0" },
  organisation_moves: { where: ofOrganisation, set: "cell = 'changed'" },
  organisation_deletions: { where: ofOrganisation, set: "pattern = 'changed'" },
  request_minutes: { where: ofOrganisation, set: "answered = 0" },
  limits: { where: "name = 'seats'", set: "maximum = 1000" },
  organisation_limits: { where: ofOrganisation, set: "maximum = 1000" },
  retry_schedule: { where: "attempt = 1", set: "delay = '1 second'" },
  service_settings: { where: "singleton", set: "delivery_max_attempts = 6" },
  maintenance: { where: "singleton", set: "last_run_at = now()" },
  worker_pools: { where: "pool = 'matrix'", set: "pid = 0" },
  locks: { where: "name = 'matrix'", set: "name = 'changed'" },
  signing_keys: { where: "public_key = sha256('matrix')", set: "signs_until = null" },
  "mails: with an invitation": { where: mailOf("invitation"), insert: mail("invitation"), set: "recipient = 'changed'" },
  "mails: with a welcome": { where: mailOf("welcome"), insert: mail("welcome"), set: "recipient = 'changed'" },
  "mails: with the link of an approval": { where: mailOf("approval"), insert: mail("approval"), set: "recipient = 'changed'" },
  model_prices: { where: "model = 'matrix'", set: "input_micro_cents = 0" },
  models: { where: "name = 'matrix'", set: "last_served_at = now()" },
  operator_tokens: { where: "name = 'matrix'", set: "name = 'changed'" },
  refused_credentials: { where: "prefix = 'bsk_00000000'", set: "requests = 2" },
  operator_commands: { where: "action = 'set_model_price'", set: "operator = 'changed'" },
  operator_actions: { where: id("operator_action"), set: "reason = 'changed'" },
  operator_sessions: { where: "digest = sha256('session')", set: "last_used_at = now()" },
  definition_builds: { where: "id > 0", set: "digest = 'changed'" },
  built_catalogues: { where: "catalogue = 'pg_class'", set: "objects = '{}'" },
  accepted_findings: { where: "accepted_by = 'matrix'", set: "reason = 'changed'" },
};
