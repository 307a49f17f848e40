/* Privileges on schemas and functions. Privileges on tables are in policies/, at the end of each file. */
grant usage on schema api to server;
grant execute on function api.handle, api.count_request to server;
grant execute on procedure api.handle_counted to server;
-- server: only the entry point of the API, without and with request counting. No table, no view.

grant usage on schema caller, search, rows, triggers, jobs, api to tenant;
grant execute on all functions in schema api, rows to tenant;
grant select on all tables in schema rows to tenant;
grant execute on all functions in schema caller to tenant;
grant execute on function search.spelled, search.configuration, search.memories, search.parts to tenant;
revoke execute on function api.count_request from tenant;
revoke execute on function
  caller.consume, caller.consume_one, caller.clock, caller.is_of, caller.note_use, caller.erase_responses, caller.erase_proposals, caller.without, caller.answer
  from tenant;
grant execute on function
  triggers.live_keys, triggers.live_endpoints, triggers.run_starts, triggers.spent_this_month,
  triggers.members, triggers.open_invitations, triggers.invitations_mailed, triggers.invitations_to_one_address,
  triggers.live_routines, triggers.live_hooks
  to tenant;
grant execute on function jobs.payload, jobs.readiness, jobs.run_events_channel, jobs.count_requests, jobs.least_id, jobs.day_partition, jobs.clock to tenant;

grant usage on schema jobs to worker;
grant execute on function
  jobs.lease_deliveries, jobs.run_maintenance, jobs.lease_mail, jobs.link_approval, jobs.record_mail, jobs.truncate_day, jobs.delete_old_request_minutes, jobs.traceparent,
  jobs.register_worker_pool, jobs.end_overlong_sessions, jobs.rebuild_search_vectors, jobs.cancel_runs_of_bots, jobs.delete_memories_of_bots, jobs.fail_runs_of_withdrawn_models, jobs.make_partitions(), jobs.drop_partition, jobs.due_routines, jobs.fire_routine
  to worker;

grant usage on schema runner to executor;
grant execute on function
  runner.heartbeat, runner.deregister, runner.lease_run, runner.renew, runner.search_memories, runner.step, runner.finish, runner.fail,
  runner.block, runner.propose_memory, runner.ask_approval, runner.start_run, runner.priced_models
  to executor;

grant usage on schema operator, caller to operator;
grant execute on function caller.organisation_id to operator; -- called by policies of its views; returns null
grant select on all tables in schema operator to operator;
-- Called by its views; in schemas that it may not enter, so it cannot call them itself.
grant execute on function
  rows.invitation_state, rows.approval_state, rows.share, rows.host_of, jobs.live_worker_pools, jobs.least_id,
  triggers.kind_of_start, triggers.this_month,
  triggers.live_keys, triggers.live_endpoints, triggers.run_starts, triggers.spent_this_month, triggers.members,
  triggers.open_invitations, triggers.invitations_mailed, triggers.invitations_to_one_address, triggers.live_routines,
  triggers.live_hooks
  to operator;
grant execute on function
  operator.admit, operator.open_session, operator.close_session, operator.search, operator.search_by_id,
  operator.search_by_address, operator.search_by_name, operator.steps_of, operator.delivery_series, operator.run_series,
  operator.request_series,
  operator.measure
  to operator;
grant execute on function
  operator.set_limit, operator.set_billing, operator.suspend_organisation, operator.lift_suspension,
  operator.revoke_key, operator.mint_organisation_key, operator.resume_endpoint, operator.disable_endpoint,
  operator.recover_deliveries, operator.cancel_run, operator.release_run, operator.answer_approval, operator.erase_subject,
  operator.restrict_kind, operator.allow_kind,
  operator.resend_invitation_with, operator.view_as
  to operator; -- each requires an operator's token
-- operator, the console's login: without a token of scope act it cannot create credentials or set prices.

grant usage on schema operator to cli;
grant select on operator.platform_keys, operator.tokens, operator.model_prices to cli;
grant execute on function
  operator.mint_key, operator.mint_platform_key, operator.revoke_platform_key, operator.mint_token, operator.revoke_token,
  operator.set_model_price, operator.withdraw_model, operator.note_executor
  to cli;
-- cli, the command line's login: no view of organisations and no operator action of the console.

grant usage on schema audit to auditor;
grant select on all tables in schema audit to auditor;
grant execute on all functions in schema audit to auditor;
revoke execute on function audit.as_person from auditor;
-- auditor: these views and functions, and no table.

grant usage on schema extensions, search, caller, rows to searcher;
grant execute on all functions in schema search to searcher;
grant execute on function caller.organisation_id, rows.admits, rows.time to searcher;

grant usage on schema caller to authenticator;
grant execute on function caller.operation, caller.clear_identity, caller.note_use, caller.clock, caller.consume to authenticator;

-- Changes of ownership come last: these functions run with the rights of a role that is subject to RLS, not of owner.
grant create on schema api to tenant;
alter function api.handle owner to tenant;
revoke create on schema api from tenant;
grant create, usage on schema operator to tenant;
alter function operator.perform owner to tenant;
alter function operator.look owner to tenant;
set local role tenant;
grant execute on function operator.perform, operator.look to owner; -- for operator actions
reset role;
revoke create, usage on schema operator from tenant;
grant create on schema caller to authenticator;
alter function caller.authenticate owner to authenticator;
revoke create on schema caller from authenticator;
grant create on schema api to authenticator;
alter function api.count_request owner to authenticator;
revoke create on schema api from authenticator;
grant create on schema search to searcher;
alter function search.memories owner to searcher;
revoke create on schema search from searcher;
set local role searcher;
grant execute on function search.memories to owner; -- for runner.search_memories
reset role;
grant usage, create on schema audit to tenant;
alter function audit.as_person owner to tenant;
set local role tenant;
grant execute on function audit.as_person to owner; -- for audit.exposure
reset role;
revoke usage, create on schema audit from tenant;
