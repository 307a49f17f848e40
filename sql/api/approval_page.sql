/*
 * The page of an approval's mailed link. The token of the link is the credential. It gives access to its approval,
 * while the person may still answer it. (docs/specification/approvals.md#answering)
 */
create function api.read_approval(input jsonb) returns text
language plpgsql stable
security definer set search_path = ''
as $$
declare
  approval app.approvals;
begin
  select approvals.* into approval from app.approvals where approvals.id = caller.approval_id();
  perform api_private.require_approver(approval);
  return api_private.shown_approval(approval);
end
$$;
comment on function api.read_approval is 'Instead of row-level security: approvals.id = caller.approval_id(), and api_private.require_approver.';
grant execute on function api.read_approval to tenant;

create function api.answer_approval(input jsonb) returns text
language plpgsql
security definer set search_path = ''
as $$
declare
  approval app.approvals := api_private.approval_to_answer();
begin
  perform api_private.require_approver(approval);
  if approval.state <> 'pending' or approval.expires_at <= clock_timestamp() then
    perform errors.refuse('conflict');
  end if;
  perform api_private.answer(approval, (input ->> 'answer')::app.approval_state, input ->> 'comment');
  return api.read_approval(input);
end
$$;
comment on function api.answer_approval is 'Instead of row-level security: api_private.approval_to_answer, for the token of the approval, and api_private.require_approver.';
grant execute on function api.answer_approval to tenant;
