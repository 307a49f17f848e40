/*
 * Transitions by time: expired leases, exceeded working time, pauses and postponements that end. Each lease of a run applies them first.
 * Rows that others have locked are skipped; the next call takes them. (docs/specification/runs.md#states)
 */
-- Exceeded working time fails a run even if its executor is silent. An expired lease queues the run again. The third
-- expired lease fails it, since a run that crashes its executors must not do so for ever.
create function runner.release_expired() returns setof app.runs
language sql
security definer set search_path = ''
as $$
  with overdue as (
    select run.organisation_id, run.id,
      run.working + (now() - run.working_since) > run.budget_working as spent,
      run.executors_lost >= 2 as hopeless
    from app.runs run
    where run.state = 'running'
      and (run.lease_until < now() or run.working + (now() - run.working_since) > run.budget_working)
    for no key update skip locked
  )
  update app.runs run
  set
    state = case when overdue.spent or overdue.hopeless then 'failed' else 'queued' end::app.run_state,
    error = case when overdue.spent then 'budget_time' when overdue.hopeless then 'executor_lost' end::app.run_error,
    executors_lost = run.executors_lost + 1
  from overdue
  where run.organisation_id = overdue.organisation_id and run.id = overdue.id
  returning run.*
$$;
comment on function runner.release_expired is 'Instead of row-level security: only owner may execute it. Returns the runs that it changed.';

-- Runs paused by the limit continue in the next month, unless that month's limit is reached as well. If the limit was
-- raised just when the pause began, they continue after a minute.
create function runner.resume_paused() returns setof app.runs
language sql
security definer set search_path = ''
as $$
  with due as (
    select run.organisation_id, run.id, triggers.at_limit(run.organisation_id) as again
    from app.runs run
    where run.state = 'paused_limit' and run.paused_until <= now()
    order by run.paused_until
    limit 1000
    for no key update skip locked
  )
  update app.runs run
  set
    state = case when due.again then run.state else 'queued' end,
    paused_until = case when due.again then limits.next_month() else run.paused_until end
  from due
  where run.organisation_id = due.organisation_id and run.id = due.id
  returning run.*
$$;
comment on function runner.resume_paused is 'Instead of row-level security: only owner may execute it. Returns the runs that it changed.';

-- Many runs may have one start time, in the same conversations. One transaction at a time releases them: two would lock
-- these conversations at their commits in different orders. At most as many as a statement may change, so that a lease is not late.
create function runner.release_postponed() returns setof app.runs
language sql
security definer set search_path = ''
as $$
  with due as (
    select run.organisation_id, run.id
    from app.runs run
    where run.postponed and run.concurrency_key is null and run.start_at <= now()
    order by run.start_at
    limit runs.max_changed()
    for no key update skip locked
  )
  update app.runs run
  set postponed = false
  from due
  where run.organisation_id = due.organisation_id and run.id = due.id
  returning run.*
$$;
comment on function runner.release_postponed is 'Instead of row-level security: only owner may execute it. Returns the runs without a concurrency key whose start time has come.';

create function runner.any_to_release() returns boolean
language sql stable
as $$
  select exists (select from app.runs run where run.postponed and run.concurrency_key is null and run.start_at <= now())
    or exists (select from app.runs run where run.settles_key_at <= now())
$$;
comment on function runner.any_to_release is 'Whether the start time of a postponed run has come, or a concurrency key is to be passed on. It costs a fifth of the updates that would find none.';

create function runner.end_overdue() returns app.runs[]
language plpgsql
as $$
declare
  changed app.runs[] := array(select run from runner.release_expired() run)
    || array(select run from runner.expire_approvals() run)
    || array(select run from runner.resume_paused() run);
begin
  if runner.any_to_release() and runner.lock_of_busy('postponed runs', waits => false) then
    -- Shorter than deadlock_timeout: the commit of a call of the API may lock the same conversations in another order. Then
    -- this call gives way, and the next one releases the runs.
    perform set_config('lock_timeout', '100ms', true);
    changed := changed || array(select run from runner.release_postponed() run) || array(select run from runner.pass_keys() run);
  end if;
  return changed;
end
$$;
comment on function runner.end_overdue is 'Does all that is due by time. Returns the runs whose conversations may have another turn.';

create function runner.pause_queued(organisation uuid, at_most integer) returns integer
language sql
security definer set search_path = ''
as $$
  with waiting as (
    select run.id
    from app.runs run
    where run.organisation_id = organisation and run.state = 'queued' and not run.postponed
    limit at_most
    for no key update skip locked
  ), paused as (
    update app.runs run
    set state = 'paused_limit'
    from waiting
    where run.organisation_id = organisation and run.id = waiting.id
    returning true
  )
  select count(*)::integer from paused
$$;
comment on function runner.pause_queued is 'Instead of row-level security: only owner may execute it. Returns how many runs it paused.';

create function runner.end_queued(bot app.bots, at_most integer) returns integer
language sql
security definer set search_path = ''
as $$
  with waiting as (
    select run.id
    from app.runs run
    where run.organisation_id = bot.organisation_id and run.bot_id = bot.id and run.state = 'queued' and not run.postponed
    limit at_most
    for no key update skip locked
  ), ended as (
    update app.runs run
    set
      state = case when bot.deleted_at is null then 'failed' else 'cancelled' end::app.run_state,
      error = case when bot.deleted_at is null then 'refused' end::app.run_error
    from waiting
    where run.organisation_id = bot.organisation_id and run.id = waiting.id
    returning true
  )
  select count(*)::integer from ended
$$;
comment on function runner.end_queued is 'Instead of row-level security: only owner may execute it. Cancels queued runs of a deleted bot, and fails queued runs of a withdrawn model. Returns how many.';

-- Removes runs from the queue that must not be worked on: of a deleted bot whose deletion could not cancel all, of a
-- withdrawn model, and of an organisation at its limit.
create function runner.remove_unservable(next app.runs, at_most integer) returns integer
language plpgsql
security definer set search_path = ''
as $$
declare
  bot app.bots;
begin
  select bots.* into bot
  from app.bots
  where bots.organisation_id = next.organisation_id and bots.id = next.bot_id;
  if bot.deleted_at is not null or models.is_withdrawn(bot.model) then
    return runner.end_queued(bot, at_most);
  end if;
  return case
    when triggers.at_limit(next.organisation_id) then runner.pause_queued(next.organisation_id, at_most)
    else 0
  end;
end
$$;
comment on function runner.remove_unservable is 'Instead of row-level security: only owner may execute it. Returns how many runs it removed from the queue; 0 if the given run may be worked on.';
