/* The stored data of a request, for `botstead request`. (docs/commands.md) */
create function operator.stored_responses(request uuid)
returns table (
  organisation_id uuid, key_id uuid, status smallint, refusal text, reason text, stored_at timestamptz, replayed_until timestamptz
)
language sql stable
security definer
set search_path = ''
as $$
  -- A record is written shortly after the time in its request id; clocks of two machines may differ slightly.
  select nullif(found.organisation_id, '00000000-0000-0000-0000-000000000000'), found.key_id, found.status, found.refusal,
    found.reason, found.created_at, found.created_at + interval '24 hours'
  from app.idempotency_records found
  where found.request_id = request
    and found.created_at >= uuid_extract_timestamp(request) - interval '10 seconds'
    and found.created_at < uuid_extract_timestamp(request) + interval '1 minute'
$$;
comment on function operator.stored_responses is 'Instead of row-level security: only cli may execute it. The idempotent response of a request, without its body.';
grant execute on function operator.stored_responses to cli;
