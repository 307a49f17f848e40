/*
 * Keys that sign deliveries. A worker reads them every 10 seconds, and creates a current one if there is none: at its first
 * start, and after a rotation. (docs/decisions/0024-deliveries.md)
 */
create function jobs.signing_keys() returns table (private_key_sealed bytea, is_current boolean)
language sql volatile
security definer set search_path = ''
as $$
  delete from app.signing_keys key where key.published_until <= now();
  select key.private_key_sealed, key.signs_until is null
  from app.signing_keys key
  where key.signs_until is null or key.signs_until > now()
  order by key.id desc
$$;
comment on function jobs.signing_keys is 'Instead of row-level security: only worker may execute it. Keys of the installation, which belong to no organisation. The keys that sign, newest first. Deletes keys that are no longer published.';
grant execute on function jobs.signing_keys to worker;

create function jobs.add_signing_key(public_key bytea, private_key_sealed bytea) returns void
language sql
security definer set search_path = ''
as $$
  insert into app.signing_keys (public_key, private_key_sealed) values (public_key, private_key_sealed) on conflict do nothing
$$;
comment on function jobs.add_signing_key is 'Instead of row-level security: only worker may execute it. Keys of the installation, which belong to no organisation. Adds the current key, unless another worker did.';
grant execute on function jobs.add_signing_key to worker;
