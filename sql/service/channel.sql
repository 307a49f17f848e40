/*
 * NOTIFY channel of run events. Any login may LISTEN and NOTIFY on any channel. The channel's name therefore contains a
 * secret: logins of executors, operators and auditors cannot observe runs or wake their watchers.
 */
create function service.run_events_channel() returns text
language sql stable
security definer set search_path = ''
as $$
  select 'botstead_run_events_' || replace(settings.run_events_secret::text, '-', '') from app.service_settings settings
$$;
comment on function service.run_events_channel is 'Instead of row-level security: reads app.service_settings only, which has no organisation.';
grant execute on function service.run_events_channel to tenant;
