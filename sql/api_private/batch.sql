create function api_private.only_reads(input jsonb) returns boolean
language sql immutable
as $$
  select not exists (
    select from jsonb_array_elements(input -> 'operations') part
    where caller.operation(part ->> 'operation') ->> 'method' <> 'get'
  )
$$;
comment on function api_private.only_reads is 'Whether a batch only reads. It is not stored then: a repetition reads again.';
grant execute on function api_private.only_reads to tenant;

create function api_private.perform_one(
  part jsonb, room integer, is_stored boolean, out result text, out size integer, out is_refused boolean
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
  end if;
  body := api_private.dispatch(part ->> 'operation', part -> 'input', (part -> 'problem')::json);
  result := json_build_object('status', status, 'body', body);
  size := 1 + octet_length(case when is_stored then result else body end);
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
