/**
 * The matrix: which caller reaches which row, table by table and command by command. Read across: one caller after
 * another tries the same statement on the same row of an organisation.
 *
 *   yes      it is done
 *   hidden   it runs and finds no row, although the row is there
 *   refused  the policy refuses the row that would be written
 *   denied   tenant has no such privilege, whoever asks
 *
 * The callers: keys of the row's own organisation by their scope (all three bound to the same owner); an admin key of
 * another organisation; and admin keys of the same organisation whose creator was demoted, that were revoked, or that
 * expired.
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
const nobody = { select: denied, insert: denied, update: denied, delete: denied };

/** By table, and for a table with rows of several kinds by what the row is. rows.ts says how each row is made. */
export const matrix: Record<string, Record<Command, Line>> = {
  //                read    write   admin   another demoted revoked expired
  organisations: {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden", // its name
  },
  "organisations: what it has paid for": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  people: {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  // Ranks, which these callers do not differ in, are in ranks.test.ts.
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
  api_key_uses: {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  platform_keys: nobody,
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
    update: "       hidden  yes     yes     hidden  hidden  hidden  hidden", // paused, and no more: test/http/routines.test.ts
    delete: denied,
  },
  "routines: of a colleague's personal bot": {
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    insert: "       refused refused refused refused refused refused refused",
    update: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
    delete: denied,
  },
  "routines: told when to fire": {
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
    insert: denied, // naming a time
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
  hook_receipts: nobody,
  "steps: of a visible run": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "steps: of a run of a colleague's personal bot": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "run_events: of one's own run": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "run_events: what the bot said in one's own": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "run_events: of a colleague's run, of a bot of the team": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "run_events: what the bot said in a colleague's": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "run_events: what the bot asked in a colleague's": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "run_events: of a run of a colleague's personal bot": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "approvals: of a run of one's own": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "approvals: of a colleague's run": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "approvals: of a bot that is no longer seen": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  monthly_usage: {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  executors: {
    ...nobody, // that one lives is nobody's secret; its name is (rows.ts asks for what may be read)
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
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "memory_history: of a colleague's personal bot": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  "memory_history: of the person themself": {
    ...nobody,
    select: "       yes     yes     yes     hidden  hidden  hidden  hidden",
  },
  "memory_history: of a colleague": {
    ...nobody,
    select: "       hidden  hidden  hidden  hidden  hidden  hidden  hidden",
  },
  erasures: nobody,
  third_party_restriction_changes: nobody,
  third_party_restrictions: {
    ...nobody,
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
    ...nobody,
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
  },
  "idempotency_records: of the key of scope admin": {
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    insert: "       refused refused yes     refused refused refused refused",
    update: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
    delete: denied,
  },
  request_counts: nobody,
  request_minutes: nobody,
  audit_trail: {
    ...nobody,
    select: "       hidden  hidden  yes     hidden  hidden  hidden  hidden",
  },
  audit_heads: nobody,
  audit_cuts: nobody,
  audit_drafts: nobody,
  delivery_ladder: nobody,
  service_settings: nobody,
  sweep: nobody,
  "mails: with an invitation": {
    ...nobody,
    insert: "       refused refused yes     refused refused refused refused",
  },
  "mails: with a welcome": {
    ...nobody,
    insert: "       refused refused refused refused refused refused refused",
  },
  "mails: with the link of an approval": {
    ...nobody,
    insert: "       refused refused refused refused refused refused refused",
  },
  model_prices: nobody,
  operator_tokens: nobody,
  operator_acts: nobody,
  operator_sessions: nobody,
  definitions: nobody,
};
