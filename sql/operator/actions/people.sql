/* Operator actions about people: erasing a person's memories, and resending an invitation. */
create function operator.erase_subject(
  organisation uuid, subject_kind operator.subject, subject text, reason text
) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action(
    'erase_subject', organisation, null, jsonb_build_object('subjectKind', subject_kind), reason
  );
  if subject_kind is null or (char_length(subject) between 1 and 200) is not true then
    perform errors.refuse('invalid_request', '[{"path":"subject","message":"must have 1 to 200 characters, and a kind"}]');
  end if;
  return operator.perform(
    'erase_memories', jsonb_build_object('subjectKind', subject_kind, 'subject', subject)
  );
end
$$;
comment on function operator.erase_subject is 'Instead of row-level security: operator.begin_action, for a token of scope act. As POST /memories/erase: deletes all data about a subject; the receipt does not name the subject.';
grant execute on function operator.erase_subject to operator;

-- Acts in the name of the person who invited, since the mail names them.
create function operator.resend_invitation_with(
  organisation uuid, invitation uuid, token_digest bytea, token_sealed bytea, reason text
) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('resend_invitation', organisation, invitation, null, reason);
  perform set_config('caller.person_id', invitations.invited_by::text, true)
  from app.invitations
  join app.memberships member
    on member.organisation_id = invitations.organisation_id and member.person_id = invitations.invited_by
  where invitations.organisation_id = organisation and invitations.id = invitation;
  if not found and exists (
    select from app.invitations where invitations.organisation_id = organisation and invitations.id = invitation
  ) then
    perform errors.refuse('conflict'); -- the person who invited has left, so the mail could not name them
  end if;
  return operator.perform('resend_invitation', jsonb_build_object(
    'id', invitation, 'tokenDigest', encode(token_digest, 'hex'), 'tokenSealed', encode(token_sealed, 'hex')
  ));
end
$$;
comment on function operator.resend_invitation_with is 'Instead of row-level security: operator.begin_action, for a token of scope act. A new link, valid for 7 more days; the previous link stops working.';
grant execute on function operator.resend_invitation_with to operator;
