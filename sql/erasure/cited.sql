/*
 * Answers and results that cite erased memories. (docs/specification/memories.md#erasure)
 */
create function erasure.cites_erased(organisation uuid, cited_ones uuid[]) returns boolean
language plpgsql
as $$
declare
  missing uuid[];
begin
  with present as (
    select memory.id from app.memories memory
    where memory.organisation_id = organisation and memory.id = any (cited_ones)
    for key share
  )
  select array_agg(cited.id) into missing
  from unnest(cited_ones) cited (id)
  where not exists (select from present where present.id = cited.id);
  if missing is null then
    return false;
  end if;
  with deleted as (
    select change.memory_id from app.memory_history change
    where change.organisation_id = organisation and change.memory_id = any (missing) and change.change = 'deleted'
    for key share
  )
  select array_agg(cited.id) into missing
  from unnest(missing) cited (id)
  where not exists (select from deleted where deleted.memory_id = cited.id);
  return missing is not null;
end
$$;
comment on function erasure.cites_erased is 'Whether one of these memories was erased. Locks the others against an erasure. For definer functions only.';

-- A later result of a run follows from an earlier one, so all results of a run are deleted. Its next executor starts from the beginning.
create function erasure.delete_results(organisation uuid, cited uuid[], answers uuid[]) returns boolean
language plpgsql
set enable_seqscan = off
as $$
declare
  max_runs constant integer := erasure.max_rows() / 5; -- a run has few results
  citing uuid[];
begin
  select coalesce(array_agg(run_id), '{}') into citing
  from (
    select distinct stored.run_id
    from (
      select each.organisation_id, each.run_id from app.step_results each
      where each.memory_ids <> '{}' and each.memory_ids && cited
      offset 0 -- as for erasure.blank_answers
    ) stored
    where stored.organisation_id = organisation
    limit max_runs
  ) found;
  delete from app.step_results stored
  where stored.organisation_id = organisation and stored.run_id = any (citing || array(
    select message.run_id from app.messages message
    where message.organisation_id = organisation and message.id = any (answers)
  ));
  return cardinality(citing) = max_runs;
end
$$;
comment on function erasure.delete_results is 'Deletes the results of the steps of runs that cite one of these memories, and of the runs of these answers. Returns whether more may be left.';
