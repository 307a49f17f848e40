/*
 * Words taken anew, when an organisation has changed its language: so many claims at a time, in the order of their ids,
 * each time in a transaction of its own. Until it is done, what has not been reached is found by the old language.
 */
create function jobs.queue_words(organisation uuid, due timestamptz) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: it reads and writes no row of a tenant. Its owner alone may call it.
  select graphile_worker.add_job('take_words', json_build_object('organisationId', organisation), run_at => due)
$$;
comment on function jobs.queue_words is 'Instead of row-level security: only its owner may call it, and it touches no row of a tenant.';

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
    select memory.id, search.vector(tenant.language, memory.subject, memory.kind, memory.value) as words
    from app.memories memory
    join app.organisations tenant on tenant.id = memory.organisation_id
    where memory.organisation_id = organisation and memory.id > after
    order by memory.id
    limit at_most
  ), written as (
    update app.memories memory
    set search = batch.words
    from batch
    where memory.organisation_id = organisation and memory.id = batch.id and memory.search <> batch.words
  )
  select max(batch.id::text)::uuid into reached from batch having count(*) = at_most;
  return reached;
end
$$;
comment on function jobs.take_words is 'Instead of row-level security: writes the words of one organisation''s claims. Answers the id to go on after; null when it has come to the end.';
