/*
 * Credentials, for caller.authenticate, which runs as authenticator. That role reads a few columns and writes nothing.
 * It sees no revoked or expired key, and no membership below admin. (docs/specification/conventions.md#credentials)
 */
grant usage on schema app to authenticator;

create policy authenticate_by_live_key on app.api_keys
  for select to authenticator
  using (revoked_at is null and expires_at > now());
comment on policy authenticate_by_live_key on app.api_keys is
  'Keys of all organisations that are neither revoked nor expired, to find the key with the presented digest.';

grant select (
  organisation_id, id, digest, scope, created_by, expires_at, revoked_at, suspended_at, allowed_ips, rate_per_minute
) on app.api_keys to authenticator;

create policy authenticate_admins on app.memberships
  for select to authenticator
  using (role >= 'admin');
comment on policy authenticate_admins on app.memberships is
  'Memberships of owners and admins: the key of any other person is not accepted.';

grant select (organisation_id, person_id, role) on app.memberships to authenticator;

create policy authenticate_suspending on app.organisations
  for select to authenticator
  using (true);
comment on policy authenticate_suspending on app.organisations is
  'Whether an organisation is suspended, for the hook that was found.';

grant select (id, suspended_at) on app.organisations to authenticator;
-- A call to a hook of a suspended organisation is refused. No other column of the organisation is readable.

create policy authenticate_by_live_key on app.platform_keys
  for select to authenticator
  using (revoked_at is null and expires_at > now());
comment on policy authenticate_by_live_key on app.platform_keys is
  'Platform keys that are neither revoked nor expired, to find the key with the presented digest.';

grant select (id, digest, expires_at, revoked_at) on app.platform_keys to authenticator;

create policy authenticate_by_link on app.invitations
  for select to authenticator
  using (
    accepted_at is not null
    or exists (
      select from app.memberships inviter -- authenticate_admins: owners and admins only
      where inviter.organisation_id = invitations.organisation_id and inviter.person_id = invitations.invited_by
    )
  );
comment on policy authenticate_by_link on app.invitations is
  'Invitations whose inviter is still an owner or admin, also revoked and expired ones, and accepted ones, to find the invitation of the presented link.';

grant select (organisation_id, id, token_digest, invited_by, accepted_at) on app.invitations to authenticator;

create policy authenticate_by_link on app.approvals
  for select to authenticator
  using (true);
comment on policy authenticate_by_link on app.approvals is
  'All approvals, also answered and expired ones, to find the approval of the presented link.';

grant select (id, token_digest) on app.approvals to authenticator;
-- Also accepted, answered and expired ones: the page of the link shows that state.

create policy authenticate_by_live_hook on app.hooks
  for select to authenticator
  using (deleted_at is null);
comment on policy authenticate_by_live_hook on app.hooks is
  'Hooks of all organisations that are not deleted, to find the hook of the request.';

grant select (organisation_id, id, secret_digest, deleted_at) on app.hooks to authenticator;
-- Also paused hooks: a sender with a valid signature gets that state as the refusal.
