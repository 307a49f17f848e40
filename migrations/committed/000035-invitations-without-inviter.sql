--! Previous: sha1:d8ba97ab67df50dc0dcd1e6b21dabff1fec726d6
--! Hash: sha1:8c8d21ad94c1b441be775ac58c530271d85389dd
--! Message: invitations-without-inviter

-- Invitations that outlived the authority of their inviter. A trigger revokes them since this version.
update app.invitations invitation
set revoked_at = now()
where invitation.accepted_at is null
  and invitation.revoked_at is null
  and not exists (
    select from app.memberships inviter
    where inviter.organisation_id = invitation.organisation_id
      and inviter.person_id = invitation.invited_by
      and inviter.role >= 'admin'
  );
