/*
 * API keys. Keys of scope admin read, create and revoke the keys of their organisation. A new key is bound to the
 * caller, never to another person. (docs/specification/keys.md)
 */
create policy select_by_admin on app.api_keys
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.api_keys is
  'The keys of the caller''s organisation. Scope admin.';

-- GET /me returns the key of the request, which may have any scope.
create policy select_self on app.api_keys
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and id = (select caller.key_id()));
comment on policy select_self on app.api_keys is
  'The key of the request, with any scope.';

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
  'The keys of the caller''s organisation: changed, revoked, rotated, shortened. Scope admin.';

grant select (
  organisation_id, id, name, prefix, scope, created_by, created_at, expires_at, revoked_at, rotated_at, allowed_ips, rate_per_minute
) on app.api_keys to tenant;
grant insert (organisation_id, name, prefix, digest, scope, created_by, expires_at, allowed_ips, rate_per_minute)
  on app.api_keys to tenant;
grant update (name, revoked_at, expires_at, rotated_at, allowed_ips, rate_per_minute) on app.api_keys to tenant;
-- Not granted: select of digest, update of scope, delete. A revoked key stays listed. A trigger allows only an earlier
-- expiry (triggers/api_keys.sql).

create policy select_same_organisation on app.api_key_uses
  for select to tenant
  using (organisation_id = (select caller.organisation_id()));
comment on policy select_same_organisation on app.api_key_uses is
  'When each key of the caller''s organisation was last used.';

create policy select_by_admin on app.api_key_days
  for select to tenant
  using (organisation_id = (select caller.organisation_id()) and (select caller.scope()) = 'admin');
comment on policy select_by_admin on app.api_key_days is
  'How many requests the keys of the caller''s organisation made. Scope admin.';

grant select on app.api_key_days to tenant;
-- Not granted: any write. The API's processes count (service/requests.sql).

grant select on app.api_key_uses to tenant;
-- Not granted: any write. caller.note_use records the use of an accepted credential.
