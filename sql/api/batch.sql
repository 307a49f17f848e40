/*
 * A batch: up to 50 operations in one transaction, each under its own scope and with its own refusal. With `atomic`,
 * the first refusal undoes all, and the others are told of a conflict. (decisions: "Batch".)
 *
 * Input: {"atomic", "operations": [{"operation", "input", "problem"}]}, in which problem is what the contract found
 * wrong with that operation. Answer: an array of {"status", "body"} or {"refusal", "details"}.
 */
create function api.batch(input jsonb) returns text
language plpgsql
as $$
declare
  each jsonb;
  result jsonb;
  results jsonb[] := '{}';
  refused integer;
begin
  begin
    for each in select value from jsonb_array_elements(input -> 'operations') loop
      result := caller.perform_one(each);
      results := results || result;
      if result ? 'refusal' and (input ->> 'atomic')::boolean then
        refused := cardinality(results);
        raise sqlstate 'OA003'; -- undoes what went before; caught below
      end if;
    end loop;
  exception when sqlstate 'OA003' then
    null;
  end;
  if refused is not null then
    select array_agg(case when place = refused then results[refused] else '{"refusal": "conflict"}' end order by place)
    into results
    from generate_series(1, jsonb_array_length(input -> 'operations')) place;
  end if;
  return array_to_json(results)::text;
end
$$;

create function caller.perform_one(asked jsonb) returns jsonb
language plpgsql
as $$
declare
  status smallint := caller.admitted_status(asked ->> 'operation');
  code text;
  said text; -- with the refusal
begin
  if asked ->> 'operation' is not null and status is null then
    perform caller.refuse('unauthenticated');
  end if;
  if asked ? 'problem' then
    perform caller.refuse(asked -> 'problem' ->> 'code', (asked -> 'problem' -> 'details')::json);
  end if;
  return jsonb_build_object('status', status, 'body', api.dispatch(asked ->> 'operation', asked -> 'input'));
exception when sqlstate 'OA001' then
  get stacked diagnostics code = message_text, said = pg_exception_detail;
  return jsonb_build_object('refusal', code, 'details', nullif(said, '')::jsonb);
end
$$;
comment on function caller.perform_one is 'One operation of a batch, undone alone when it is refused.';

create function caller.admitted_status(operation text) returns smallint
language sql stable
as $$
  select case
    when caller.operation(operation) ->> 'key_class' = 'organisation'
      and (caller.operation(operation) ->> 'scope')::app.key_scope <= caller.scope()
    then (caller.operation(operation) ->> 'status')::smallint
  end
$$;
comment on function caller.admitted_status is 'The status of an operation''s success; null when the caller''s scope does not admit it.';
