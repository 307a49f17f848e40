/*
 * Words taken anew, when an organisation has changed its language: so many claims at a time, in the order of their ids,
 * each time in a transaction of its own. Until it is done, what has not been reached is found by the old language.
 *
 * It reads all that an organisation holds, for the asking. So however often one asks, one job of it waits, and one more
 * for the minute after; all of them share a queue, in which one is carried out at a time; and visits and mails go first.
 * A job that is under way when its organisation asks again gives its key to a new one: the last language is the one that
 * stays.
 */
create function jobs.queue_words(organisation uuid, again boolean default false) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads and writes no row of a tenant. Its owner alone may call it.
  select graphile_worker.add_job(
    'take_words',
    json_build_object('organisationId', organisation),
    queue_name => 'words',
    run_at => case when again then now() + interval '1 minute' end,
    job_key => 'words:' || organisation::text || case when again then ':again' else '' end,
    priority => 2
  )
$$;
comment on function jobs.queue_words is 'Instead of row-level security: only its owner may call it, and it touches no row of a tenant. At once, or (again) in a minute.';

create function jobs.take_words(organisation uuid, after uuid, at_most integer default 2000) returns uuid
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes the words of one organisation's claims, and answers an id of them.
declare
  reached uuid;
begin
  with batch as (
    select memory.id, tenant.language, search.vector(tenant.language, memory.subject, memory.kind, memory.value) as words
    from app.memories memory
    join app.organisations tenant on tenant.id = memory.organisation_id
    where memory.organisation_id = organisation and memory.id > after
    order by memory.id
    limit at_most
  ), written as (
    -- From the row as it is once it is locked: a change that was waited for has other words than the batch saw.
    update app.memories memory
    set search = search.vector(batch.language, memory.subject, memory.kind, memory.value)
    from batch
    where memory.organisation_id = organisation and memory.id = batch.id and memory.search <> batch.words
  )
  select max(batch.id::text)::uuid into reached from batch having count(*) = at_most;
  return reached;
end
$$;
comment on function jobs.take_words is 'Instead of row-level security: writes the words of one organisation''s claims. Answers the id to go on after; null when it has come to the end.';
