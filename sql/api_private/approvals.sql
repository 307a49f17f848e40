/* Mailing the link of an approval again. */
-- The lock makes state and count exact. The worker derives the same token as for the first mail, so both links work.
create function api_private.mail_approval_again(approval uuid) returns void
language plpgsql
security definer set search_path = ''
as $$
declare
  mailed app.approvals;
begin
  select approvals.* into mailed
  from app.approvals
  where approvals.organisation_id = caller.organisation_id()
    and approvals.id = mail_approval_again.approval
    and approvals.person_id = caller.private_person_id()
  for no key update;
  perform errors.require_row(found);
  if rows.approval_state(mailed.state, mailed.expires_at) <> 'pending' then
    perform errors.refuse('conflict', reason => 'approval_not_pending');
  end if;
  if (
    select count(*)
    from app.mails mail
    join app.people person on person.id = mailed.person_id and names.address(person.email) = mail.recipient_key
    where mail.organisation_id = mailed.organisation_id
      and mail.kind = 'approval'
      and mail.created_at > now() - interval '1 day'
      and mail.data ->> 'approvalId' = mailed.id::text
  ) >= 5 then
    perform errors.refuse('conflict', reason => 'approval_mailed');
  end if;
  perform triggers.mail_approval(mailed);
end
$$;
comment on function api_private.mail_approval_again is 'Instead of row-level security: approvals.person_id = caller.private_person_id(). Mails its link while it is pending, at most five times a day.';
grant execute on function api_private.mail_approval_again to tenant;
