/*
 * The bounds of the contract, checked for every caller of api.handle. The API checks the same bounds first, for messages
 * that name the field. Generated from the contract (src/database/input-rules.ts), so that a bound is written once.
 * (docs/decisions/0007-calls-and-refusals.md)
 */
do $$
begin
  execute format(
    $function$
      create function api_private.fits_contract(operation text, input jsonb) returns boolean
      language plpgsql stable as $body$
      begin
        case operation
      %s
        else
          return true;
        end case;
      end
      $body$
    $function$,
    (
      select string_agg(format(E'    when %L then\n      return %s;', op.name, op.input_rule), E'\n' order by op.name)
      from api.operations op
      where op.input_rule is not null
    )
  );
end
$$;
comment on function api_private.fits_contract is 'Whether the input of a write meets the bounds of the contract. False or null: it does not.';
grant execute on function api_private.fits_contract to tenant;

create function api_private.require_contract(operation text, input jsonb) returns void
language plpgsql stable
as $$
begin
  if api_private.fits_contract(operation, input) is not true then
    perform errors.refuse('invalid_request', '[{"path": "body", "message": "must meet the bounds of the contract"}]');
  end if;
end
$$;
comment on function api_private.require_contract is 'Refuses an input that does not meet the bounds of the contract.';
grant execute on function api_private.require_contract to tenant;

create function api_private.missing_key(operation text) returns json
language sql immutable
as $$
  select case when caller.operation(operation) ->> 'method' = 'post' and caller.operation(operation) ->> 'key_class' in ('organisation', 'platform')
    then '{"code": "invalid_request", "details": [{"path": "headers.idempotency-key", "message": "is required: 1 to 255 printable ASCII characters"}]}'::json
  end
$$;
comment on function api_private.missing_key is 'The problem of a POST without an Idempotency-Key; null if the operation needs none.';
grant execute on function api_private.missing_key to tenant;
