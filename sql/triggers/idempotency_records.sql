/*
 * Records which memories, approvals, messages and runs with metadata or a concurrency key a stored response shows, so that an erasure finds
 * the response by an index. (docs/specification/memories.md#erasure)
 */
create function triggers.ids_shown(body text) returns setof uuid
language sql immutable parallel safe
as $$
  select distinct left(part, 36)::uuid
  from string_to_table(body, case left(body, 1) when '[' then 'id\":\"' else 'id":"' end) part
  where left(part, 36) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;
comment on function triggers.ids_shown is 'The ids of the rows that a response shows; the bodies of a batch are escaped JSON. Text of a caller cannot look like an id, because its quotes are escaped.';

create function triggers.tg_idempotency_records__note_rows() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  -- Most responses show one row. Searching for more would cost a twentieth of a POST.
  if starts_with(new.body, '{"id":"') and position('id":"' in substr(new.body, 8)) = 0
    and pg_input_is_valid(substr(new.body, 8, 36), 'uuid') then
    insert into app.response_rows (organisation_id, row_id, key_id, digest, day_partition)
    values (new.organisation_id, substr(new.body, 8, 36)::uuid, new.key_id, new.digest, new.day_partition)
    on conflict do nothing;
    return null;
  end if;
  insert into app.response_rows (organisation_id, row_id, key_id, digest, day_partition)
  select new.organisation_id, listed.id, new.key_id, new.digest, new.day_partition
  from triggers.ids_shown(new.body) listed (id)
  on conflict do nothing;
  return null;
end
$$;
comment on function triggers.tg_idempotency_records__note_rows is 'Instead of row-level security: inserts with new.organisation_id. Records the ids that the response shows, so that an erasure finds it.';
create trigger _500_note_rows
  after insert or update of body on app.idempotency_records
  for each row
  when ( -- memories, approvals, messages, and runs with metadata or a concurrency key
    new.body like '%lawfulBasis%' or new.body like '%memoryIds%'
    or new.body like '%"metadata":{"%' or new.body like '%\\"metadata\\":{\\"%'
    or new.body like '%"concurrencyKey":"%' or new.body like '%\\"concurrencyKey\\":\\"%'
  )
  execute function triggers.tg_idempotency_records__note_rows();
