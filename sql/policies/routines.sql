/*
 * Routines. A member who sees the bot sees its routines with schedule and message. The answers are in the creator's
 * conversation. (Beyond the specification; docs/specification/routines.md#ownership)
 */
create policy select_of_visible_bots on app.routines
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and bot_id = any ((select policies.visible_bots())::uuid[])
  );
comment on policy select_of_visible_bots on app.routines is
  'The routines of bots that the caller sees.';

create policy insert_own on app.routines
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and created_by = (select caller.person_id())
    and (select caller.scope()) >= 'write'
    and bot_id = any ((select policies.visible_bots())::uuid[])
  );
comment on policy insert_own on app.routines is
  'A routine of the caller for a bot that the caller sees. Scope write.';

create policy update_of_visible_bots on app.routines
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and bot_id = any ((select policies.visible_bots())::uuid[])
  );
comment on policy update_of_visible_bots on app.routines is
  'The routines of bots that the caller sees. Scope write.';

grant select on app.routines to tenant;
grant insert (organisation_id, bot_id, name, schedule, time_zone, message, created_by, next_firing_at) on app.routines to tenant;
grant update (name, schedule, time_zone, message, state, deleted_at) on app.routines to tenant;
-- Not granted: update of next_firing_at, which the worker computes; delete, since runs refer to the row.
-- triggers/automations.sql restricts some columns to the creator, because a policy cannot compare old and new values.
