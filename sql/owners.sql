/*
 * Functions that run as a role which is subject to the policies of callers, in place of owner. They are handed over last:
 * owner cannot comment on them or grant them afterwards.
 */
grant create on schema api, operator, audit to tenant;
grant usage on schema operator, audit to tenant;
grant create on schema caller, api to authenticator;
grant create on schema search to searcher;

alter function api.handle owner to tenant;
alter function api.readiness owner to tenant;
alter function api.signing_keys owner to tenant;
alter function api.run_events_channel owner to tenant;
alter function api.organisation_of owner to tenant;
alter function api.deleted_organisations owner to tenant;
alter function api.count_request_minutes owner to tenant;
alter function api.count_key_days owner to tenant;
alter function api.count_refused_credentials owner to tenant;
alter function operator.perform owner to tenant;
alter function audit.as_person owner to tenant;
alter function caller.authenticate owner to authenticator;
alter function api.count_request owner to authenticator;
alter function api.count_requests owner to authenticator;
alter function search.memories owner to searcher;
alter function search.deliveries owner to searcher;
alter function search.pending_deliveries owner to searcher;

set local role tenant;
grant execute on function operator.perform to owner; -- for operator actions
grant execute on function audit.as_person to owner; -- for audit.exposure
set local role searcher;
grant execute on function search.memories to owner; -- for runner.search_memories
reset role;

revoke create on schema api, operator, audit from tenant;
revoke usage on schema operator, audit from tenant;
revoke create on schema caller, api from authenticator;
revoke create on schema search from searcher;
