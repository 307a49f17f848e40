/*
 * The states of a run. Which may follow which is decided here and nowhere else, whoever writes. Entering and leaving
 * `running` keeps the clock of the working time; only that time counts against the budget. (decisions: "Run
 * transitions".)
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
    perform caller.refuse('conflict');
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

/*
 * Executors wait for word instead of asking again and again. Word goes out only from a transaction that leaves
 * something to take: a run newly queued, or a conversation that has become free for the next.
 */
create function triggers.tg_runs__wake_executors() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  perform pg_notify('botstead_runs', '');
  return null;
end
$$;

create trigger _800_wake_executors after insert on app.runs
  for each row when (new.state = 'queued')
  execute function triggers.tg_runs__wake_executors();

create trigger _800_wake_executors_again after update on app.runs
  for each row
  when (old.state is distinct from new.state and (new.state = 'queued' or old.state in ('running', 'waiting_approval')))
  execute function triggers.tg_runs__wake_executors();
