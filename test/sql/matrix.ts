/**
 * The matrix: which caller reaches which row, by table and command. In each line, one caller after another tries the
 * same statement on the same row of an organisation.
 *
 *   yes      the statement succeeds
 *   hidden   it runs and finds no row, although the row exists
 *   refused  the policy refuses the row that would be written
 *   denied   tenant has no such privilege
 *
 * The callers are:
 * - keys of the row's own organisation with each scope, all bound to the same owner
 * - an admin key of another organisation
 * - three admin keys of the same organisation: of a demoted person, revoked, and expired
 */
export const callers = ["read", "write", "admin", "another", "demoted", "revoked", "expired"] as const;
export const commands = ["select", "insert", "update", "delete"] as const;
export const verdicts = ["yes", "hidden", "refused", "denied"] as const;

export type Caller = (typeof callers)[number];
export type Command = (typeof commands)[number];
export type Verdict = (typeof verdicts)[number];

/** A verdict for each caller, in the order of `callers`. */
type Line = string;

const denied: Line = "denied  denied  denied  denied  denied  denied  denied";
const noAccess = { select: denied, insert: denied, update: denied, delete: denied };

/** By table, or by table and kind of row. rows.ts describes each row. */
export const matrix: Record<string, Record<Command, Line>> = {
  //                read    write   admin   another demoted revoked expired
  organisations: {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden", // its name
  },
  "organisations: what it has paid for": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  people: {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  // All these callers have the same rank; ranks.test.ts tests ranks.
  "memberships: a colleague's": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: denied,
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
  },
  "memberships: of the person themself": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: denied,
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  invitations: {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "invitations: in a colleague's name": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied, // of who invited
    delete: denied,
  },
  "invitations: accepted for the invitee": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: denied, // naming an acceptance
    update: denied,
    delete: denied,
  },
  "api_keys: another key of the person": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "api_keys: the key of scope read": {
    select: "       yes     hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "api_keys: a colleague's": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  portal_sessions: {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "portal_sessions: in a colleague's name": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied, // of who created it
    delete: denied,
  },
  "portal_sessions: opened by the caller": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: denied, // naming the session
    update: denied,
    delete: denied,
  },
  api_key_uses: {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  api_key_days: {
    ...noAccess,
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
  },
  platform_keys: noAccess,
  "bots: of the team": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "bots: a colleague's personal one": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "conversations: one's own": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "conversations: a colleague's": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "conversations: with a colleague's personal bot": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "runs: one's own": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "runs: a colleague's, of a bot of the team": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "runs: of a colleague's personal bot": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "runs: set to anything but cancelled": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: denied, // naming a state
    update: "       hidden  refused refused hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "messages: one's own": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "messages: in a colleague's conversation": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "messages: in the name of the bot": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "routines: one's own": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "routines: a colleague's, of a bot of the team": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden", // to pause it only: test/http/routines.test.ts
    delete: denied,
  },
  "routines: of a colleague's personal bot": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "routines: given a time to fire": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused", // the API evaluates the schedule of a new routine
    update: denied,
    delete: denied,
  },
  "hooks: one's own": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "hooks: a colleague's, of a bot of the team": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "hooks: of a colleague's personal bot": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: denied,
  },
  hook_receipts: noAccess,
  "steps: of a visible run": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "steps: of a run of a colleague's personal bot": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "run_events: of one's own run": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "run_events: what the bot said in one's own": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "run_events: of a colleague's run, of a bot of the team": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "run_events: what the bot said in a colleague's": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "run_events: what the bot asked in a colleague's": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "run_events: of a run of a colleague's personal bot": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "approvals: of a run of one's own": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "approvals: of a colleague's run": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "approvals: of a bot that is no longer seen": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  monthly_usage: {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  executors: {
    ...noAccess, // models and last_seen_at are readable, the name is not (rows.ts)
    select: "       yes     yes     yes     yes     yes     yes     yes",
  },
  "memories: of the organisation": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
    delete: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
  },
  "memories: of a bot of the team": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused yes     yes     refused refused refused refused",
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
    delete: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
  },
  "memories: of a colleague's personal bot": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "memories: of the person themself": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: denied, // naming a member
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "memories: of a colleague": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: denied, // naming a member
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "memories: as if a run had written it": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied, // of provenance
    delete: "       hidden  yes     yes     hidden  hidden  hidden  hidden",
  },
  "memory_history: of the organisation": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "memory_history: of a colleague's personal bot": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "memory_history: of the person themself": {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "memory_history: of a colleague": {
    ...noAccess,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  erasures: noAccess,
  third_party_restriction_changes: noAccess,
  third_party_restrictions: {
    ...noAccess,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  webhook_endpoints: {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "events: a test": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "events: a run that finished": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied,
    delete: denied,
  },
  "deliveries: of a test": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "deliveries: of a run that finished": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  refused hidden  hidden  hidden  hidden", // to anything but pending
    delete: denied,
  },
  "deliveries: of another kind than its event": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: denied, // of what it delivers
    delete: denied,
  },
  delivery_attempts: {
    ...noAccess,
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
  },
  "idempotency_records: of the key of scope admin": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  response_rows: noAccess,
  response_bytes: noAccess,
  request_counts: noAccess,
  request_minutes: noAccess,
  organisation_moves: noAccess,
  audit_log: {
    ...noAccess,
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
  },
  audit_chain_heads: noAccess,
  audit_truncations: noAccess,
  audit_pending_entries: noAccess,
  audit_tree: noAccess,
  audit_tiles: noAccess,
  audit_leaves: noAccess,
  audit_checkpoints: noAccess,
  audit_cosignatures: noAccess,
  audit_faults: noAccess,
  limits: noAccess,
  organisation_limits: noAccess,
  retry_schedule: noAccess,
  service_settings: noAccess,
  maintenance: noAccess,
  worker_pools: noAccess,
  locks: noAccess,
  signing_keys: noAccess,
  "mails: with an invitation": {
    ...noAccess,
    insert: "       refused refused yes     refused refused refused refused",
  },
  "mails: with a welcome": {
    ...noAccess,
    insert: "       refused refused refused refused refused refused refused",
  },
  "mails: with the link of an approval": {
    ...noAccess,
    insert: "       refused refused refused refused refused refused refused",
  },
  model_prices: noAccess,
  models: noAccess,
  operator_tokens: noAccess,
  operator_actions: noAccess,
  operator_commands: noAccess,
  operator_sessions: noAccess,
  definition_builds: noAccess,
  built_catalogues: noAccess,
  accepted_findings: noAccess,
};
