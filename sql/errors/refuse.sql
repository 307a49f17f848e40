/*
 * Raises a refusal by its code. api.handle catches it, and src/contract/refusals.ts has its message. The reason, a
 * fixed word of src/contract/reasons.ts, distinguishes refusals of one code. (docs/specification/conventions.md#errors)
 */
create function errors.refuse(code text, details json default null, reason text default null)
returns void
language plpgsql
as $$
begin
  raise exception using
    errcode = 'OA001',
    message = code,
    detail = coalesce(details::text, ''),
    hint = coalesce(reason, '');
end
$$;
comment on function errors.refuse is 'Ends the operation with a code of the contract, and the reason as hint. SQLSTATE OA001 is private to Botstead.';
grant execute on function errors.refuse to tenant;

create function errors.require_row(changed boolean, code text default 'not_found') returns void
language plpgsql stable
as $$
begin
  if not changed then
    perform errors.refuse(code);
  end if;
end
$$;
comment on function errors.require_row is 'Ends the operation with this code unless a row was changed. Row-level security hides a row without an error.';
grant execute on function errors.require_row to tenant;

create function errors.found(answer text) returns text
language plpgsql stable
as $$
begin
  if answer is null then
    perform errors.refuse('not_found');
  end if;
  return answer;
end
$$;
comment on function errors.found is 'The answer of an operation, or its end with not_found.';
grant execute on function errors.found to tenant;
