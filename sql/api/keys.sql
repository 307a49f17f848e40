/*
 * Keys. Node creates the key; the database gets its digest and its first 12 characters. (docs/specification/keys.md)
 */
create function api.list_keys(input jsonb) returns text
language sql stable
as $$
  select rows.page(array_agg(row_to_json(key) order by key.id desc), input)
  from rows.api_keys key
  where key.id = any (api_private.keys_in_state(input ->> 'state', rows.before(input), (input ->> 'limit')::integer + 1))
$$;
grant execute on function api.list_keys to tenant;

create function api.create_key(input jsonb) returns text
language plpgsql
as $$
declare
  created uuid;
begin
  insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at, allowed_ips, rate_per_minute)
  values (
    caller.organisation_id(),
    input ->> 'name',
    input ->> 'prefix',
    decode(input ->> 'digest', 'hex'),
    (input ->> 'scope')::app.key_scope,
    caller.person_id(),
    now() + make_interval(days => (input ->> 'expiresInDays')::integer),
    api_private.within_own_ips(api_private.allowed_ips(input), 'body.allowedIps'),
    (input ->> 'ratePerMinute')::integer
  )
  returning id into created;
  return api.get_key(jsonb_build_object('id', created));
end
$$;
grant execute on function api.create_key to tenant;

-- Also changes a key that has ended, which does not make it work again.
create function api.update_key(input jsonb) returns text
language plpgsql
as $$
begin
  update app.api_keys
  set
    name = coalesce(input ->> 'name', name),
    allowed_ips = case
      when input ? 'allowedIps' then api_private.within_own_ips(api_private.allowed_ips(input), 'body.allowedIps')
      else allowed_ips
    end,
    rate_per_minute = case when input ? 'ratePerMinute' then (input ->> 'ratePerMinute')::integer else rate_per_minute end
  where id = (input ->> 'id')::uuid;
  perform errors.require_row(found);
  return api.get_key(input);
end
$$;
grant execute on function api.update_key to tenant;

-- Revoking twice changes nothing: revoked_at stays.
create function api.revoke_key(input jsonb) returns text
language plpgsql
as $$
begin
  update app.api_keys set revoked_at = now() where id = (input ->> 'id')::uuid and revoked_at is null;
  perform errors.require_row(found or not exists (
    select from app.api_keys key where key.id = (input ->> 'id')::uuid and key.revoked_at is null
  ), 'forbidden');
  return api.get_key(input);
end
$$;
grant execute on function api.revoke_key to tenant;

-- The new key has the scope, the lifetime and the restrictions of the old one and is bound to the caller. The old key expires after the
-- overlap, never later than before. A key is rotated once: a client that lost the response repeats the Idempotency-Key.
-- The organisation is locked before the key, as in a suspension (triggers/organisations.sql).
create function api.rotate_key(input jsonb) returns text
language plpgsql
as $$
declare
  old app.api_keys;
  created uuid;
begin
  perform api_private.lock_organisation();
  select key.id, key.name, key.scope, key.created_at, key.expires_at, key.revoked_at, key.rotated_at, key.allowed_ips, key.rate_per_minute
  into old.id, old.name, old.scope, old.created_at, old.expires_at, old.revoked_at, old.rotated_at, old.allowed_ips, old.rate_per_minute
  from app.api_keys key
  where key.id = (input ->> 'id')::uuid
  for no key update;
  perform errors.require_row(old.id is not null);
  if old.revoked_at is not null or old.rotated_at is not null or old.expires_at <= now() then
    perform errors.refuse('conflict', reason => case
      when old.revoked_at is not null then 'key_revoked'
      when old.rotated_at is not null then 'key_rotated'
      else 'key_expired'
    end);
  end if;
  update app.api_keys
  set
    -- Truncated to the stored millisecond: rounded up, a key without overlap would remain valid for half of one.
    expires_at = least(
      expires_at, date_trunc('milliseconds', now()) + make_interval(hours => (input ->> 'overlapHours')::integer)
    ),
    rotated_at = now()
  where id = old.id;
  insert into app.api_keys (organisation_id, name, prefix, digest, scope, created_by, expires_at, allowed_ips, rate_per_minute)
  values (
    caller.organisation_id(), old.name, input ->> 'prefix', decode(input ->> 'digest', 'hex'), old.scope,
    caller.person_id(), now() + (old.expires_at - old.created_at), api_private.within_own_ips(old.allowed_ips, 'path.id'), old.rate_per_minute
  )
  returning id into created;
  perform api_private.follow_rotation(old.id, created);
  return api.get_key(jsonb_build_object('id', created));
end
$$;
grant execute on function api.rotate_key to tenant;

-- Days without requests are missing. Older days than 90 may still wait for their deletion.
create function api.get_key_usage(input jsonb) returns text
language plpgsql stable
as $$
begin
  perform api.get_key(input);
  return (
    select row_to_json(usage)::text
    from (
      select
        (input ->> 'id')::uuid as "keyId",
        array_to_json(array(
          select row_to_json(used)
          from (
            select counted.day, counted.requests, counted.refusals
            from app.api_key_days counted
            where counted.organisation_id = caller.organisation_id() and counted.key_id = (input ->> 'id')::uuid
              and counted.day > (now() at time zone 'UTC')::date - 90
            order by counted.day desc
          ) used
        )) as days
    ) usage
  );
end
$$;
grant execute on function api.get_key_usage to tenant;
