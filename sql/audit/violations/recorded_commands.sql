/* Rows that an operator's command makes, compared with the operators' log; and rows that no command removes. */
-- A token, a platform key and an acceptance have their last command in the log. Days were added in the session's time zone.
create function audit.uncommanded_rows() returns table (table_name text, row_key text, problem text)
language sql stable
security definer set search_path = ''
as $$
  with live as (
    select 'app.platform_keys' as of_table, key.id, key.expires_at, null as scope, 'mint_platform_key' as mint, 'revoke_platform_key' as revoke
    from app.platform_keys key
    where key.revoked_at is null and key.expires_at > now()
    union all
    select 'app.operator_tokens', token.id, token.expires_at, token.scope::text, 'mint_token', 'revoke_token'
    from app.operator_tokens token
    where token.revoked_at is null and token.expires_at > now()
  ), accepted as (
    select accepted.id, (
      select command.action from app.operator_commands command
      where command.action in ('accept_finding', 'revoke_finding') and command.arguments ->> 'finding' = accepted.finding
      order by command.id desc limit 1
    ) as last
    from app.accepted_findings accepted
    where accepted.revoked_at is null
  )
  select live.of_table, live.id::text, case
      when minted.id is null then 'no command in the operators'' log'
      when exists (select from app.operator_commands command where command.subject_id = live.id and command.action = live.revoke) then 'revoked in the operators'' log'
      when live.scope <> minted.arguments ->> 'scope' then 'another value in the operators'' log: scope'
      when live.expires_at > minted.created_at + make_interval(days => (minted.arguments ->> 'days')::integer) + interval '2 hours'
        then 'another value in the operators'' log: days'
    end
  from live
  left join app.operator_commands minted on minted.subject_id = live.id and minted.action = live.mint
  union all
  select 'app.accepted_findings', accepted.id::text, case accepted.last when 'revoke_finding' then 'revoked' else 'no command' end || ' in the operators'' log'
  from accepted
  where accepted.last is distinct from 'accept_finding'
$$;
comment on function audit.uncommanded_rows is 'Instead of row-level security: only auditor may execute it. Returns ids only. Live rows of operators'' commands, each with what the operators'' log says otherwise, if anything.';
grant execute on function audit.uncommanded_rows to auditor;

create function audit.lost_rows() returns table (table_name text, row_key text, problem text)
language sql stable
security definer set search_path = ''
as $$
  -- Migrations add these rows. An entry records a later removal.
  select 'app.service_settings', '', 'no row, and no entry in the audit log'
  where not exists (select from app.service_settings)
  union all
  select 'app.retry_schedule', attempt::text, 'no row, and no entry in the audit log'
  from generate_series(1, 5) attempt
  where not exists (select from app.retry_schedule schedule where schedule.attempt = attempt.attempt)
    and not exists (
      select from app.audit_log entry
      where entry.organisation_id = '00000000-0000-0000-0000-000000000000' and entry.resource = 'service' and entry.resource_id is null
        and entry.action = 'deleted' and entry.before ->> 'attempt' = attempt.attempt::text
    )
$$;
comment on function audit.lost_rows is 'Instead of row-level security: only auditor may execute it. Returns numbers only. Rows of settings that are gone without an entry in the audit log.';
grant execute on function audit.lost_rows to auditor;

-- A former member had the role once. The first entries of a chain can be gone.
create function audit.memories_of_others() returns table (table_name text, row_key text, problem text)
language sql stable
security definer set search_path = ''
as $$
  select 'app.memories', concat_ws(' ', memory.organisation_id, memory.id), 'no member in the audit log'
  from app.memories memory
  where memory.member_id is not null
    and not exists (
      select from app.memberships member
      where member.organisation_id = memory.organisation_id and member.person_id = memory.member_id
    )
    and not exists (
      select from app.audit_log entry
      where entry.organisation_id = memory.organisation_id and entry.resource = 'member' and entry.resource_id = memory.member_id
    )
    and not exists (
      select from app.audit_truncations truncation
      where truncation.organisation_id = memory.organisation_id and truncation.sequence > 0
    )
  limit 100
$$;
comment on function audit.memories_of_others is 'Instead of row-level security: only auditor may execute it. Returns ids only. Memories of a person who was never a member of their organisation.';
grant execute on function audit.memories_of_others to auditor;
