create function api_private.require_platform_key() returns void
language plpgsql stable
as $$
begin
  if caller.platform_key_id() is null then
    perform errors.refuse('unauthenticated');
  end if;
end
$$;
comment on function api_private.require_platform_key is 'Refuses unless this request carries a live platform key.';
grant execute on function api_private.require_platform_key to tenant;
