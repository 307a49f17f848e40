/*
 * The identity of the caller, as policies read it. Only caller.authenticate sets the settings, which are local to the
 * transaction; afterwards they are '' and not null, hence nullif. Policies call these functions inside a sub-select, so
 * that they run once per statement and not once per row.
 */
do $$
declare
  setting record;
begin
  for setting in
    select * from (
      values
        ('organisation_id', 'uuid', 'tenant, searcher, operator, auditor'), ('person_id', 'uuid', 'tenant'),
        ('scope', 'app.key_scope', 'tenant'), ('role', 'app.member_role', 'tenant'), ('request_id', 'uuid', 'tenant'),
        ('operator', 'text', 'tenant') -- the name of the operator, for operator actions (sql/operator/action_log.sql)
    ) identity (name, type, readers)
  loop
    execute format(
      $function$
        create function caller.%1$I() returns %2$s
        language sql stable parallel safe
        as $body$ select nullif(current_setting('caller.%1$s', true), '')::%2$s $body$;
        grant execute on function caller.%1$I to %3$s;
      $function$,
      setting.name, setting.type, setting.readers
    );
  end loop;
end
$$;

-- The class of the credential, as the audit log names its actor, and its id. One setting for all classes, so that a call
-- leaves none of another class to the next call of its transaction.
create function caller.credential() returns text
language sql stable parallel safe
as $$ select current_setting('caller.credential', true) $$;
grant execute on function caller.credential to tenant;

create function caller.credential_id(class text) returns uuid
language sql stable parallel safe
as $$
  select case when starts_with(caller.credential(), class || ' ') then split_part(caller.credential(), ' ', 2)::uuid end
$$;
comment on function caller.credential_id is 'The id of the credential if it has this class.';
grant execute on function caller.credential_id to tenant;

do $$
declare
  class text;
begin
  foreach class in array array['key', 'platform_key', 'portal_link', 'portal_session', 'authorization_code', 'invitation', 'approval', 'hook'] loop
    execute format(
      $function$
        create function caller.%1$I() returns uuid
        language sql stable parallel safe
        as $body$ select caller.credential_id(%2$L) $body$;
        grant execute on function caller.%1$I to tenant;
      $function$,
      class || '_id', class
    );
  end loop;
end
$$;

create function caller.is_for_another() returns boolean
language sql stable parallel safe
as $$ select coalesce(caller.credential() like '% for_another', false) $$;
comment on function caller.is_for_another is 'Whether the caller is a portal session that another person opened.';
grant execute on function caller.is_for_another to tenant;

create function caller.private_person_id() returns uuid
language sql stable parallel safe
as $$ select case when not caller.is_for_another() then caller.person_id() end $$;
comment on function caller.private_person_id is 'The person whose private rows the caller sees: member memories, personal bots, conversations, approvals. Null in a portal session that another person opened.';
grant execute on function caller.private_person_id to tenant;

create function caller.caller_id() returns uuid
language sql stable parallel safe
as $$ select coalesce(caller.key_id(), caller.platform_key_id(), caller.portal_session_id()) $$;
comment on function caller.caller_id is 'The id of the key or portal session, whose idempotent responses are its own.';
grant execute on function caller.caller_id to tenant;

create function caller.clear_identity() returns void
language sql
as $$
  select set_config('caller.' || setting, '', true)
  from unnest(array['organisation_id', 'person_id', 'credential', 'scope', 'role']) setting
$$;
comment on function caller.clear_identity is 'Clears the identity, also settings that the session made itself.';
grant execute on function caller.clear_identity to tenant, authenticator;
