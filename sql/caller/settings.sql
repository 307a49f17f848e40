/*
 * The identity of the caller, as policies read it. Only caller.authenticate sets the settings, which are local to the
 * transaction; afterwards they are '' and not null, hence nullif. Policies call these functions inside a sub-select, so
 * that they run once per statement and not once per row.
 */
create function caller.organisation_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.organisation_id', true), '')::uuid $$;
grant execute on function caller.organisation_id to tenant, searcher, operator;

create function caller.person_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.person_id', true), '')::uuid $$;
grant execute on function caller.person_id to tenant;

create function caller.key_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.key_id', true), '')::uuid $$;
grant execute on function caller.key_id to tenant;

create function caller.scope() returns app.key_scope
language sql stable parallel safe
as $$ select nullif(current_setting('caller.scope', true), '')::app.key_scope $$;
grant execute on function caller.scope to tenant;

create function caller.role() returns app.member_role
language sql stable parallel safe
as $$ select nullif(current_setting('caller.role', true), '')::app.member_role $$;
grant execute on function caller.role to tenant;

create function caller.platform_key_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.platform_key_id', true), '')::uuid $$;
grant execute on function caller.platform_key_id to tenant;

create function caller.invitation_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.invitation_id', true), '')::uuid $$;
grant execute on function caller.invitation_id to tenant;

create function caller.approval_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.approval_id', true), '')::uuid $$;
grant execute on function caller.approval_id to tenant;

create function caller.hook_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.hook_id', true), '')::uuid $$;
grant execute on function caller.hook_id to tenant;

-- The name of the operator, for operator actions. (sql/operator/action_log.sql)
create function caller.operator() returns text
language sql stable parallel safe
as $$ select nullif(current_setting('caller.operator', true), '') $$;
grant execute on function caller.operator to tenant;

create function caller.request_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('caller.request_id', true), '')::uuid $$;
grant execute on function caller.request_id to tenant;

create function caller.clear_identity() returns void
language sql
set search_path = ''
as $$
  select set_config('caller.' || setting, '', true)
  from unnest(array[
    'organisation_id', 'person_id', 'key_id', 'scope', 'role', 'platform_key_id', 'invitation_id', 'approval_id', 'hook_id'
  ]) setting
$$;
comment on function caller.clear_identity is 'Clears the identity, also settings that the session made itself.';
grant execute on function caller.clear_identity to tenant, authenticator;
