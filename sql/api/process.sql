/*
 * What a process of the API asks for itself, without a credential. (src/api/own-calls.ts) The login of the API executes
 * these functions, so they return nothing of an organisation, except the id of the organisation of a credential,
 * and ids of deleted organisations.
 */
create function api.readiness() returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  -- What a call does: it looks a credential up, and gets a transaction id, which takes a lock.
  perform caller.authenticate('\x', 'get_me');
  perform pg_current_xact_id();
  return service.readiness();
end
$$;
comment on function api.readiness is 'Instead of row-level security: runs as tenant, to which every policy applies. Tries what a call does, and returns service.readiness.';
grant execute on function api.readiness to server;

create function api.signing_keys() returns json
language sql stable
security definer set search_path = ''
as $$
  select service.signing_keys()
$$;
comment on function api.signing_keys is 'Instead of row-level security: runs as tenant, to which every policy applies. Public keys of deliveries.';
grant execute on function api.signing_keys to server;

create function api.run_events_channel() returns text
language sql stable
security definer set search_path = ''
as $$
  select service.run_events_channel()
$$;
comment on function api.run_events_channel is 'Instead of row-level security: runs as tenant, to which every policy applies. The channel that notifies of events of runs.';
grant execute on function api.run_events_channel to server;

create function api.organisation_of(credential bytea) returns json
language sql stable
security definer set search_path = ''
as $$
  select service.organisation_of(credential)
$$;
comment on function api.organisation_of is 'Instead of row-level security: runs as tenant, to which every policy applies. Where the organisation of a credential is, for an API that serves several cells.';
grant execute on function api.organisation_of to server;

create function api.deleted_organisations() returns json
language sql stable
security definer set search_path = ''
as $$
  select service.deleted_organisations()
$$;
comment on function api.deleted_organisations is 'Instead of row-level security: runs as tenant, to which every policy applies. Ids of deleted organisations, which a directory forgets.';
grant execute on function api.deleted_organisations to server;

create function api.count_request_minutes(counts jsonb) returns json
language sql
security definer set search_path = ''
as $$
  select service.count_requests(counts)
$$;
comment on function api.count_request_minutes is 'Instead of row-level security: runs as tenant, to which every policy applies. Adds requests per minute and organisation.';
grant execute on function api.count_request_minutes to server;

create function api.count_key_days(counts jsonb) returns json
language sql
security definer set search_path = ''
as $$
  select service.count_key_days(counts)
$$;
comment on function api.count_key_days is 'Instead of row-level security: runs as tenant, to which every policy applies. Adds requests per key and day.';
grant execute on function api.count_key_days to server;

create function api.count_refused_credentials(counts jsonb) returns json
language sql
security definer set search_path = ''
as $$
  select service.count_refused_credentials(counts)
$$;
comment on function api.count_refused_credentials is 'Instead of row-level security: runs as tenant, to which every policy applies. Adds refused credentials per hour.';
grant execute on function api.count_refused_credentials to server;
