/*
 * The audit log of the caller's organisation, newest first. The filter resourceId uses an index; every other filter
 * reads on until the page is full. (docs/decisions/0043-audit-log.md)
 */
-- Never null and not by coalesce, for the same reason as rows.before.
create function caller.from_time(input jsonb) returns uuid
language sql immutable parallel safe
as $$
  select case when input ->> 'since' is null then '00000000-0000-0000-0000-000000000000'
    else jobs.least_id((input ->> 'since')::timestamptz) end
$$;
comment on function caller.from_time is 'The smallest id that is not before since.';
grant execute on function caller.from_time to tenant;

create function caller.before_time(input jsonb) returns uuid
language sql immutable parallel safe
as $$
  select case when input ->> 'until' is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    else jobs.least_id((input ->> 'until')::timestamptz) end
$$;
comment on function caller.before_time is 'The id that is greater than all ids before until.';
grant execute on function caller.before_time to tenant;

create function caller.admits_entry(
  filters jsonb, actor app.audit_actor, action app.audit_action, resource text, person uuid, key uuid, request uuid
) returns boolean
language sql stable parallel safe
as $$
  select (filters ->> 'actor' is null or actor = (filters ->> 'actor')::app.audit_actor)
    and (filters ->> 'action' is null or action = (filters ->> 'action')::app.audit_action)
    and (filters ->> 'resource' is null or resource = filters ->> 'resource')
    and (filters ->> 'userId' is null or person = (filters ->> 'userId')::uuid)
    and (filters ->> 'keyId' is null or key = (filters ->> 'keyId')::uuid)
    and (filters ->> 'requestId' is null or request = (filters ->> 'requestId')::uuid)
$$;
comment on function caller.admits_entry is 'Whether an entry passes the filters of the list. PostgreSQL inlines it.';
grant execute on function caller.admits_entry to tenant;

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
          and shown.id < least(rows.before(input), caller.before_time(input)) and shown.id >= caller.from_time(input)
          and caller.admits_entry(
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
      where shown.id < least(rows.before(input), caller.before_time(input)) and shown.id >= caller.from_time(input)
        and caller.admits_entry(
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
