/*
 * Retention of events and deliveries, and of what refers to them.
 */
create function service.kept_since() returns timestamptz
language sql stable
security definer set search_path = ''
as $$
  select now() - settings.delivery_retention from app.service_settings settings
$$;
comment on function service.kept_since is 'Instead of row-level security: reads app.service_settings only, which has no organisation. The time since which all events and deliveries are kept.';
grant execute on function service.kept_since to tenant;
