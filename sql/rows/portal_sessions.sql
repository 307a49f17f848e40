/*
 * Portal session, without digests. (docs/specification/portal.md)
 */
create view rows.portal_sessions with (security_invoker = true) as
select
  session.id,
  session.person_id as "personId",
  session.created_by as "createdBy",
  session.sections,
  session.read_only as "readOnly",
  session.return_url as "returnUrl",
  rows.time(session.created_at) as "createdAt",
  rows.time(session.opened_at) as "openedAt",
  rows.time(session.expires_at) as "expiresAt",
  rows.time(session.revoked_at) as "revokedAt"
from app.portal_sessions session;
grant select on rows.portal_sessions to tenant;
