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
language sql immutable
as $$
  select array_agg(range::cidr order by place)
  from jsonb_array_elements_text(nullif(input -> 'allowedIps', 'null')) with ordinality listed (range, place)
$$;
comment on function api_private.allowed_ips is 'The addresses of a request that a key allows; null for any.';
grant execute on function api_private.allowed_ips to tenant;
