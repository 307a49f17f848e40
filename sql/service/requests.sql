/*
 * Requests per minute, and per key and day. The API's processes count them and add them here every few seconds
 * (src/api/limits/usage.ts). Several processes add to one row, so each writes its rows in the same order: no
 * deadlock.
 */
create function service.count_requests(counts jsonb) returns json
language sql
security definer set search_path = ''
as $$
  insert into app.request_minutes (organisation_id, minute, answered, refused, limited, failed)
  select coalesce(given."organisationId", '00000000-0000-0000-0000-000000000000'), given.minute,
    given.answered, given.refused, given.limited, given.failed
  from jsonb_to_recordset(counts) as given (
    "organisationId" uuid, minute timestamptz, answered bigint, refused bigint, limited bigint, failed bigint
  )
  -- An organisation that has moved to another cluster meanwhile leaves no row here.
  where given."organisationId" is null
    or exists (select from app.organisations organisation where organisation.id = given."organisationId")
  order by 1, 2
  on conflict (organisation_id, minute) do update set
    answered = request_minutes.answered + excluded.answered,
    refused = request_minutes.refused + excluded.refused,
    limited = request_minutes.limited + excluded.limited,
    failed = request_minutes.failed + excluded.failed;
  select json_build_object('counted', jsonb_array_length(counts));
$$;
comment on function service.count_requests is 'Instead of row-level security: adds to app.request_minutes and returns no row. counts: an array with one object per organisation and minute.';
grant execute on function service.count_requests to tenant;

create function service.count_key_days(counts jsonb) returns json
language sql
security definer set search_path = ''
as $$
  insert into app.api_key_days (organisation_id, key_id, day, requests, refusals)
  select key.organisation_id, key.id, given.day, given.requests, given.refusals
  from jsonb_to_recordset(counts) as given ("organisationId" uuid, "keyId" uuid, day date, requests bigint, refusals bigint)
  join app.api_keys key on key.organisation_id = given."organisationId" and key.id = given."keyId"
  order by 1, 2, 3
  on conflict (organisation_id, key_id, day) do update set
    requests = api_key_days.requests + excluded.requests,
    refusals = api_key_days.refusals + excluded.refusals;
  select json_build_object('counted', jsonb_array_length(counts));
$$;
comment on function service.count_key_days is 'Instead of row-level security: adds to app.api_key_days and returns no row. counts: an array with one object per key and day.';
grant execute on function service.count_key_days to tenant;
