/*
 * A bot that is deleted works no more and keeps no claims: its open runs are cancelled, which announces them, and what
 * it was told is erased.
 */
create function triggers.tg_bots__leave_nothing_open() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it touches runs and claims of the bot being deleted alone.
begin
  update app.runs
  set state = 'cancelled'
  where organisation_id = new.organisation_id
    and id = any (array(select triggers.open_runs(new.organisation_id, new.id, null)))
    and state not in ('completed', 'failed', 'cancelled');
  delete from app.memories where organisation_id = new.organisation_id and bot_id = new.id;
  delete from app.memory_history where organisation_id = new.organisation_id and bot_id = new.id;
  return null;
end
$$;
comment on function triggers.tg_bots__leave_nothing_open is 'Instead of row-level security: touches what belongs to the deleted bot alone.';

create trigger _500_leave_nothing_open after update on app.bots
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function triggers.tg_bots__leave_nothing_open();
