/*
 * Runs. Whoever sees a bot sees that it ran, how far and at what cost; the words of a run are in messages and follow
 * the conversation. People start runs in their own conversations and cancel runs of the bots they see. (Part 4, "Runs".)
 */
create policy select_of_visible_bots on app.runs
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and bot_id in (select bot.id from app.bots bot) -- bots' own policy decides
  );
comment on policy select_of_visible_bots on app.runs is
  'The runs of bots that the caller sees.';

create policy insert_own on app.runs
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and person_id = (select caller.person_id())
    and (select caller.scope()) >= 'write'
    and trigger = 'api'
    and state = 'queued'
    and conversation_id in (
      select conversation.id from app.conversations conversation where conversation.bot_id = runs.bot_id
    )
  );
comment on policy insert_own on app.runs is
  'A queued run of the caller''s, in a conversation of the caller with the bot. Scope write.';

create policy update_to_cancel on app.runs
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and bot_id in (select bot.id from app.bots bot)
    and (select caller.scope()) >= 'write'
  )
  with check (state = 'cancelled');
comment on policy update_to_cancel on app.runs is
  'The runs of bots that the caller sees: cancelled, and nothing else. Scope write.';

grant select on app.runs to tenant;
grant insert (organisation_id, bot_id, conversation_id, person_id, trigger, taint, traceparent) on app.runs to tenant;
grant update (state) on app.runs to tenant;
-- No write of steps, spend, budgets or lease: they belong to the executor and to the rules it works under.

-- By `exists` and not by `in`: the one run of each row is looked up, where all runs of the organisation would be read.
create policy select_of_visible_runs on app.steps
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and exists (
      select from app.runs run
      where run.organisation_id = steps.organisation_id and run.id = steps.run_id -- runs' own policy decides
    )
  );
comment on policy select_of_visible_runs on app.steps is
  'The steps of runs that the caller sees.';

grant select on app.steps to tenant;
-- No write: steps are what an executor did.
