/*
 * The states of a run and all allowed transitions. Working time is the time in `running`; only that time counts against
 * the budget. (docs/specification/runs.md#states)
 */
create function triggers.tg_runs__refuse_unlisted_transition() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if not (old.state, new.state) in (
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

create trigger _100_refuse_unlisted_transition before update on app.runs
  for each row when (old.state is distinct from new.state)
  execute function triggers.tg_runs__refuse_unlisted_transition();

create function triggers.tg_runs__stop_clock() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.working := old.working + (clock_timestamp() - old.working_since);
  new.working_since := null;
  new.lease_id := null;
  new.lease_until := null;
  return new;
end
$$;

create trigger _200_stop_clock before update on app.runs
  for each row when (old.state = 'running' and new.state <> 'running')
  execute function triggers.tg_runs__stop_clock();

create function triggers.tg_runs__start_clock() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.working_since := clock_timestamp();
  return new;
end
$$;

create trigger _200_start_clock before update on app.runs
  for each row when (old.state <> 'running' and new.state = 'running')
  execute function triggers.tg_runs__start_clock();

create function triggers.tg_runs__set_finished() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.finished_at := clock_timestamp();
  return new;
end
$$;

create trigger _300_set_finished before update on app.runs
  for each row
  when (old.state <> new.state and new.state in ('completed', 'failed', 'cancelled'))
  execute function triggers.tg_runs__set_finished();

-- The run waits for the next month or for a higher limit. A transaction that raises the limit at the same time does not
-- see this pause. So runner.resume_paused checks again after a minute, when both have committed.
create function triggers.tg_runs__begin_pause() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  new.paused_until := least(limits.next_month(), clock_timestamp() + interval '1 minute');
  return new;
end
$$;
comment on function triggers.tg_runs__begin_pause is 'Instead of row-level security: reads no row but the one being written.';

create trigger _300_begin_pause before update on app.runs
  for each row when (old.state <> 'paused_limit' and new.state = 'paused_limit')
  execute function triggers.tg_runs__begin_pause();

create function triggers.tg_runs__end_pause() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.paused_until := null;
  return new;
end
$$;

create trigger _300_end_pause before update on app.runs
  for each row when (old.state = 'paused_limit' and new.state <> 'paused_limit')
  execute function triggers.tg_runs__end_pause();
