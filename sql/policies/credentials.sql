/*
 * Credentials, as caller.authenticate sees them. It belongs to authenticator, who may look up and nothing else, and to
 * whom a key that is revoked or expired, or the membership of somebody who is no longer an admin, does not exist.
 * (Parts 5.5 and 5.6.)
 */
grant usage on schema app to authenticator;

create policy authenticate_by_live_key on app.api_keys
  for select to authenticator
  using (revoked_at is null and expires_at > now());
comment on policy authenticate_by_live_key on app.api_keys is
  'Keys that are neither revoked nor expired, of all organisations, to find the one whose digest is shown.';

grant select (organisation_id, id, digest, scope, created_by, expires_at, revoked_at, suspended_at)
  on app.api_keys to authenticator;

create policy authenticate_admins on app.memberships
  for select to authenticator
  using (role >= 'admin');
comment on policy authenticate_admins on app.memberships is
  'Memberships of owners and admins: a key of somebody who is neither any more admits nobody.';

grant select (organisation_id, person_id, role) on app.memberships to authenticator;

create policy authenticate_suspending on app.organisations
  for select to authenticator
  using (true);
comment on policy authenticate_suspending on app.organisations is
  'Whether an organisation is suspended, of all: of the hook that was found it is looked at.';

grant select (id, suspended_at) on app.organisations to authenticator;
-- Whether an operator has suspended it, which what is posted to its hooks is told; and nothing of what it is.

create policy authenticate_noting_use on app.api_key_uses
  for select to authenticator
  using (true);
comment on policy authenticate_noting_use on app.api_key_uses is
  'Every key''s last use, so that it is noted once a minute and not with every call.';

grant select (organisation_id, key_id, last_used_at) on app.api_key_uses to authenticator;
-- When each key was last used, so that it is written once a minute and not with every call.

create policy authenticate_by_live_key on app.platform_keys
  for select to authenticator
  using (revoked_at is null and expires_at > now());
comment on policy authenticate_by_live_key on app.platform_keys is
  'Platform keys that are neither revoked nor expired, to find the one whose digest is shown.';

grant select (id, digest, expires_at, revoked_at) on app.platform_keys to authenticator;

create policy authenticate_by_link on app.invitations
  for select to authenticator
  using (true);
comment on policy authenticate_by_link on app.invitations is
  'Every invitation, also one that was accepted or has expired, to find the one whose link is shown.';

grant select (id, token_digest) on app.invitations to authenticator;

create policy authenticate_by_link on app.approvals
  for select to authenticator
  using (true);
comment on policy authenticate_by_link on app.approvals is
  'Every card, also one that was answered or has expired, to find the one whose link is shown.';

grant select (id, token_digest) on app.approvals to authenticator;
-- Both also when they were answered or have expired: whoever holds the link is told so.

create policy authenticate_by_live_hook on app.hooks
  for select to authenticator
  using (deleted_at is null);
comment on policy authenticate_by_live_hook on app.hooks is
  'Hooks that are not deleted, of all organisations, to find the one that is posted to.';

grant select (organisation_id, id, secret_digest, deleted_at) on app.hooks to authenticator;
-- Also when it is paused: whoever signs rightly is told so.
