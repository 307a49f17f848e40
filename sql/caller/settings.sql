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
        ('function caller.organisation_id', 'organisation_id', 'uuid', 'tenant, searcher, operator, auditor'),
        ('function caller.person_id', 'person_id', 'uuid', 'tenant'),
        ('function caller.scope', 'scope', 'app.key_scope', 'tenant'),
        ('function caller.role', 'role', 'app.member_role', 'tenant'),
        ('function caller.request_id', 'request_id', 'uuid', 'tenant'),
        -- The name of the operator, for operator actions (sql/operator/action_log.sql).
        ('function caller.operator', 'operator', 'text', 'tenant')
    ) identity (function, name, type, readers)
  loop
    execute format(
      $function$
        create %1$s() returns %3$s
        language sql stable parallel safe
        as $body$ select nullif(current_setting('caller.%2$s', true), '')::%3$s $body$;
        grant execute on %1$s to %4$s;
      $function$,
      setting.function, setting.name, setting.type, setting.readers
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
  credential record;
begin
  for credential in
    select * from (
      values
        ('function caller.key_id', 'key'),
        ('function caller.platform_key_id', 'platform_key'),
        ('function caller.portal_link_id', 'portal_link'),
        ('function caller.portal_session_id', 'portal_session'),
        ('function caller.authorization_code_id', 'authorization_code'),
        ('function caller.invitation_id', 'invitation'),
        ('function caller.approval_id', 'approval'),
        ('function caller.hook_id', 'hook')
    ) identified (function, class)
  loop
    execute format(
      $function$
        create %1$s() returns uuid
        language sql stable parallel safe
        as $body$ select caller.credential_id(%2$L) $body$;
        grant execute on %1$s to tenant;
      $function$,
      credential.function, credential.class
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
