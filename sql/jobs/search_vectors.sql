/*
 * Rebuilding search vectors after an organisation changed its language: in batches by id, one transaction each. Until
 * it is done, the remaining memories are found by the old language.
 *
 * A rebuild reads all memories of an organisation. So at most one job of it waits, plus one for the minute after. All
 * rebuilds share a queue that runs one job at a time, after deliveries and mails. If the language changes during a
 * rebuild, the new job takes over the job key: the last language wins.
 */
create function jobs.queue_search_vectors(organisation uuid, again boolean default false) returns void
language sql
security definer set search_path = ''
as $$
  select graphile_worker.add_job(
    'rebuild_search_vectors',
    json_build_object('organisationId', organisation),
    queue_name => 'search_vectors',
    run_at => case when again then now() + interval '1 minute' end,
    job_key => 'search_vectors:' || organisation::text || case when again then ':again' else '' end,
    priority => 2
  )
$$;
comment on function jobs.queue_search_vectors is 'Instead of row-level security: only owner may execute it, and it touches no row of a tenant. Runs at once, or with again in 1 minute.';

create function jobs.rebuild_search_vectors(organisation uuid, after uuid, at_most integer default 2000) returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  reached uuid;
begin
  with batch as (
    select memory.id, tenant.language,
      search.vector(tenant.language, memory.subject, memory.kind, memory.value) as search_vector
    from app.memories memory
    join app.organisations tenant on tenant.id = memory.organisation_id
    where memory.organisation_id = organisation and memory.id > after
    order by memory.id
    limit at_most
  ), written as (
    -- Computed from the locked row: its text may have changed since the batch was read.
    update app.memories memory
    set search_vector = search.vector(batch.language, memory.subject, memory.kind, memory.value)
    from batch
    where memory.organisation_id = organisation and memory.id = batch.id and memory.search_vector <> batch.search_vector
  )
  select max(batch.id::text)::uuid into reached from batch having count(*) = at_most;
  update app.memories memory
  set contested = true
  where memory.organisation_id = organisation and memory.id > after and (reached is null or memory.id <= reached)
    and not memory.contested
    and exists (select from rows.conflicting_memories(memory));
  return reached;
end
$$;
comment on function jobs.rebuild_search_vectors is 'Instead of row-level security: only worker may execute it. Writes search vectors of one organisation''s memories, and marks contested ones. Returns the id to continue after; null at the end.';
grant execute on function jobs.rebuild_search_vectors to worker;

-- Once for each change of the lexemes, and once for memories from before the mark existed. The comments of the columns record both.
do $$
declare
  is_due boolean := false;
  made record;
begin
  for made in
    select * from (values
      ('search_vector', 'Lexemes of folded text, with parts of identifiers and pairs of characters (search.parse).'),
      ('contested', 'Whether another open memory of the same owner, subject and kind had another value at the last write to one of them, or at the upgrade that added the mark. Finds candidates; rows.conflicting_memories decides.')
    ) wanted (name, meaning)
    join pg_catalog.pg_attribute on attrelid = 'app.memories'::regclass and attname = wanted.name
    where col_description(attrelid, attnum) is distinct from wanted.meaning
  loop
    is_due := true;
    execute format('comment on column app.memories.%I is %L', made.name, made.meaning);
  end loop;
  if is_due then
    perform jobs.queue_search_vectors(organisation.id) from app.organisations organisation;
  end if;
end
$$;
