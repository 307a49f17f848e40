create function api_private.lock_organisation() returns void
language sql
security definer set search_path = ''
as $$
  select from app.organisations organisation where organisation.id = caller.organisation_id() for no key update
$$;
comment on function api_private.lock_organisation is 'Instead of row-level security: locks the caller''s own organisation until the transaction ends.';
grant execute on function api_private.lock_organisation to tenant;
