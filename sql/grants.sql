/*
 * Who may enter which schema, and execute what. Read together with the last lines of each file in policies/.
 */
grant usage on schema api to server;
grant execute on function api.handle, api.count_request to server;
grant execute on procedure api.handle_counted to server;
-- server: one function, and with it everything the contract offers to whoever holds a key; and the same counted, for which it
-- executes what counts as well. No table, no view.

grant usage on schema caller, search, rows, triggers, jobs, api to tenant;
grant execute on all functions in schema api, rows to tenant;
grant select on all tables in schema rows to tenant;
grant execute on all functions in schema caller to tenant;
grant execute on function search.spelled, search.configuration, search.claims, search.parts to tenant;
revoke execute on function api.count_request from tenant;
revoke execute on function
  caller.spend, caller.take, caller.clock, caller.is_of, caller.note_use, caller.forget_answers, caller.forget_proposals, caller.without, caller.answer
  from tenant;
grant execute on function
  triggers.live_keys, triggers.live_endpoints, triggers.run_starts, triggers.spent_this_month,
  triggers.members, triggers.open_invitations, triggers.live_routines, triggers.live_hooks
  to tenant;
grant execute on function jobs.payload, jobs.readiness, jobs.count_requests, jobs.least_id, jobs.ring_day to tenant;

grant usage on schema jobs to worker;
grant execute on function
  jobs.attend, jobs.sweep, jobs.claim_mail, jobs.link_approval, jobs.record_mail, jobs.empty_day, jobs.forget_request_minutes, jobs.traceparent,
  jobs.hold_pool, jobs.take_words, jobs.cancel_runs, jobs.forget_claims, jobs.make_partitions(), jobs.drop_partition, jobs.due_routines, jobs.fire_routine
  to worker;

grant usage on schema runner to runner;
grant execute on function
  runner.beat, runner.leave, runner.claim, runner.renew, runner.recall, runner.step, runner.finish, runner.fail,
  runner.block, runner.propose_memory, runner.ask_approval, runner.start_run, runner.priced_models
  to runner;

grant usage on schema operator, caller to operator;
grant execute on function caller.organisation_id to operator; -- the policies behind its views ask, and are told null
grant select on all tables in schema operator to operator;
-- What its views work out; in schemas that it may not enter, so it can call none of these by itself.
grant execute on function
  rows.invitation_state, rows.approval_state, rows.share, rows.host_of, jobs.live_pools, jobs.least_id,
  triggers.kind_of_start, triggers.this_month,
  triggers.live_keys, triggers.live_endpoints, triggers.run_starts, triggers.spent_this_month, triggers.members,
  triggers.open_invitations, triggers.live_routines, triggers.live_hooks
  to operator;
grant execute on function
  operator.mint_key, operator.mint_platform_key, operator.revoke_platform_key, operator.mint_token, operator.revoke_token,
  operator.admit, operator.open_session, operator.close_session,
  operator.set_model_price, operator.withdraw_model, operator.search, operator.found_by_id,
  operator.found_by_address, operator.found_by_name, operator.steps_of, operator.delivery_series, operator.run_series,
  operator.request_series,
  operator.measure
  to operator;
grant execute on function
  operator.set_limit, operator.set_billing, operator.suspend_organisation, operator.lift_suspension,
  operator.revoke_key, operator.mint_organisation_key, operator.resume_endpoint, operator.disable_endpoint,
  operator.recover_deliveries, operator.cancel_run, operator.release_run, operator.answer_card, operator.erase_subject,
  operator.restrict_kind, operator.allow_kind,
  operator.resend_invitation_with, operator.view_as
  to operator; -- each asks for a token of its own

grant usage on schema audit to auditor;
grant select on all tables in schema audit to auditor;
grant execute on all functions in schema audit to auditor;
revoke execute on function audit.as_person from auditor;
-- auditor: what it is told there, and no table.

grant usage on schema extensions, search, caller, rows to searcher;
grant execute on all functions in schema search to searcher;
grant execute on function caller.organisation_id, rows.admits, rows.time to searcher;

grant usage on schema caller to authenticator;
grant execute on function caller.operation, caller.be_nobody, caller.note_use, caller.clock, caller.spend to authenticator;

-- Handed over last: from here on each can do what its owner can, and the rights of owner are not in it.
grant create on schema api to tenant;
alter function api.handle owner to tenant;
revoke create on schema api from tenant;
grant create, usage on schema operator to tenant;
alter function operator.perform owner to tenant;
alter function operator.look owner to tenant;
set local role tenant;
grant execute on function operator.perform, operator.look to owner; -- for operators' acts
reset role;
revoke create, usage on schema operator from tenant;
grant create on schema caller to authenticator;
alter function caller.authenticate owner to authenticator;
revoke create on schema caller from authenticator;
grant create on schema api to authenticator;
alter function api.count_request owner to authenticator;
revoke create on schema api from authenticator;
grant create on schema search to searcher;
alter function search.claims owner to searcher;
revoke create on schema search from searcher;
set local role searcher;
grant execute on function search.claims to owner; -- for runner.recall
reset role;
grant usage, create on schema audit to tenant;
alter function audit.as_person owner to tenant;
set local role tenant;
grant execute on function audit.as_person to owner; -- for audit.exposure
reset role;
revoke usage, create on schema audit from tenant;
