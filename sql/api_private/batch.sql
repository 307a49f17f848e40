create function api_private.perform_one(
  part jsonb, room integer, out result text, out size integer, out is_refused boolean
)
language plpgsql
as $$
declare
  status smallint := api_private.admitted_status(part ->> 'operation');
  body text;
  code text;
  refusal_details text;
  reason text;
begin
  if part ->> 'operation' is not null and status is null then
    perform errors.refuse('unauthenticated');
  elsif part ->> 'operation' = 'batch' or (caller.operation(part ->> 'operation') -> 'stores_digest')::boolean then
    perform errors.refuse('invalid_request');
  end if;
  body := api_private.dispatch(part ->> 'operation', part -> 'input', (part -> 'problem')::json);
  result := json_build_object('status', status, 'body', body);
  size := 1 + octet_length(result);
  is_refused := false;
  if size > room then
    perform errors.refuse('payload_too_large');
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
comment on function api_private.perform_one is 'Performs one operation of a batch; a refusal undoes this operation only.';
grant execute on function api_private.perform_one to tenant;

-- Tries one statement for alike operations. If one of them is refused, or the results have no room, everything is undone
-- and each operation is performed by itself: so the results, and which operation is refused, do not depend on this.
create function api_private.perform_alike(
  parts jsonb[], room integer, out results text[], out size integer
)
language plpgsql
as $$
declare
  status constant smallint := api_private.admitted_status('create_memory');
  bodies text[];
begin
  if status is null then
    return;
  end if;
  bodies := api_private.create_memories(array(select part -> 'input' from unnest(parts) part));
  results := array(select json_build_object('status', status, 'body', body)::text from unnest(bodies) body);
  size := (select sum(1 + octet_length(result)) from unnest(results) result);
  if size > room then
    perform errors.refuse('payload_too_large');
  end if;
exception when sqlstate 'OA001' then
  results := null;
end
$$;
comment on function api_private.perform_alike is 'Performs a run of api_private.runs_of_operations in one statement. Results are null if they must be performed one by one.';
grant execute on function api_private.perform_alike to tenant;

create function api_private.perform_run(
  parts jsonb[], room integer, stops boolean, out results text[], out size integer, out is_refused boolean
)
language plpgsql
as $$
declare
  part jsonb;
  performed record;
begin
  is_refused := false;
  if cardinality(parts) > 1 then
    performed := api_private.perform_alike(parts, room);
    results := performed.results;
    size := performed.size;
    if results is not null then
      return;
    end if;
  end if;
  results := '{}';
  size := 0;
  foreach part in array parts loop
    performed := api_private.perform_one(part, room - size);
    results := results || performed.result;
    size := size + performed.size;
    is_refused := performed.is_refused;
    exit when is_refused and stops;
  end loop;
end
$$;
comment on function api_private.perform_run is 'Performs a run of api_private.runs_of_operations; stops says whether at the first refusal.';
grant execute on function api_private.perform_run to tenant;

create function api_private.runs_of_operations(operations jsonb) returns setof jsonb[]
language sql stable
as $$
  select array_agg(part order by place)
  from (
    select part, place, is_alike,
      case when is_alike then place - row_number() over (partition by is_alike order by place) else place end as run
    from (
      select part, place, part ->> 'operation' is not distinct from 'create_memory' and part -> 'problem' is null
        and part -> 'input' ->> 'supersedes' is null and api_private.fits_contract('create_memory', part -> 'input') is true as is_alike
      from jsonb_array_elements(operations) with ordinality listed (part, place)
    ) marked
  ) numbered
  group by is_alike, run
  order by min(place)
$$;
comment on function api_private.runs_of_operations is 'The operations of a batch in their order: consecutive valid creations of memories that replace none as one array, each other operation as an array of its own.';
grant execute on function api_private.runs_of_operations to tenant;

create function api_private.admitted_status(operation text) returns smallint
language sql stable
as $$
  select case
    when caller.operation(operation) ->> 'key_class' = 'organisation'
      and (caller.operation(operation) ->> 'scope')::app.key_scope <= caller.scope()
    then (caller.operation(operation) ->> 'status')::smallint
  end
$$;
comment on function api_private.admitted_status is 'The success status of an operation; null if the caller''s scope does not allow it.';
grant execute on function api_private.admitted_status to tenant;
