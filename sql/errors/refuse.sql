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
