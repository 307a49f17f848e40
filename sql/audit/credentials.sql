/* Every credential, with its state and who minted it, and what persons and operators did. Without names and content. */
create view audit.mints as
select entry.resource_id as credential_id, entry.created_at,
  coalesce(entry.actor || ' ' || coalesce(key.prefix, entry.operator, entry.key_id::text), entry.actor::text) as minted_by,
  entry.person_id, entry.reason
from app.audit_log entry
left join app.api_keys key on key.organisation_id = entry.organisation_id and key.id = entry.key_id
where entry.action = 'created' and entry.resource in ('key', 'invitation', 'approval', 'hook', 'portal_session')
  -- A command has a row of its own below.
  and not exists (
    select from app.operator_actions action
    where action.organisation_id = entry.organisation_id and action.subject_id = entry.resource_id
      and starts_with(action.action, 'mint_')
  )
union all
select action.subject_id, action.created_at, 'operator ' || action.operator, null, action.reason
from app.operator_actions action
where starts_with(action.action, 'mint_')
union all
select command.subject_id, command.created_at, 'operator ' || command.operator, null, command.reason
from app.operator_commands command
where starts_with(command.action, 'mint_') and command.subject_id is not null;
comment on view audit.mints is 'The minter of each credential, by the audit log and the operators'' log. Entries go with the retention of the audit log.';
grant select on audit.mints to auditor;

create view audit.minted_credentials as
with credentials (kind, id, prefix, organisation_id, person_id, scope, created_at, expires_at, last_used_at, ended) as (
  select 'key', known.id, known.prefix, known.organisation_id, known.person_id, known.scope::text, key.created_at,
    key.expires_at, use.last_used_at, nullif(known.state, 'live')
  from audit.held_keys known
  join app.api_keys key on key.organisation_id = known.organisation_id and key.id = known.id
  left join app.api_key_uses use on use.organisation_id = known.organisation_id and use.key_id = known.id
  union all
  select 'platform key', key.id, key.prefix, null, null, 'organisations', key.created_at, key.expires_at, null,
    case when key.revoked_at is not null then 'revoked' end
  from app.platform_keys key
  union all
  select 'operator token', token.id, token.name, null, null, token.scope::text, token.created_at, token.expires_at,
    token.last_used_at, case when token.revoked_at is not null then 'revoked' end
  from app.operator_tokens token
  union all
  select session.kind, session.id, session.opened_by, session.organisation_id, session.person_id,
    case when session.read_only then 'read as ' else 'act as ' end || session.role, stored.created_at, stored.expires_at,
    stored.opened_at, nullif(session.state, 'live')
  from audit.held_sessions session
  join app.portal_sessions stored on stored.organisation_id = session.organisation_id and stored.id = session.id
  union all
  select 'authorization code', code.id, null, code.organisation_id, session.person_id, 'become a key of scope ' || code.scope, code.created_at,
    code.expires_at, null, case when code.key_id is not null then 'used' end
  from app.authorization_codes code
  join app.portal_sessions session on session.organisation_id = code.organisation_id and session.id = code.portal_session_id
  union all
  select 'invitation link', invitation.id, null, invitation.organisation_id, null, 'become ' || invitation.role,
    invitation.created_at, invitation.expires_at, null,
    case when invitation.revoked_at is not null then 'revoked' when invitation.accepted_at is not null then 'accepted' end
  from app.invitations invitation
  union all
  select 'approval link', approval.id, null, approval.organisation_id, approval.person_id, 'answer it', approval.created_at,
    approval.expires_at, null, case when approval.state <> 'pending' then approval.state::text end
  from app.approvals approval
  where approval.token_digest is not null
  union all
  select 'hook', hook.id, null, hook.organisation_id, hook.created_by, 'start runs', hook.created_at, null,
    hook.last_received_at, case when hook.deleted_at is not null then 'deleted' when hook.state = 'paused' then 'paused' end
  from app.hooks hook
  union all
  select 'database login', null, login.rolname, null, null,
    case when starts_with(ours.name, 'executor_') then 'leases and finishes runs, only through runner.*'
      else coalesce(role.purpose, case when login.rolsuper then 'everything: a superuser' else 'what its grants allow: not a role of Botstead' end)
    end, null,
    nullif(login.rolvaliduntil, 'infinity'), null, case when not login.rolcanlogin then 'cannot log in' end
  from pg_catalog.pg_roles login
  left join audit.our_roles ours on ours.oid = login.oid and ours.logs_in
  left join audit.roles role on role.name = ours.name
  where ours.oid is not null and ours.minted_in is null or login.rolcanlogin and has_database_privilege(login.oid, current_database(), 'connect')
)
select credentials.kind, credentials.id, credentials.prefix, credentials.organisation_id, credentials.person_id,
  credentials.scope,
  coalesce(credentials.ended, case when credentials.expires_at <= now() then 'expired' else 'live' end) as state,
  coalesce(credentials.created_at, login.created_at) as created_at, credentials.expires_at, credentials.last_used_at,
  coalesce(mint.minted_by, login.minted_by) as minted_by, coalesce(mint.reason, login.reason) as reason
from credentials
left join lateral (
  select mints.minted_by, mints.reason from audit.mints
  where mints.credential_id = credentials.id
  order by mints.created_at limit 1
) mint on true
left join lateral ( -- a login has no id, and its name can be minted again
  select command.created_at, 'operator ' || command.operator as minted_by, command.reason
  from (
    select latest.* from app.operator_commands latest
    where credentials.kind = 'database login' and latest.action in ('mint_executor', 'revoke_executor')
      and latest.arguments ->> 'name' = substr(credentials.prefix, length('executor_') + 1)
    order by latest.id desc limit 1
  ) command
  where command.action = 'mint_executor'
) login on true;
comment on view audit.minted_credentials is 'Every credential with its state and its mint.';
grant select on audit.minted_credentials to auditor;

create function audit.credentials() returns setof audit.minted_credentials
language sql stable
security definer
set search_path = ''
as $$ select * from audit.minted_credentials $$;
comment on function audit.credentials is 'Instead of row-level security: only auditor may execute it. The auditor sees no secret and no digest. Every credential: its state, its scope or what it allows, and who minted it and why. prefix is the visible part of a key, and the name of an operator''s token or of a login.';
grant execute on function audit.credentials to auditor;

create function audit.operator_log(since timestamptz default '-infinity')
returns table (created_at timestamptz, operator text, action text, organisation_id uuid, subject_id uuid, reason text)
language sql stable
security definer
set search_path = ''
as $$
  select action.created_at, action.operator, action.action, action.organisation_id, action.subject_id, action.reason
  from app.operator_actions action
  where action.created_at >= coalesce(since, '-infinity')
  union all
  select command.created_at, command.operator, command.action, null, command.subject_id, command.reason
  from app.operator_commands command
  where command.created_at >= coalesce(since, '-infinity')
  order by created_at
$$;
comment on function audit.operator_log is 'Instead of row-level security: only auditor may execute it. Operator actions with their reasons, in the console and on the command line.';
grant execute on function audit.operator_log to auditor;

create function audit.activity(person uuid, since timestamptz default now() - interval '7 days')
returns table (
  created_at timestamptz, organisation_id uuid, actor text, credential_id uuid, action text, resource text,
  resource_id uuid, changed text[], request_id uuid
)
language sql stable
security definer
set search_path = ''
as $$
  select entry.created_at, entry.organisation_id, entry.actor::text, entry.key_id, entry.action::text, entry.resource,
    entry.resource_id, entry.changed, entry.request_id
  from app.audit_log entry
  where entry.id >= times.least_id(greatest(since, 'epoch')) -- null: all
    and entry.person_id = (select activity.person where audit.require_subject(activity.person, null, 'audit.activity(person, since)'))
  order by entry.id
$$;
comment on function audit.activity is 'Instead of row-level security: only auditor may execute it. The auditor sees which rows a person changed, and no content of them. Reads leave no entry.';
grant execute on function audit.activity to auditor;
