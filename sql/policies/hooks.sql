/*
 * Inbound webhooks. Every key reads the hooks of bots that its person sees. Only keys of scope admin write them.
 * (Beyond the specification; docs/specification/hooks.md#ownership)
 */
create policy select_of_visible_bots on app.hooks
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and bot_id = any ((select policies.visible_bots())::uuid[])
  );
comment on policy select_of_visible_bots on app.hooks is
  'The hooks to bots that the caller sees.';

create policy insert_own_by_admin on app.hooks
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and created_by = (select caller.person_id())
    and (select caller.scope()) = 'admin'
    and bot_id = any ((select policies.visible_bots())::uuid[])
  );
comment on policy insert_own_by_admin on app.hooks is
  'A hook of the caller to a bot that the caller sees. Scope admin.';

create policy update_by_admin on app.hooks
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and bot_id = any ((select policies.visible_bots())::uuid[])
  );
comment on policy update_by_admin on app.hooks is
  'The hooks to bots that the caller sees. Scope admin.';

grant select (
  organisation_id, id, bot_id, name, state, pause_reason, unreadable_since, last_received_at, last_run_id, created_by,
  created_at, deleted_at
) on app.hooks to tenant;
grant insert (organisation_id, bot_id, name, secret_sealed, secret_digest, created_by) on app.hooks to tenant;
grant update (name, state, secret_sealed, secret_digest, deleted_at) on app.hooks to tenant;
-- Not granted: select of the secret, sealed or digested; delete, since receipts refer to the row.

-- No policy of tenant on app.hook_receipts, and no privilege: no operation shows receipts.
