/*
 * Inbound webhooks. Keys of scope admin alone, reads included, as for endpoints; and of bots that their person sees.
 * (Beyond the specification; docs/decisions.md, "Routines and hooks".)
 */
create policy select_by_admin on app.hooks
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and bot_id = any ((select caller.visible_bots())::uuid[])
  );
comment on policy select_by_admin on app.hooks is
  'The hooks to bots that the caller sees. Scope admin.';

create policy insert_own_by_admin on app.hooks
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and created_by = (select caller.person_id())
    and (select caller.scope()) = 'admin'
    and bot_id = any ((select caller.visible_bots())::uuid[])
  );
comment on policy insert_own_by_admin on app.hooks is
  'A hook of the caller''s, to a bot that the caller sees. Scope admin.';

create policy update_by_admin on app.hooks
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) = 'admin'
    and bot_id = any ((select caller.visible_bots())::uuid[])
  );
comment on policy update_by_admin on app.hooks is
  'The hooks to bots that the caller sees. Scope admin.';

grant select (
  organisation_id, id, bot_id, name, state, pause_reason, last_received_at, last_run_id, created_by, created_at, deleted_at
) on app.hooks to tenant;
grant insert (organisation_id, bot_id, name, secret_sealed, secret_digest, created_by) on app.hooks to tenant;
grant update (name, state, secret_sealed, secret_digest, deleted_at) on app.hooks to tenant;
-- No select of the secret, sealed or digested. No delete: a hook answers for what it has taken.

-- No policy of tenant on app.hook_receipts, and no privilege: what was taken is between a hook and its sender.
