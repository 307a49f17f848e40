/*
 * Invitation, without the digest of its token. (docs/specification/invitations.md)
 */
create view rows.invitations with (security_invoker = true) as
select
  invitation.id,
  invitation.email,
  invitation.role,
  invitation.invited_by as "invitedBy",
  rows.time(invitation.created_at) as "createdAt",
  rows.time(invitation.expires_at) as "expiresAt",
  rows.time(invitation.accepted_at) as "acceptedAt",
  rows.time(invitation.revoked_at) as "revokedAt"
from app.invitations invitation;
grant select on rows.invitations to tenant;

create function rows.invitation_state(accepted timestamptz, revoked timestamptz, expires timestamptz) returns text
language sql stable parallel safe
as $$
  select case
    when accepted is not null then 'accepted'
    when revoked is not null then 'revoked'
    when expires <= now() then 'expired'
    else 'open'
  end
$$;
comment on function rows.invitation_state is 'open, accepted, revoked or expired.';
grant execute on function rows.invitation_state to tenant, operator;
