/*
 * The audit log of the caller's organisation, newest first. The filter resourceId uses an index; every other filter
 * reads on until the page is full. (docs/decisions/0043-audit-log.md)
 */
create function api.list_audit(input jsonb) returns text
language plpgsql stable
as $$
begin
  if input ->> 'resourceId' is not null then
    return (
      select rows.page(array_agg(row_to_json(entry) order by entry.id desc), input)
      from (
        select shown.* from rows.audit_log shown
        where shown."resourceId" = (input ->> 'resourceId')::uuid
          and shown.id < least(rows.before(input), api_private.before_time(input)) and shown.id >= api_private.from_time(input)
          and api_private.admits_entry(
            input, shown.actor, shown.action, shown.resource, shown."userId", shown."keyId",
            shown."requestId"
          )
        order by shown.id desc
        limit (input ->> 'limit')::integer + 1
      ) entry
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(entry) order by entry.id desc), input)
    from (
      select shown.* from rows.audit_log shown
      where shown.id < least(rows.before(input), api_private.before_time(input)) and shown.id >= api_private.from_time(input)
        and api_private.admits_entry(
            input, shown.actor, shown.action, shown.resource, shown."userId", shown."keyId",
            shown."requestId"
          )
      order by shown.id desc
      limit (input ->> 'limit')::integer + 1
    ) entry
  );
end
$$;
grant execute on function api.list_audit to tenant;
