/*
 * Approvals, read-only, so that a receiver of approval.needed can show what it is about. Only the person answers, on
 * the page of the mailed link. (docs/specification/approvals.md#visibility)
 */
create function api.list_approvals(input jsonb) returns text
language sql stable
as $$
  select rows.page(array_agg(row_to_json(approval) order by approval.id desc), input)
  from (
    select * from rows.approvals
    where id < rows.before(input)
      and (input ->> 'runId' is null or "runId" = (input ->> 'runId')::uuid)
      and (input ->> 'state' is null or state = (input ->> 'state')::app.approval_state)
    order by id desc
    limit (input ->> 'limit')::integer + 1
  ) approval
$$;
grant execute on function api.list_approvals to tenant;

create function api.get_approval(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select row_to_json(approval)::text into answer
  from rows.approvals approval
  where approval.id = (input ->> 'id')::uuid;
  if answer is null then
    perform errors.refuse('not_found');
  end if;
  return answer;
end
$$;
grant execute on function api.get_approval to tenant;
