/*
 * Acts about people: one who wants to be forgotten, and one whose invitation did not arrive.
 */
create function operator.erase_subject(
  organisation uuid, subject_kind operator.subject, subject text, reason text
) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act; what follows is the API's, under its policies. Whom
-- it was about is not written down: the receipt names nobody, and neither does the act.
begin
  perform operator.begin_act(
    'erase_subject', organisation, null, jsonb_build_object('subjectKind', subject_kind), reason
  );
  if subject_kind is null or (char_length(subject) between 1 and 200) is not true then
    perform caller.refuse('invalid_request', '[{"path":"subject","message":"must have 1 to 200 characters, and a kind"}]');
  end if;
  return operator.perform(
    'erase_memories', jsonb_build_object('subjectKind', subject_kind, 'subject', subject)
  );
end
$$;
comment on function operator.erase_subject is 'Instead of row-level security: an operator''s token of scope act. As POST /memories/erase: all that is held about somebody goes, and a receipt stays that names nobody.';

-- In the name of whoever invited, who is named in the mail.
create function operator.resend_invitation_with(
  organisation uuid, invitation uuid, token_digest bytea, token_sealed bytea, reason text
) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act; what follows is the API's, under its policies.
begin
  perform operator.begin_act('resend_invitation', organisation, invitation, null, reason);
  perform set_config('caller.person_id', held.invited_by::text, true)
  from app.invitations held
  join app.memberships member
    on member.organisation_id = held.organisation_id and member.person_id = held.invited_by
  where held.organisation_id = organisation and held.id = invitation;
  if not found and exists (
    select from app.invitations held where held.organisation_id = organisation and held.id = invitation
  ) then
    perform caller.refuse('conflict'); -- whoever invited has left: nobody is there to be named
  end if;
  return operator.perform('resend_invitation', jsonb_build_object(
    'id', invitation, 'tokenDigest', encode(token_digest, 'hex'), 'tokenSealed', encode(token_sealed, 'hex')
  ));
end
$$;
comment on function operator.resend_invitation_with is 'Instead of row-level security: an operator''s token of scope act. A new link and seven days more; the link of before leads nowhere.';
