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
  -- A stored batch is measured as stored, so that every stored batch can be replayed.
  is_stored constant boolean := not api_private.only_reads(input);
  room integer := case when is_stored then 1024 * 1024 else 4 * 1024 * 1024 end - 8192; -- the space of 50 refusals
  each jsonb;
  performed record;
  results text[] := '{}';
  refused integer;
begin
  begin
    for each in select value from jsonb_array_elements(input -> 'operations') loop
      performed := api_private.perform_one(each, room, is_stored);
      results := results || performed.result;
      room := room - performed.size;
      if performed.is_refused and (input ->> 'atomic')::boolean then
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
comment on function api.batch is 'Results total at most 4 MB, or 1 MB if the batch is stored. An operation whose result does not fit is refused and undone.';
grant execute on function api.batch to tenant;
