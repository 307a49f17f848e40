/*
 * Previews of answers. A delta is a piece of the text that an executor writes at this moment. It goes to open streams by
 * NOTIFY, and no table has it. (docs/specification/executors.md#deltas)
 *
 * The name of the channel is a secret of the API and of owner, so no other login hears a text (sql/service/channel.sql). The
 * API sends it only to streams whose key may read the conversation (src/api/streams/streams.ts).
 */
create function runner.max_delta_length() returns integer
language sql immutable
return 1000;
comment on function runner.max_delta_length is 'Maximum characters of a delta. JSON has at most 6 bytes for each, so a delta fits into the 8,000 bytes of a notification.';

create function runner.require_delta(working app.runs, after integer, text text, memories uuid[]) returns void
language plpgsql
as $$
begin
  perform runner.require(
    char_length(text) between 1 and runner.max_delta_length(), 'a delta has 1 to 1,000 characters'
  );
  perform runner.require(
    after between 0 and 32000 and after + char_length(text) <= 32000, 'a preview has at most 32,000 characters, as an answer'
  );
  perform runner.require_citable(working, memories, 'a delta');
end
$$;
comment on function runner.require_delta is 'Raises 22023 unless these values may be a delta.';

create function runner.attempt_of(working app.runs) returns integer
language sql stable
as $$
  select count(*)::integer
  from app.run_events event
  where event.organisation_id = working.organisation_id and event.run_id = working.id and event.state = 'running'
$$;
comment on function runner.attempt_of is 'How many times an executor has begun to work on the run.';

create function runner.delta(
  organisation uuid, run uuid, lease uuid, after integer, text text, memories uuid[] default '{}'
) returns boolean
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.read_leased_run(organisation, run, lease);
begin
  perform runner.require_delta(working, after, text, memories);
  if exists (
    select from unnest(memories) cited (id)
    where not exists (
      select from app.memories memory where memory.organisation_id = organisation and memory.id = cited.id
    )
  ) then
    return false;
  end if;
  perform pg_notify(
    service.run_events_channel(),
    format('delta %s', run) || E'\n'
      || json_build_object('attempt', runner.attempt_of(working), 'offset', after, 'text', text)
  );
  return true;
end
$$;
comment on function runner.delta is 'Instead of row-level security: runner.read_leased_run, for the lease of the run. Sends a piece of the answer to open streams, and stores nothing. False if a memory that it cites was deleted, and then nothing is sent.';
grant execute on function runner.delta to executor;
