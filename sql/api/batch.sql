/*
 * A batch: up to 50 operations in one transaction, each under its own scope and with its own refusal. With `atomic`,
 * the first refusal undoes all, and the other operations get a conflict. (docs/specification/batch.md)
 *
 * Input: {"atomic", "operations": [{"operation", "input", "problem"}]}, in which problem is the validation error of
 * that operation. Returns an array of {"status", "body"} or {"refusal", "details", "reason"}.
 */
create function api.batch(input jsonb) returns text
language plpgsql
as $$
declare
  is_atomic constant boolean := input ->> 'atomic';
  room integer := 1024 * 1024 - 8192; -- measured as stored; the rest is the space of 50 refusals
  run jsonb[];
  performed record;
  results text[] := '{}';
  refused integer;
begin
  begin
    for run in select * from api_private.runs_of_operations(input -> 'operations') loop
      performed := api_private.perform_run(run, room, is_atomic);
      results := results || performed.results;
      room := room - performed.size;
      if performed.is_refused and is_atomic then
        refused := cardinality(results);
        raise sqlstate 'OA003'; -- undoes the operations before; caught below
      end if;
    end loop;
  exception when sqlstate 'OA003' then
    null;
  end;
  if refused is not null then
    select array_agg(
      case when place = refused then results[refused] else '{"refusal": "conflict", "reason": "batch_undone"}' end order by place
    ) into results
    from generate_series(1, jsonb_array_length(input -> 'operations')) place;
  end if;
  return '[' || array_to_string(results, ',') || ']';
end
$$;
comment on function api.batch is 'Results total at most 1 MB, so that they can be stored. An operation whose result does not fit is refused and undone.';
grant execute on function api.batch to tenant;
