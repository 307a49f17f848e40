/*
 * A refusal is raised by its code, caught in api.handle, and worded in one place: src/contract/refusals.ts. (Part 7.)
 */
create function caller.refuse(code text, details json default null)
returns void
language plpgsql
set search_path = ''
as $$
begin
  raise exception using
    errcode = 'OA001',
    message = code,
    detail = coalesce(details::text, '');
end
$$;
comment on function caller.refuse is 'Ends the operation with one of the codes of the contract. SQLSTATE OA001 is private to Botstead.';
