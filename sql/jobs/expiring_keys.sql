/*
 * The notice before a key expires: an event, if an endpoint subscribes to it, and a mail to owners and admins.
 * A key is looked at once for each expiry. So no worker announces it again, and a key that needs no notice is not read
 * again. (docs/specification/keys.md#notice-of-expiry, docs/decisions/0023-outbound-requests-and-mail.md)
 */
create function jobs.announce_expiring_keys(at_most integer default 500) returns integer
language plpgsql
security definer set search_path = ''
as $$
declare
  notice constant interval := (select settings.key_expiry_notice from app.service_settings settings);
  due app.api_keys[];
begin
  with locked as (
    select key.organisation_id, key.id
    from app.api_keys key
    where key.revoked_at is null and key.rotated_at is null and key.suspended_at is null
      and key.announced_expiry is distinct from key.expires_at
      and key.expires_at > now() and key.expires_at <= now() + notice
    order by key.expires_at
    limit at_most
    for no key update skip locked
  ), marked as (
    update app.api_keys key
    set announced_expiry = key.expires_at
    from locked
    where key.organisation_id = locked.organisation_id and key.id = locked.id
    returning key
  )
  select array_agg(marked.key) into due from marked;
  perform jobs.announce_expiry(key)
  from unnest(due) key
  where key.expires_at - key.created_at > notice + interval '1 second'; -- both times are rounded
  return coalesce(cardinality(due), 0);
end
$$;
comment on function jobs.announce_expiring_keys is 'Instead of row-level security: only worker may execute it. Live keys of organisations that are not suspended, and returns no row. At most 500 a call; returns how many it looked at.';
grant execute on function jobs.announce_expiring_keys to worker;

create function jobs.announce_expiry(key app.api_keys) returns void
language plpgsql
as $$
begin
  insert into app.events (organisation_id, kind, data)
  select key.organisation_id, 'key.expiring', json_build_object(
    'keyId', key.id, 'scope', key.scope, 'userId', key.created_by, 'expiresAt', rows.time(key.expires_at)
  )
  where triggers.is_subscribed(key.organisation_id, 'key.expiring');
  perform triggers.mail_members(key.organisation_id, 'admin', 'key_expiring', json_build_object(
    'keyId', key.id, 'name', key.name, 'prefix', key.prefix, 'scope', key.scope, 'expiresAt', rows.time(key.expires_at),
    'person', (select coalesce(bound.display_name, bound.email) from app.people bound where bound.id = key.created_by)
  ));
end
$$;
comment on function jobs.announce_expiry is 'Writes the event for subscribers, and a mail for each owner and admin of the key''s organisation.';
