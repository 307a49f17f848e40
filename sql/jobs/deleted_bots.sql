/*
 * Clean-up after deleted bots: open runs to cancel and memories to delete, beyond what the deletion itself had time
 * for. Maintenance finds them by a column of the bot instead of a job, so nothing is lost if the job table is.
 */
create function jobs.cancel_runs_of_bots() returns boolean
language plpgsql
security definer set search_path = ''
set lock_timeout = '500ms'
as $$
declare
  batch_size constant integer := runs.max_changed();
  organisation uuid;
  bot uuid;
begin
  select bots.organisation_id, bots.id into organisation, bot
  from app.bots
  where bots.has_runs_left
  order by bots.organisation_id, bots.id
  limit 1
  for no key update skip locked;
  if bot is null then
    return false;
  end if;
  if runs.cancel_runs_of_bot(organisation, bot, batch_size) < batch_size then
    update app.bots set has_runs_left = false where bots.organisation_id = organisation and bots.id = bot;
  end if;
  return true;
exception
  when lock_not_available or sqlstate 'OA002' then
    return false; -- locked by another transaction, or the organisation departs; maintenance retries
end
$$;
comment on function jobs.cancel_runs_of_bots is 'Instead of row-level security: only worker may execute it. Cancels runs of deleted bots, and returns no row. At most 500 runs of one bot; returns whether there was such a bot.';
grant execute on function jobs.cancel_runs_of_bots to worker;

create function jobs.delete_memories_of_bots() returns boolean
language plpgsql
security definer set search_path = ''
set lock_timeout = '500ms'
as $$
declare
  organisation uuid;
  bot uuid;
begin
  select bots.organisation_id, bots.id into organisation, bot
  from app.bots
  where bots.has_memories_left
  order by bots.organisation_id, bots.id
  limit 1
  for no key update skip locked;
  if bot is null then
    return false;
  end if;
  if not erasure.delete_memories_of_bot(organisation, bot, erasure.max_rows()) then
    update app.bots set has_memories_left = false where bots.organisation_id = organisation and bots.id = bot;
  end if;
  return true;
exception
  when lock_not_available or sqlstate 'OA002' then
    return false; -- locked by another transaction, or the organisation departs; maintenance retries
end
$$;
comment on function jobs.delete_memories_of_bots is 'Instead of row-level security: only worker may execute it. Deletes memories of deleted bots, and returns no row. At most 1,000 memories of one bot; returns whether there was such a bot.';
grant execute on function jobs.delete_memories_of_bots to worker;
