/*
 * The link of an approval, mailed again to the person who answers it. (docs/specification/approvals.md#announcement)
 */
create function api.resend_approval(input jsonb) returns text
language plpgsql
as $$
declare
  approval rows.approvals;
begin
  select listed.* into approval from rows.approvals listed where listed.id = (input ->> 'id')::uuid;
  if approval.id is null then
    perform errors.refuse('not_found');
  end if;
  perform api_private.mail_approval_again(approval.id);
  return row_to_json(approval)::text;
end
$$;
grant execute on function api.resend_approval to tenant;
