/*
 * API keys. Keys of scope admin read, make and revoke the keys of their organisation; each is bound to the person
 * who made it and nobody can make one for another. (Parts 4 "Keys" and 5.4.)
 */
create policy select_by_admin on app.api_keys
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.api_keys is
  'The keys of the caller''s organisation. Scope admin.';

-- Who asks GET /me reads the key it asks with, whatever its scope.
create policy select_self on app.api_keys
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and id = (select caller.key_id()));
comment on policy select_self on app.api_keys is
  'The key that is asked with, whatever its scope.';

create policy insert_for_oneself on app.api_keys
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and created_by = (select caller.person_id())
  );
comment on policy insert_for_oneself on app.api_keys is
  'A key of the caller''s organisation, bound to the caller. Scope admin.';

create policy update_by_admin on app.api_keys
  for update to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy update_by_admin on app.api_keys is
  'The keys of the caller''s organisation: revoked, rotated, shortened. Scope admin.';

grant select (organisation_id, id, name, prefix, scope, created_by, created_at, expires_at, revoked_at, rotated_at)
  on app.api_keys to tenant;
grant insert (organisation_id, name, prefix, digest, scope, created_by, expires_at) on app.api_keys to tenant;
grant update (revoked_at, expires_at, rotated_at) on app.api_keys to tenant;
-- No select of digest: a digest that cannot be read cannot be compared either. No update of scope, and of expiry only
-- towards its end (triggers/api_keys.sql): a key never grows. No delete: a revoked key stays listed.

create policy select_same_organisation on app.api_key_uses
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.api_key_uses is
  'When each key of the caller''s organisation was last used.';

grant select on app.api_key_uses to tenant;
-- No write: only an accepted credential notes its use.
