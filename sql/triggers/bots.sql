/*
 * Only its owner sees a personal bot, so the owner must be a member. The lock on the membership orders this check and
 * the removal of the member: either the bot is refused, or the removal deletes it.
 */
create function triggers.tg_bots__require_member() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform from app.memberships member
  where member.organisation_id = new.organisation_id and member.person_id = new.owner_id
  for key share;
  if not found then
    perform errors.refuse('unauthenticated');
  end if;
  return new;
end
$$;
comment on function triggers.tg_bots__require_member is 'Instead of row-level security: member.organisation_id = new.organisation_id. Refuses a bot whose owner is no member.';

create trigger _100_require_member before insert on app.bots
  for each row when (new.visibility = 'personal')
  execute function triggers.tg_bots__require_member();
create trigger _100_require_member_on_update before update of visibility on app.bots
  for each row when (new.visibility = 'personal' and old.visibility <> 'personal')
  execute function triggers.tg_bots__require_member();

/*
 * The deletion of a bot cancels its open runs and erases its memories, up to a maximum for all bots that one
 * transaction deletes. The worker does the rest (jobs.cancel_runs_of_bots, jobs.delete_memories_of_bots).
 */
create function triggers.reserve_rows(purpose text, wanted integer, maximum integer) returns integer
language plpgsql
as $$
declare
  used constant integer := coalesce(nullif(current_setting('triggers.' || purpose, true), '')::integer, 0);
  granted constant integer := least(wanted, maximum - used);
begin
  perform set_config('triggers.' || purpose, (used + granted)::text, true);
  return granted;
end
$$;
comment on function triggers.reserve_rows is 'How many of the wanted rows this transaction may still process, which may process the maximum for this purpose.';

create function triggers.tg_bots__end_work() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  max_runs constant integer := runs.max_changed();
  max_memories constant integer := erasure.max_rows();
  run_count integer;
  memory_count integer;
  runs_left boolean;
  memories_left boolean;
begin
  select count(*) into run_count
  from (select runs.open_runs(new.organisation_id, new.id, null) limit max_runs + 1) open;
  runs_left := runs.cancel_runs_of_bot(
    new.organisation_id, new.id, triggers.reserve_rows('runs_cancelled', run_count, max_runs)
  ) < run_count;
  -- After the runs: the cancellation may wait for a run that still writes memories.
  select count(*) into memory_count from (
    select 1 from app.memories memory where memory.organisation_id = new.organisation_id and memory.bot_id = new.id
    union all
    select 1 from app.memory_history change where change.organisation_id = new.organisation_id and change.bot_id = new.id
    union all
    select 1 from erasure.results_of_bot(new.organisation_id, new.id)
    limit max_memories
  ) memory_or_change;
  memories_left := erasure.delete_memories_of_bot(
    new.organisation_id, new.id, triggers.reserve_rows('memories_deleted', memory_count, max_memories)
  );
  if runs_left or memories_left then
    update app.bots set has_runs_left = runs_left, has_memories_left = memories_left
    where organisation_id = new.organisation_id and id = new.id;
  end if;
  return null;
end
$$;
comment on function triggers.tg_bots__end_work is 'Instead of row-level security: runs.cancel_runs_of_bot and erasure.delete_memories_of_bot, with new.organisation_id and new.id. Cancels runs and deletes memories of the deleted bot; a job continues beyond the bound of a transaction.';

create trigger _500_end_work after update on app.bots
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function triggers.tg_bots__end_work();
