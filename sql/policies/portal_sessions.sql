/*
 * Portal sessions. Keys of scope admin open them for members of no higher rank, list and revoke them. A session reads and
 * revokes itself. (docs/specification/portal.md)
 */
create policy select_by_admin on app.portal_sessions
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.portal_sessions is
  'The portal sessions of the caller''s organisation. Scope admin.';

create policy select_self on app.portal_sessions
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and id = (select caller.portal_session_id()));
comment on policy select_self on app.portal_sessions is
  'The session of the request.';

create policy insert_within_ones_rank on app.portal_sessions
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and created_by = (select caller.person_id())
    and key_id = (select caller.key_id())
    and exists (
      select from app.memberships member
      where member.organisation_id = portal_sessions.organisation_id
        and member.person_id = portal_sessions.person_id
        and member.role <= (select caller.role())
    )
  );
comment on policy insert_within_ones_rank on app.portal_sessions is
  'A session of a member of the caller''s organisation of no higher rank than the caller, in the caller''s name and of the caller''s key. Scope admin.';

create policy update_by_admin on app.portal_sessions
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy update_by_admin on app.portal_sessions is
  'The portal sessions of the caller''s organisation: revoked. Scope admin.';

create policy update_self on app.portal_sessions
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and id = (select caller.portal_session_id()));
comment on policy update_self on app.portal_sessions is
  'The session of the request: it ends itself.';

grant select (
  organisation_id, id, person_id, created_by, key_id, sections, read_only, return_url, opened_at, created_at, expires_at, revoked_at
) on app.portal_sessions to tenant;
grant insert (organisation_id, person_id, created_by, key_id, sections, return_url, link_digest, expires_at)
  on app.portal_sessions to tenant;
grant update (revoked_at) on app.portal_sessions to tenant;
-- Not granted: select of digests, insert of read_only sessions (operators open these), delete (left to maintenance).
