/*
 * The states of a run and all allowed transitions. Working time is the time in `running`; only that time counts against
 * the budget. (docs/specification/runs.md#states)
 */
create function triggers.tg_runs__refuse_unlisted_transition() returns trigger
language plpgsql
as $$
begin
  if old.postponed and new.state = 'running' or not (old.state, new.state) in (
    ('queued', 'running'), ('queued', 'paused_limit'), ('queued', 'cancelled'), ('queued', 'failed'),
    ('running', 'waiting_approval'), ('running', 'blocked'), ('running', 'paused_limit'), ('running', 'queued'),
    ('running', 'completed'), ('running', 'failed'), ('running', 'cancelled'),
    ('waiting_approval', 'queued'), ('waiting_approval', 'failed'), ('waiting_approval', 'cancelled'),
    ('blocked', 'queued'), ('blocked', 'failed'), ('blocked', 'cancelled'),
    ('paused_limit', 'queued'), ('paused_limit', 'cancelled')
  ) then
    perform errors.refuse('conflict');
  end if;
  return new;
end
$$;
comment on function triggers.tg_runs__refuse_unlisted_transition is 'Refuses a change of state that is not listed here, and the lease of a postponed run, with conflict.';

create trigger _100_refuse_unlisted_transition before update on app.runs
  for each row when (old.state is distinct from new.state)
  execute function triggers.tg_runs__refuse_unlisted_transition();

-- A paused run waits for the next month or for a higher limit. A transaction that raises the limit at the same time does
-- not see this pause. So runner.resume_paused checks again after a minute, when both have committed.
create function triggers.tg_runs__keep_times() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if old.state = 'running' then
    new.working := old.working + (clock_timestamp() - old.working_since);
    new.lease_id := null;
    new.lease_until := null;
  end if;
  new.postponed := false;
  new.working_since := case when new.state = 'running' then clock_timestamp() end;
  new.paused_until := case
    when new.state = 'paused_limit' then least(limits.next_month(), clock_timestamp() + interval '1 minute')
  end;
  if new.state in ('completed', 'failed', 'cancelled') then
    new.finished_at := clock_timestamp();
  end if;
  return new;
end
$$;
comment on function triggers.tg_runs__keep_times is 'Instead of row-level security: changes the row being written only, by old.state and new.state. Adds up the working time, ends the lease and a postponement, and sets the times of a pause and of the end.';

create trigger _200_keep_times before update on app.runs
  for each row when (old.state <> new.state)
  execute function triggers.tg_runs__keep_times();
