/*
 * Concurrency keys: at most one run of an organisation with a key is queued for executors or works. All others with the
 * key are postponed. (docs/specification/runs.md#concurrency-key)
 *
 * - A start has the lock of the organisation. Only the first open run with a key is not postponed.
 * - A run that waits for the key, or that leaves it, is marked (settles_key_at). The next lease releases the oldest waiting
 *   run if no other one has the key (runner/concurrency_keys.sql). It locks rows of its own transaction only, so that the
 *   end of a run waits for no other run. A mark is cleared by a transaction that saw what it stands for: no run is forgotten.
 * - A run that returns to the queue after its executor was lost, or after an answer, still has the key.
 */
create function triggers.has_key(state app.run_state) returns boolean
language sql immutable parallel safe
as $$ select state in ('queued', 'running', 'waiting_approval') $$;
comment on function triggers.has_key is 'Whether a run in this state has its concurrency key, unless it is postponed.';

create function triggers.tg_runs__wait_for_key() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.concurrency_key_digest := erasure.digest_of(names.spelled(new.concurrency_key));
  if new.postponed or exists (
    select from app.runs other
    where other.organisation_id = new.organisation_id
      and other.concurrency_key = new.concurrency_key
      and other.finished_at is null
  ) then
    new.postponed := true;
    new.settles_key_at := greatest(new.start_at, now());
  end if;
  return new;
end
$$;
comment on function triggers.tg_runs__wait_for_key is 'Instead of row-level security: other.organisation_id = new.organisation_id. Postpones a run if another open run has its key. Under the lock of the organisation, so no other start comes between.';

create trigger _140_wait_for_key before insert on app.runs
  for each row when (new.concurrency_key is not null) execute function triggers.tg_runs__wait_for_key();

create function triggers.tg_runs__settle_key() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.postponed := new.state = 'queued' and not triggers.has_key(old.state);
  if new.postponed or triggers.has_key(old.state) and not old.postponed and not triggers.has_key(new.state) then
    new.settles_key_at := now();
  end if;
  return new;
end
$$;
comment on function triggers.tg_runs__settle_key is 'Instead of row-level security: changes the row being written only, by old.state and new.state. Marks a run that leaves its key, and postpones and marks one that returns to the queue without it.';

create trigger _300_settle_key before update on app.runs
  for each row when (new.concurrency_key is not null and old.state <> new.state)
  execute function triggers.tg_runs__settle_key();

create function triggers.tg_runs__wake_for_key() returns trigger
language plpgsql
as $$
begin
  perform pg_notify('botstead_runs', '');
  return null;
end
$$;
comment on function triggers.tg_runs__wake_for_key is 'Wakes executors, which look for the next run with the key.';

create trigger _700_wake_for_key after insert on app.runs
  for each row when (new.settles_key_at is not null and coalesce(new.start_at, '-infinity') <= now())
  execute function triggers.tg_runs__wake_for_key();
create trigger _700_wake_for_key_again after update on app.runs
  for each row when (old.settles_key_at is distinct from new.settles_key_at and new.settles_key_at is not null)
  execute function triggers.tg_runs__wake_for_key();
