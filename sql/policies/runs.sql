/*
 * Runs. A member who sees a bot sees its runs with their state, steps and cost. The text of a run is in messages, which
 * are visible with the conversation. People start runs in their own conversations and cancel runs of the bots they see.
 * (docs/specification/runs.md#visibility)
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
  'A queued run of the caller in a conversation of the caller with the bot. Scope write.';

create policy update_to_cancel on app.runs
  for update to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and bot_id in (select bot.id from app.bots bot)
    and (select caller.scope()) >= 'write'
  )
  with check (state = 'cancelled');
comment on policy update_to_cancel on app.runs is
  'The runs of bots that the caller sees, to cancel them only. Scope write.';

grant select on app.runs to tenant;
grant insert (organisation_id, bot_id, conversation_id, person_id, trigger, taint, traceparent, start_at, concurrency_key) on app.runs to tenant;
grant update (state) on app.runs to tenant;
-- Not granted: any write of steps, spending, budgets and leases, which executors write; of what triggers set for start times and keys.

-- `exists`, so that the run of each row is looked up. With `in`, all runs of the organisation would be read.
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
-- Not granted: any write. Executors write steps.

-- `exists`, as for steps. A filter by a frequent pair reads many rows, and the planner would hash all runs.
create policy select_of_visible_runs on app.run_metadata
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and exists (
      select from app.runs run
      where run.organisation_id = run_metadata.organisation_id and run.id = run_metadata.run_id -- runs' own policy decides
      offset 0
    )
  );
comment on policy select_of_visible_runs on app.run_metadata is
  'The metadata of runs that the caller sees.';

create policy insert_with_own_run on app.run_metadata
  for insert to tenant
  with check (
    organisation_id = (select caller.organisation_id())
    and (select caller.scope()) >= 'write'
    and exists (
      select from app.runs run
      where run.organisation_id = run_metadata.organisation_id
        and run.id = run_metadata.run_id
        and run.person_id = (select caller.person_id())
    )
  );
comment on policy insert_with_own_run on app.run_metadata is
  'The metadata of a run of the caller. Scope write.';

grant select (organisation_id, run_id, key, value) on app.run_metadata to tenant;
grant insert (organisation_id, run_id, key, value) on app.run_metadata to tenant;
-- Not granted: update and delete, since metadata never changes; the digest, which a trigger sets.

-- Not granted: anything of step_results. Executors read and write results under the lease of the run.
