-- A statement for each state, so that each reads its index. Live keys are few, because a limit counts them: they are found
-- by their expiry and then sorted.
create function api_private.keys_in_state(wanted text, before uuid, size integer) returns uuid[]
language plpgsql stable
as $$
declare
  organisation constant uuid := caller.organisation_id();
begin
  return case wanted
    when 'live' then array(
      select live.id
      from (
        select key.id from app.api_keys key
        where key.organisation_id = organisation and key.revoked_at is null and key.expires_at > now()
        offset 0
      ) live
      where live.id < before
      order by live.id desc
      limit size
    )
    when 'expired' then array(
      select key.id from app.api_keys key
      where key.organisation_id = organisation and key.revoked_at is null and key.expires_at <= now() and key.id < before
      order by key.id desc
      limit size
    )
    when 'revoked' then array(
      select key.id from app.api_keys key
      where key.organisation_id = organisation and key.revoked_at is not null and key.id < before
      order by key.id desc
      limit size
    )
    else array(
      select key.id from app.api_keys key
      where key.organisation_id = organisation and key.id < before
      order by key.id desc
      limit size
    )
  end;
end
$$;
comment on function api_private.keys_in_state is 'The ids of a page of keys that are live, expired or revoked, or of all for null.';
grant execute on function api_private.keys_in_state to tenant;

create function api_private.allowed_ips(input jsonb) returns cidr[]
language plpgsql immutable
as $$
declare
  given constant text[] := api_private.texts(nullif(input -> 'allowedIps', 'null'));
begin
  -- Also cidr itself accepts 10/8. No IPv4-mapped block: such an address is compared as the IPv4 address.
  if (
    select bool_and(
      range ~ '^([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)/[0-9]+$'
      and case when pg_input_is_valid(range, 'cidr') then not range::cidr <<= '::ffff:0:0/96' end
    ) is not true
    from unnest(given) range
    having count(*) > 0
  ) then
    perform errors.refuse(
      'invalid_request',
      '[{"path": "body.allowedIps", "message": "must hold addresses or blocks of addresses, such as 192.0.2.0/24"}]'
    );
  end if;
  return given;
end
$$;
comment on function api_private.allowed_ips is 'The addresses of a request that a key allows; null for any.';
grant execute on function api_private.allowed_ips to tenant;

-- A key that is limited to addresses would otherwise mint one that is not, and so lift its own limit; so would a portal session
-- that such a key made.
create function api_private.within_own_ips(wanted cidr[], path text) returns cidr[]
language plpgsql stable
as $$
declare
  own cidr[];
begin
  select key.allowed_ips into own
  from app.api_keys key
  where key.id = coalesce(
    caller.key_id(), (select session.key_id from app.portal_sessions session where session.id = caller.portal_session_id())
  );
  if own is null then
    return wanted;
  end if;
  if exists (select from unnest(wanted) range where not range <<= any (own)) then
    perform errors.refuse('invalid_request', json_build_array(json_build_object(
      'path', path, 'message', 'must lie within the addresses that your own key allows'
    )));
  end if;
  return coalesce(wanted, own);
end
$$;
comment on function api_private.within_own_ips is 'The addresses that a key may allow which the caller creates or changes: the addresses of the caller''s own key, or of the key that made the caller''s portal session, for null. Refuses wider ones.';
grant execute on function api_private.within_own_ips to tenant;
