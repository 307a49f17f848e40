/*
 * Refused credentials per hour. Processes count them and add them here every few seconds (src/web/refused-credentials.ts). What
 * a refused credential is, and why it was refused, is looked up here, once for each of them: a refused request costs no
 * transaction for its record. A digest is compared and not stored. (docs/auditing.md#which-credentials-were-refused)
 */
create function service.find_refused(class text, digest bytea, hook_id uuid, address inet)
returns table (id uuid, reason text)
language sql stable
as $$
  select key.id, case
    when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired'
    when coalesce(member.role < 'admin', true) then 'person is no admin'
    when not coalesce(address <<= any (key.allowed_ips), key.allowed_ips is null) then 'address'
    when key.scope < 'admin' then 'scope'
  end
  from app.api_keys key
  left join app.memberships member on member.organisation_id = key.organisation_id and member.person_id = key.created_by
  where class = 'bsk' and key.digest = find_refused.digest
  union all
  select key.id, case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired' end
  from app.platform_keys key where class = 'bsp' and key.digest = find_refused.digest
  union all
  select token.id, case when token.revoked_at is not null then 'revoked' when token.expires_at <= now() then 'expired' end
  from app.operator_tokens token where class = 'bso' and token.digest = find_refused.digest
  union all
  select session.token_id, 'expired' from app.operator_sessions session where class = 'bss' and session.digest = find_refused.digest
  union all
  select session.id, case
    when session.revoked_at is not null then 'revoked' when session.expires_at <= now() then 'expired'
    when class = 'bsl' and session.opened_at is not null then 'used'
    when class = 'bsl' and session.link_expires_at <= now() then 'expired'
    when class = 'bsx' and not exists (select from caller.portal_session(find_refused.digest)) then 'person is no admin'
  end
  from app.portal_sessions session
  where class = 'bsl' and session.link_digest = find_refused.digest or class = 'bsx' and session.session_digest = find_refused.digest
  union all
  select code.id, case when code.key_id is not null then 'used' when code.expires_at <= now() then 'expired' end
  from app.authorization_codes code where class = 'bsc' and code.digest = find_refused.digest
  union all
  select invitation.id, null from app.invitations invitation where class = 'bsi' and invitation.token_digest = find_refused.digest
  union all
  select approval.id, null from app.approvals approval where class = 'bsa' and approval.token_digest = find_refused.digest
  union all
  select hook.id, case when hook.deleted_at is not null then 'revoked' else 'signature' end from app.hooks hook where hook.id = hook_id
$$;
comment on function service.find_refused is 'The credential with this digest, and why it is refused; null if the row does not tell. For definer functions.';

create function service.presented_credentials(counts jsonb) returns setof app.refused_credentials
language sql stable
as $$
  select date_trunc('hour', given."firstAt", 'UTC'),
    coalesce(network(set_masklen(given.address, case family(given.address) when 6 then 64 else 32 end))::inet, '0.0.0.0/0'),
    coalesce(found.id, '00000000-0000-0000-0000-000000000000'), coalesce(given.prefix, ''),
    case given.class when 'bsk' then 'key' when 'bsp' then 'platform key' when 'bso' then 'operator token'
      when 'bss' then 'operator session' when 'bsl' then 'portal link' when 'bsx' then 'portal session'
      when 'bsc' then 'authorization code' when 'bsi' then 'invitation link' when 'bsa' then 'approval link' when 'hook' then 'hook' else 'other' end,
    case when given.class is null then 'malformed'
      when coalesce(given.digest, given."hookId"::text) is null or given."isLimited" and found.reason = 'signature' then 'not looked up'
      when found.id is null then 'unknown'
      when given."isMisplaced" then coalesce(nullif(nullif(found.reason, 'scope'), 'signature'), 'class')
      else coalesce(found.reason, 'live')
    end,
    sum(given.requests)::bigint, min(given."firstAt"), max(given."lastAt")
  from jsonb_to_recordset(counts) given (
    class text, prefix text, digest text, "hookId" uuid, address inet, "isMisplaced" boolean, "isLimited" boolean,
    requests bigint, "firstAt" timestamptz, "lastAt" timestamptz
  )
  left join lateral service.find_refused(given.class, decode(given.digest, 'hex'), given."hookId", given.address) found on true
  -- The rate limit of its address refused a live credential, which was perhaps not looked up.
  where not given."isLimited" or found.id is null or given."isMisplaced" or coalesce(found.reason, 'scope') <> 'scope'
  group by 1, 2, 3, 4, 5, 6
$$;
comment on function service.presented_credentials is 'The counts of a process as rows of app.refused_credentials. For definer functions.';

/*
 * At most 20 credentials of an address, and 500 rows of an hour; as many again for credentials that exist, so that invented
 * ones cannot hide them. The others are counted together, by kind and reason.
 */
create function service.bounded_refusals(counts jsonb) returns setof app.refused_credentials
language sql stable
as $$
  with presented as materialized (
    select given.*, given.credential_id <> '00000000-0000-0000-0000-000000000000' as is_found, given.prefix = '' as is_bare
    from service.presented_credentials(counts) given
  ), stored as materialized (
    select known.*, known.credential_id <> '00000000-0000-0000-0000-000000000000' as is_found
    from app.refused_credentials known where known.hour in (select presented.hour from presented)
  ), of_address as (
    select stored.hour, stored.address, stored.is_found, count(*) as rows
    from stored where stored.is_found or stored.prefix <> '' group by 1, 2, 3
  ), of_hour as (
    select stored.hour, stored.is_found, count(*) as rows from stored group by 1, 2
  ), placed as (
    select hour, address, credential_id, prefix, kind, reason, presented.requests, presented.first_at, presented.last_at,
      stored.requests is null and (is_found or not is_bare) and coalesce(of_address.rows, 0) + row_number() over (
        partition by hour, address, is_found, stored.requests is null, is_bare and not is_found order by presented.requests desc, prefix, credential_id, reason
      ) > 20 as is_beyond_address,
      stored.requests is null and coalesce(of_hour.rows, 0) + row_number() over (
        partition by hour, is_found, stored.requests is null order by presented.requests desc, address, prefix, credential_id, reason
      ) > 500 as is_beyond_hour
    from presented
    left join stored using (hour, address, credential_id, prefix, kind, reason, is_found)
    left join of_address using (hour, address, is_found)
    left join of_hour using (hour, is_found)
  )
  select hour, case when is_beyond_hour then '0.0.0.0/0' else address end,
    case when is_beyond_address or is_beyond_hour then '00000000-0000-0000-0000-000000000000' else credential_id end,
    case when is_beyond_address or is_beyond_hour then '' else prefix end,
    kind, reason, sum(requests)::bigint, min(first_at), max(last_at)
  from placed
  group by 1, 2, 3, 4, 5, 6
$$;
comment on function service.bounded_refusals is 'The counts of a process, with those beyond the bounds together. For definer functions.';

create function service.count_refused_credentials(counts jsonb) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform service.lock('refused_credentials'); -- the bounds hold for all processes together
  insert into app.refused_credentials as stored (hour, address, credential_id, prefix, kind, reason, requests, first_at, last_at)
  select * from service.bounded_refusals(counts)
  on conflict (hour, address, credential_id, prefix, kind, reason) do update set
    requests = stored.requests + excluded.requests,
    first_at = least(stored.first_at, excluded.first_at),
    last_at = greatest(stored.last_at, excluded.last_at);
  return json_build_object('counted', jsonb_array_length(counts));
end
$$;
comment on function service.count_refused_credentials is 'Instead of row-level security: adds to app.refused_credentials and returns no row. counts: an array with one object per credential and address.';
grant execute on function service.count_refused_credentials to tenant;
