/* Keys that sign deliveries: the list, and the rotation. (docs/deliveries.md#keys-that-sign-deliveries) */
create view operator.signing_keys as
select id, encode(public_key, 'base64') as public_key, created_at, signs_until, published_until from app.signing_keys;
comment on view operator.signing_keys is 'Public keys of deliveries. The current key has no signs_until.';
grant select on operator.signing_keys to cli;

create function operator.rotate_signing_key(overlap_hours integer, reason text) returns timestamptz
language plpgsql
security definer set search_path = ''
as $$
declare
  signing_end constant timestamptz := now() + make_interval(hours => overlap_hours);
  published_end constant timestamptz := signing_end + case when overlap_hours > 0 then interval '1 hour' else interval '0' end;
begin
  if (overlap_hours between 0 and 720) is not true then
    perform errors.refuse('invalid_request');
  end if;
  update app.signing_keys key
  set signs_until = least(key.signs_until, signing_end), published_until = least(key.published_until, published_end);
  if not found then
    return null;
  end if;
  perform operator.note_command('rotate_signing_key', null, jsonb_build_object('overlapHours', overlap_hours), reason);
  return signing_end;
end
$$;
comment on function operator.rotate_signing_key is 'Instead of row-level security: only cli may execute it. Ends all keys after the overlap; a worker creates the next within 10 seconds. Returns when the overlap ends, null if there is no key.';
grant execute on function operator.rotate_signing_key to cli;
