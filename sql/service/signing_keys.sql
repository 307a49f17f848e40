/*
 * Public keys that verify deliveries, for /.well-known/webhooks.json. (docs/specification/deliveries.md#public-keys)
 */
create function service.signing_keys() returns json
language sql stable
security definer set search_path = ''
as $$
  select coalesce(json_agg(encode(key.public_key, 'base64') order by key.id desc), '[]')
  from app.signing_keys key
  where key.published_until is null or key.published_until > now()
$$;
comment on function service.signing_keys is 'Instead of row-level security: reads app.signing_keys only, which has no organisation.';
grant execute on function service.signing_keys to tenant;
