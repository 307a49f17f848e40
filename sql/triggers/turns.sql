/*
 * Turns. A conversation names the run that may be taken next, so that an executor looks at one row a conversation,
 * however many runs wait in it: the oldest queued one, and none while one is working or waits for an approval. (decisions:
 * "Run transitions".)
 *
 * It is settled when the transaction commits. Then all runs that it writes are locked already, and each transaction locks
 * runs first and conversations last, whatever it does: two never wait for each other over a run and its conversation. Who
 * has the conversation's lock sees what the one before has committed; so nothing that changed at the same time is missed.
 *
 * Executors wait for word instead of asking again and again. It goes out only where something new can be taken, because
 * NOTIFY takes a lock over the whole cluster at commit; its payload is the model.
 */
create function triggers.tg_runs__settle_turn() returns trigger
language plpgsql
security definer
set search_path = ''
set enable_sort = off -- the first of the index is wanted, not all that wait
set enable_bitmapscan = off
as $$
-- In place of row-level security: it looks at the conversation of the run being written alone. A transaction may write
-- runs of several organisations, so each is settled under its own.
declare
  asking text := current_setting('caller.organisation_id', true);
  conversation app.conversations;
  next record;
begin
  perform set_config('caller.organisation_id', new.organisation_id::text, true);
  perform triggers.hold_model(new.bot_id);
  select held.* into conversation
  from app.conversations held
  where held.organisation_id = new.organisation_id and held.id = new.conversation_id
  for no key update;

  select run.id, bot.model into next
  from app.runs run
  join app.bots bot on bot.organisation_id = run.organisation_id and bot.id = run.bot_id
  where run.organisation_id = new.organisation_id
    and run.conversation_id = new.conversation_id
    and run.state = 'queued'
    and not exists (
      select from app.runs other
      where other.organisation_id = new.organisation_id
        and other.conversation_id = new.conversation_id
        and other.state in ('running', 'waiting_approval')
    )
  order by run.id
  limit 1;

  if (next.id, next.model) is distinct from (conversation.next_run_id, conversation.next_model) then
    update app.conversations held
    set next_run_id = next.id, next_model = next.model
    where held.organisation_id = new.organisation_id and held.id = new.conversation_id;
    if next.id is not null then
      perform pg_notify('botstead_runs', next.model);
    end if;
  end if;
  perform set_config('caller.organisation_id', coalesce(asking, ''), true);
  return null;
end
$$;
comment on function triggers.tg_runs__settle_turn is 'Instead of row-level security: looks at the conversation of the run being written alone.';

create constraint trigger _700_settle_turn after insert on app.runs
  deferrable initially deferred
  for each row when (new.state = 'queued')
  execute function triggers.tg_runs__settle_turn();

create constraint trigger _700_settle_turn_again after update on app.runs
  deferrable initially deferred
  for each row
  when (
    old.state is distinct from new.state
    and (old.state in ('queued', 'running', 'waiting_approval') or new.state = 'queued')
  )
  execute function triggers.tg_runs__settle_turn();

/*
 * A bot that is given another model takes its waiting runs along. Both sides take one lock, settling shared with each
 * other: whoever comes second sees what the first has written.
 */
create function triggers.hold_model(bot uuid) returns void
language sql
set search_path = ''
as $$ select pg_advisory_xact_lock_shared(20251121, hashtext(bot::text)) $$;
comment on function triggers.hold_model is 'Keeps the model of a bot from changing until the transaction ends.';

create function triggers.tg_bots__take_turns_along() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes the conversations of the bot being written alone.
declare
  asking text := current_setting('caller.organisation_id', true);
begin
  perform set_config('caller.organisation_id', new.organisation_id::text, true);
  perform pg_advisory_xact_lock(20251121, hashtext(new.id::text));
  update app.conversations held
  set next_model = new.model
  where held.organisation_id = new.organisation_id and held.bot_id = new.id and held.next_run_id is not null;
  perform pg_notify('botstead_runs', new.model);
  perform set_config('caller.organisation_id', coalesce(asking, ''), true);
  return null;
end
$$;
comment on function triggers.tg_bots__take_turns_along is 'Instead of row-level security: writes the conversations of the bot being written alone.';

create constraint trigger _700_take_turns_along after update on app.bots
  deferrable initially deferred
  for each row when (old.model <> new.model)
  execute function triggers.tg_bots__take_turns_along();
