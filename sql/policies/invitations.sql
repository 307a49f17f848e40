/*
 * Invitations. Readable within the organisation; keys of scope admin create, resend and revoke them.
 * (docs/specification/invitations.md)
 */
create policy select_same_organisation on app.invitations
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.invitations is
  'The invitations to the caller''s organisation.';

create policy insert_by_admin on app.invitations
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and (select caller.role()) >= 'admin'
    and invited_by = (select caller.person_id())
  );
comment on policy insert_by_admin on app.invitations is
  'An invitation to the caller''s organisation, in the caller''s name. Owners and admins, scope admin.';

create policy update_by_admin on app.invitations
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy update_by_admin on app.invitations is
  'The invitations to the caller''s organisation: resent, revoked. Scope admin.';

grant select (
  organisation_id, id, email, role, invited_by, created_at, expires_at, accepted_at, accepted_by, revoked_at
) on app.invitations to tenant;
grant insert (organisation_id, email, role, invited_by, token_digest) on app.invitations to tenant;
grant update (token_digest, expires_at, revoked_at) on app.invitations to tenant;
-- Not granted: select of token_digest; update of acceptance, which needs the mailed link.

/*
 * The mail of an invitation, written in the same transaction. Only the worker reads it.
 */
create policy insert_invitation on app.mails
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and kind = 'invitation'
  );
comment on policy insert_invitation on app.mails is
  'The mail that carries an invitation to the caller''s organisation. Scope admin.';

grant insert (organisation_id, kind, recipient, data, token_sealed) on app.mails to tenant;
