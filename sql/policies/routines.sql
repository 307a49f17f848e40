/*
 * Routines. A routine is part of its bot: whoever sees the bot sees when it fires and what it says, as they see the bot's
 * instructions; what the bot answers is its person's alone. (Beyond the specification; docs/decisions.md, "Routines and
 * hooks".)
 */
create policy select_of_visible_bots on app.routines
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and bot_id = any ((select caller.visible_bots())::uuid[])
  );
comment on policy select_of_visible_bots on app.routines is
  'The routines of bots that the caller sees.';

create policy insert_own on app.routines
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and created_by = (select caller.person_id())
    and (select caller.scope()) >= 'write'
    and bot_id = any ((select caller.visible_bots())::uuid[])
  );
comment on policy insert_own on app.routines is
  'A routine of the caller''s, of a bot that the caller sees. Scope write.';

create policy update_of_visible_bots on app.routines
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and bot_id = any ((select caller.visible_bots())::uuid[])
  );
comment on policy update_of_visible_bots on app.routines is
  'The routines of bots that the caller sees. Scope write.';

grant select on app.routines to tenant;
grant insert (organisation_id, bot_id, name, schedule, time_zone, message, created_by) on app.routines to tenant;
grant update (name, schedule, time_zone, message, state, deleted_at) on app.routines to tenant;
-- No write of next_firing_at: only who has evaluated the schedule knows it. What of these only its person may change is
-- told in triggers/automations.sql, since a policy does not see what a row was. No delete: it answers for its runs.
