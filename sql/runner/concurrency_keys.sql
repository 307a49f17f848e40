/*
 * The next run with a concurrency key. (docs/specification/runs.md#concurrency-key, triggers/concurrency_keys.sql)
 */
create function runner.next_with_key(organisation uuid, key text) returns uuid
language sql stable
as $$
  select waiting.id
  from app.runs waiting
  where waiting.organisation_id = organisation
    and waiting.concurrency_key = key
    and waiting.finished_at is null
    and waiting.postponed
    and greatest(waiting.start_at, waiting.created_at) <= now()
    and not exists (
      select from app.runs working
      where working.organisation_id = organisation
        and working.concurrency_key = key
        and not working.postponed
        and working.state in ('queued', 'running', 'waiting_approval')
    )
  order by greatest(waiting.start_at, waiting.created_at), waiting.id
  limit 1
$$;
comment on function runner.next_with_key is 'The oldest due run that waits for the key; null if there is none, or if another run has the key.';

-- One transaction at a time calls it (runner.end_overdue). It waits for no row: a mark stays until the next call if another
-- transaction has locked the next run.
create function runner.pass_keys() returns setof app.runs
language plpgsql
security definer set search_path = ''
as $$
declare
  marked record;
  next uuid;
begin
  for marked in
    select run.organisation_id, run.concurrency_key as key, array_agg(run.id) as runs
    from (
      select settling.organisation_id, settling.concurrency_key, settling.id
      from app.runs settling
      where settling.settles_key_at <= now()
      order by settling.settles_key_at
      limit runs.max_changed()
      for no key update skip locked
    ) run
    group by run.organisation_id, run.concurrency_key
  loop
    next := runner.next_with_key(marked.organisation_id, marked.key);
    perform from app.runs run
    where run.organisation_id = marked.organisation_id and run.id = next and run.postponed
    for no key update skip locked;
    if next is null or found then
      return query
      update app.runs run
      set postponed = run.postponed and run.id is distinct from next,
        settles_key_at = case when run.id <> all (marked.runs) then run.settles_key_at end
      where run.organisation_id = marked.organisation_id and run.id = any (marked.runs || next)
      returning run.*;
    end if;
  end loop;
end
$$;
comment on function runner.pass_keys is 'Instead of row-level security: only owner may execute it. Releases the next run of each marked key, and returns the runs that it changed.';
