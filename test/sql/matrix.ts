/**
 * The matrix: which caller reaches which row, by table and command. In each line, one caller after another tries the
 * same statement on the same row of an organisation.
 *
 *   y  yes
 *   h  hidden: it runs and finds no row, although the row exists
 *   r  refused: the policy refuses the row that would be written
 *   n  not found: it names a hidden row
 *   -  denied: no privilege
 *
 * One column per command and one letter per caller, in the order of `commands` and `callers`. The callers are:
 * - keys of the row's own organisation with each scope, all bound to the same owner
 * - an admin key of another organisation
 * - three admin keys of the same organisation: of a demoted person, revoked, and expired
 */
export const callers = ["read", "write", "admin", "another", "demoted", "revoked", "expired"] as const;
export const commands = ["select", "insert", "update", "delete"] as const;
export const verdicts = { y: "yes", h: "hidden", r: "refused", n: "not found", "-": "denied" } as const;

export type Caller = (typeof callers)[number];
export type Command = (typeof commands)[number];
export type Verdict = (typeof verdicts)[keyof typeof verdicts];

/** By table, or by table and kind of row. rows.ts describes each row. */
// biome-ignore format: a table
export const matrix: Record<string, string> = {
  //                                                         select  insert  update  delete
  organisations:                                            "yyyhhhh ------- hhyhhhh -------", // update: its name
  "organisations: what it has paid for":                    "yyyhhhh ------- ------- -------",
  people:                                                   "yyyhhhh ------- ------- -------",
  // All these callers have the same rank; ranks.test.ts tests ranks.
  "memberships: a colleague's":                             "yyyhhhh ------- hhyhhhh hhyhhhh",
  "memberships: of the person themself":                    "yyyhhhh ------- hhyhhhh hhhhhhh",
  invitations:                                              "yyyhhhh rryrrrr hhyhhhh -------",
  "invitations: in a colleague's name":                     "yyyhhhh rrrrrrr ------- -------", // update: of who invited
  "invitations: accepted for the invitee":                  "yyyhhhh ------- ------- -------", // insert: naming an acceptance
  "api_keys: another key of the person":                    "hhyhhhh rryrrrr hhyhhhh -------",
  "api_keys: the key of scope read":                        "yhyhhhh rryrrrr hhyhhhh -------",
  "api_keys: a colleague's":                                "hhyhhhh rrrrrrr hhyhhhh -------",
  portal_sessions:                                          "hhyhhhh rryrrrr hhyhhhh -------",
  "portal_sessions: in a colleague's name":                 "hhyhhhh rrrrrrr ------- -------", // update: of who created it
  "portal_sessions: opened by the caller":                  "hhyhhhh ------- ------- -------", // insert: naming the session
  exports:                                                  "yyyhhhh rryrrrr hhyhhhh -------",
  "exports: of another owner":                              "yyyhhhh rrrrrrr hhhhhhh -------",
  export_parts:                                             "yyyhhhh rryrrrr hhyhhhh hhyhhhh",
  "export_parts: of another owner's export":                "yyyhhhh rrrrrrr hhhhhhh hhhhhhh",
  authorization_codes:                                      "------- ------- ------- -------",
  api_key_uses:                                             "yyyhhhh ------- ------- -------",
  api_key_days:                                             "hhyhhhh ------- ------- -------",
  platform_keys:                                            "------- ------- ------- -------",
  "bots: of the team":                                      "yyyhhhh ryyrrrr hyyhhhh -------",
  "bots: a colleague's personal one":                       "hhhhhhh rrrrrrr hhhhhhh -------",
  "conversations: one's own":                               "yyyhhhh ryyrrrr ------- -------",
  "conversations: a colleague's":                           "hhhhhhh rrrrrrr ------- -------",
  "conversations: with a colleague's personal bot":         "hhhhhhh rrrrrrr ------- -------",
  "runs: one's own":                                        "yyyhhhh ryyrrrr hyyhhhh -------",
  "runs: a colleague's, of a bot of the team":              "yyyhhhh rrrrrrr hyyhhhh -------",
  "runs: of a colleague's personal bot":                    "hhhhhhh rrrrrrr hhhhhhh -------",
  "runs: set to anything but cancelled":                    "yyyhhhh ------- hrrhhhh -------", // insert: naming a state
  "run_metadata: of one's own run":                         "yyyhhhh ryyrrrr ------- -------",
  "run_metadata: of a colleague's run, of a bot of the team": "yyyhhhh rrrrrrr ------- -------",
  "run_metadata: of a run of a colleague's personal bot":   "hhhhhhh rrrrrrr ------- -------",
  "messages: one's own":                                    "yyyhhhh ryyrrrr ------- -------",
  "messages: in a colleague's conversation":                "hhhhhhh rrrrrrr ------- -------",
  "messages: in the name of the bot":                       "yyyhhhh rrrrrrr ------- -------",
  "routines: one's own":                                    "yyyhhhh ryyrrrr hyyhhhh -------",
  "routines: a colleague's, of a bot of the team":          "yyyhhhh rrrrrrr hyyhhhh -------", // update: to pause it only: test/http/routines.test.ts
  "routines: of a colleague's personal bot":                "hhhhhhh rrrrrrr hhhhhhh -------",
  "routines: given a time to fire":                         "yyyhhhh ryyrrrr ------- -------", // insert: the API evaluates the schedule of a new routine
  "hooks: one's own":                                       "yyyhhhh rryrrrr hhyhhhh -------",
  "hooks: a colleague's, of a bot of the team":             "yyyhhhh rrrrrrr hhyhhhh -------",
  "hooks: of a colleague's personal bot":                   "hhhhhhh rrrrrrr hhhhhhh -------",
  hook_receipts:                                            "------- ------- ------- -------",
  "steps: of a visible run":                                "yyyhhhh ------- ------- -------",
  "steps: of a run of a colleague's personal bot":          "hhhhhhh ------- ------- -------",
  step_results:                                             "------- ------- ------- -------",
  "run_events: of one's own run":                           "yyyhhhh ------- ------- -------",
  "run_events: what the bot said in one's own":             "yyyhhhh ------- ------- -------",
  "run_events: of a colleague's run, of a bot of the team": "yyyhhhh ------- ------- -------",
  "run_events: what the bot said in a colleague's":         "hhhhhhh ------- ------- -------",
  "run_events: what the bot asked in a colleague's":        "hhhhhhh ------- ------- -------",
  "run_events: of a run of a colleague's personal bot":     "hhhhhhh ------- ------- -------",
  "approvals: of a run of one's own":                       "yyyhhhh ------- ------- -------",
  "approvals: of a colleague's run":                        "hhhhhhh ------- ------- -------",
  "approvals: of a bot that is no longer seen":             "hhhhhhh ------- ------- -------",
  monthly_usage:                                            "yyyhhhh ------- ------- -------",
  executors:                                                "yyyyyyy ------- ------- -------", // models and last_seen_at are readable, the name is not (rows.ts)
  "memories: of the organisation":                          "yyyhhhh ryyrrrr hyyhhhh hyyhhhh",
  "memories: of a bot of the team":                         "yyyhhhh ryyrrrr hyyhhhh hyyhhhh",
  "memories: of a colleague's personal bot":                "hhhhhhh rrrrrrr hhhhhhh hhhhhhh",
  "memories: of the person themself":                       "yyyhhhh ------- hhhhhhh hhhhhhh", // insert: naming a member
  "memories: of a colleague":                               "hhhhhhh ------- hhhhhhh hhhhhhh", // insert: naming a member
  "memories: as if a run had written it":                   "yyyhhhh rrrrrrr ------- hyyhhhh", // update: of provenance
  "memories: imported, of the organisation":                "yyyhhhh ryyrrrr hyyhhhh hyyhhhh",
  "memories: imported, of a bot of the team":               "yyyhhhh ryyrrrr hyyhhhh hyyhhhh",
  "memories: imported, of a colleague's personal bot":      "hhhhhhh rrrrrrr hhhhhhh hhhhhhh",
  "memories: imported in a colleague's name":               "yyyhhhh rrrrrrr ------- hyyhhhh", // update: of the external id
  "memories: imported as tainted":                          "yyyhhhh ryyrrrr ------- hyyhhhh", // update: of provenance
  "memories: replaced, of the organisation":                "yyyhhhh ------- hyyhhhh hyyhhhh", // insert: naming its successor
  "memories: replaced, of a colleague's personal bot":      "hhhhhhh ------- hhhhhhh hhhhhhh", // insert: naming its successor
  "memories: that replaces one of the organisation":        "yyyhhhh nyynnnn ------- hyyhhhh", // update: of what it replaces
  "memories: that replaces one of a colleague's personal bot": "hhhhhhh nnnnnnn ------- hhhhhhh", // update: of what it replaces
  "memory_history: of the organisation":                    "yyyhhhh ------- ------- -------",
  "memory_history: of a colleague's personal bot":          "hhhhhhh ------- ------- -------",
  "memory_history: of the person themself":                 "yyyhhhh ------- ------- -------",
  "memory_history: of a colleague":                         "hhhhhhh ------- ------- -------",
  erasures:                                                 "------- ------- ------- -------",
  third_party_restriction_changes:                          "------- ------- ------- -------",
  third_party_restrictions:                                 "yyyhhhh ------- ------- -------",
  webhook_endpoints:                                        "hhyhhhh rryrrrr hhyhhhh -------",
  audit_streams:                                            "hhyhhhh rryrrrr hhyhhhh hhyhhhh",
  "events: a test":                                         "hhyhhhh rryrrrr ------- -------",
  "events: a run that finished":                            "hhyhhhh rrrrrrr ------- -------",
  "deliveries: of a test":                                  "hhyhhhh rryrrrr hhyhhhh -------",
  "deliveries: of a run that finished":                     "hhyhhhh rryrrrr hhrhhhh -------", // update: to anything but pending
  "deliveries: of another kind than its event":             "hhyhhhh rrrrrrr ------- -------", // update: of what it delivers
  delivery_attempts:                                        "hhyhhhh ------- ------- -------",
  endpoint_counts:                                          "hhyhhhh ------- ------- -------",
  "idempotency_records: of the key of scope admin":         "hhyhhhh rryrrrr hhyhhhh -------",
  response_rows:                                            "------- ------- ------- -------",
  response_bytes:                                           "------- ------- ------- -------",
  request_counts:                                           "------- ------- ------- -------",
  request_minutes:                                          "------- ------- ------- -------",
  organisation_moves:                                       "------- ------- ------- -------",
  organisation_deletions:                                   "------- ------- ------- -------",
  audit_log:                                                "hhyhhhh ------- ------- -------",
  audit_chain_heads:                                        "yyyhhhh ------- ------- -------",
  audit_truncations:                                        "------- ------- ------- -------",
  audit_pending_entries:                                    "------- ------- ------- -------",
  audit_tree:                                               "------- ------- ------- -------",
  audit_tiles:                                              "------- ------- ------- -------",
  audit_leaves:                                             "------- ------- ------- -------",
  audit_checkpoints:                                        "------- ------- ------- -------",
  audit_cosignatures:                                       "------- ------- ------- -------",
  audit_faults:                                             "------- ------- ------- -------",
  limits:                                                   "------- ------- ------- -------",
  organisation_limits:                                      "------- ------- ------- -------",
  retry_schedule:                                           "------- ------- ------- -------",
  service_settings:                                         "------- ------- ------- -------",
  maintenance:                                              "------- ------- ------- -------",
  worker_pools:                                             "------- ------- ------- -------",
  locks:                                                    "------- ------- ------- -------",
  signing_keys:                                             "------- ------- ------- -------",
  "mails: with an invitation":                              "------- rryrrrr ------- -------",
  "mails: with a welcome":                                  "------- rrrrrrr ------- -------",
  "mails: with the link of an approval":                    "------- rrrrrrr ------- -------",
  model_prices:                                             "------- ------- ------- -------",
  models:                                                   "------- ------- ------- -------",
  operator_tokens:                                          "------- ------- ------- -------",
  refused_credentials:                                      "------- ------- ------- -------",
  operator_actions:                                         "------- ------- ------- -------",
  operator_commands:                                        "------- ------- ------- -------",
  operator_sessions:                                        "------- ------- ------- -------",
  definition_builds:                                        "------- ------- ------- -------",
  built_catalogues:                                         "------- ------- ------- -------",
  accepted_findings:                                        "------- ------- ------- -------",
};
