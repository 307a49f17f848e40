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
  is_stored constant boolean := not caller.only_reads(input);
  room integer := case when is_stored then 1024 * 1024 else 4 * 1024 * 1024 end - 8192; -- the space of 50 refusals
  each jsonb;
  performed record;
  results text[] := '{}';
  refused integer;
begin
  begin
    for each in select value from jsonb_array_elements(input -> 'operations') loop
      performed := caller.perform_one(each, room, is_stored);
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

create function caller.only_reads(input jsonb) returns boolean
language sql immutable
as $$
  select not exists (
    select from jsonb_array_elements(input -> 'operations') part
    where caller.operation(part ->> 'operation') ->> 'method' <> 'get'
  )
$$;
comment on function caller.only_reads is 'Whether a batch only reads. It is not stored then: a repetition reads again.';
grant execute on function caller.only_reads to tenant;

create function caller.perform_one(
  part jsonb, room integer, is_stored boolean, out result text, out size integer, out is_refused boolean
)
language plpgsql
as $$
declare
  status smallint := caller.admitted_status(part ->> 'operation');
  body text;
  code text;
  refusal_details text;
  reason text;
begin
  if part ->> 'operation' is not null and status is null then
    perform caller.refuse('unauthenticated');
  end if;
  if part ? 'problem' then
    perform caller.refuse(part -> 'problem' ->> 'code', (part -> 'problem' -> 'details')::json);
  end if;
  body := api.dispatch(part ->> 'operation', part -> 'input');
  result := json_build_object('status', status, 'body', body);
  size := 1 + octet_length(case when is_stored then result else body end);
  is_refused := false;
  if size > room then
    perform caller.refuse('payload_too_large');
  end if;
exception when sqlstate 'OA001' then
  get stacked diagnostics code = message_text, refusal_details = pg_exception_detail, reason = pg_exception_hint;
  result := json_build_object('refusal', code, 'details', nullif(refusal_details, '')::json, 'reason', nullif(reason, ''));
  size := 1 + octet_length(result);
  if size > room then
    result := '{"refusal":"payload_too_large"}';
    size := 0;
  end if;
  is_refused := true;
end
$$;
comment on function caller.perform_one is 'Performs one operation of a batch; a refusal undoes this operation only.';
grant execute on function caller.perform_one to tenant;

create function caller.admitted_status(operation text) returns smallint
language sql stable
as $$
  select case
    when caller.operation(operation) ->> 'key_class' = 'organisation'
      and (caller.operation(operation) ->> 'scope')::app.key_scope <= caller.scope()
    then (caller.operation(operation) ->> 'status')::smallint
  end
$$;
comment on function caller.admitted_status is 'The success status of an operation; null if the caller''s scope does not allow it.';
grant execute on function caller.admitted_status to tenant;
