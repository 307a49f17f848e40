/*
 * Requests by the minute, as the processes of the API count them and hand them over every few seconds (src/http/
 * request-minutes.ts). Several processes add to one row; each takes its rows in the same order, so that none waits for
 * another that waits for it.
 */
create function jobs.count_requests(counts jsonb) returns json
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: it adds to counts and shows none. A process of the API says whose requests they were.
  insert into app.request_minutes (organisation_id, minute, answered, refused, limited, failed)
  select coalesce(given."organisationId", '00000000-0000-0000-0000-000000000000'), given.minute,
    given.answered, given.refused, given.limited, given.failed
  from jsonb_to_recordset(counts) as given (
    "organisationId" uuid, minute timestamptz, answered bigint, refused bigint, limited bigint, failed bigint
  )
  order by 1, 2
  on conflict (organisation_id, minute) do update set
    answered = request_minutes.answered + excluded.answered,
    refused = request_minutes.refused + excluded.refused,
    limited = request_minutes.limited + excluded.limited,
    failed = request_minutes.failed + excluded.failed;
  select json_build_object('counted', jsonb_array_length(counts));
$$;
comment on function jobs.count_requests is 'Instead of row-level security: adds to counts and shows none. Counts is an array, an object for each organisation and minute.';

create function jobs.forget_request_minutes(at_most integer default 20000) returns integer
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it removes what has expired, whosever it is, and shows none of it.
declare
  forgotten integer;
begin
  with expired as (
    select counted.organisation_id, counted.minute
    from app.request_minutes counted
    where counted.minute < now() - interval '14 days'
    order by counted.minute
    limit at_most
  )
  delete from app.request_minutes counted
  using expired
  where counted.organisation_id = expired.organisation_id and counted.minute = expired.minute;
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;
comment on function jobs.forget_request_minutes is 'Instead of row-level security: removes counts of more than 14 days ago, at most 20,000 a call, and answers how many.';
