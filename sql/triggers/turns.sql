/*
 * Turns. A conversation names the run that may be leased next, so that an executor reads one row per conversation. It
 * is the oldest queued run, and none while a run of the conversation is working or waits for an approval. A postponed run
 * has no turn: another run goes first. (docs/specification/runs.md#queue)
 *
 * A deferred trigger sets it at commit. Every transaction then locks runs first and conversations last, so that no two
 * wait for each other. The holder of a conversation's lock sees all earlier commits, so it misses no concurrent change.
 *
 * Executors listen instead of polling. A notification is sent only if there is a run to lease, because NOTIFY takes a
 * lock over the whole cluster at commit. It has no payload: every login can listen, and a model's name may identify a
 * tenant.
 */
create function triggers.next_turn(organisation uuid, conversation uuid, out run_id uuid, out model text, out since timestamptz)
language sql stable -- without settings of its own, so that it is planned with the settings of its caller
as $$
  select run.id, bot.model, greatest(run.start_at, run.created_at)
  from app.runs run
  join app.bots bot on bot.organisation_id = run.organisation_id and bot.id = run.bot_id
  where run.organisation_id = organisation
    and run.conversation_id = conversation
    and run.state = 'queued'
    and not run.postponed
    and not exists (
      select from app.runs other
      where other.organisation_id = organisation
        and other.conversation_id = conversation
        and other.state in ('running', 'waiting_approval')
    )
  order by greatest(run.start_at, run.created_at), run.id
  limit 1
$$;
comment on function triggers.next_turn is 'The run of a conversation that may be leased next, its model and its place in the queue; null if there is none.';

create function triggers.tg_runs__settle_turn() returns trigger
language plpgsql
security definer set search_path = ''
set enable_sort = off -- so that the first row of the index is read, and not all queued runs
set enable_bitmapscan = off
as $$
declare
  former_organisation text := current_setting('caller.organisation_id', true);
  conversation app.conversations;
  next record;
  ignored text; -- unused: assigning the result avoids a separate SQL statement
begin
  ignored := set_config('caller.organisation_id', new.organisation_id::text, true);
  ignored := triggers.lock_model_shared(new.bot_id);
  select conversations.* into conversation
  from app.conversations
  where conversations.organisation_id = new.organisation_id and conversations.id = new.conversation_id
  for no key update;
  select * into next from triggers.next_turn(new.organisation_id, new.conversation_id);
  if (next.run_id, next.model) is distinct from (conversation.next_run_id, conversation.next_model) then
    update app.conversations
    set next_run_id = next.run_id, next_model = next.model, next_since = next.since
    where conversations.organisation_id = new.organisation_id and conversations.id = new.conversation_id;
    if next.run_id is not null then
      perform pg_notify('botstead_runs', '');
    end if;
  end if;
  ignored := set_config('caller.organisation_id', coalesce(former_organisation, ''), true);
  return null;
end
$$;
comment on function triggers.tg_runs__settle_turn is 'Instead of row-level security: conversations.organisation_id = new.organisation_id. Stores the run that the conversation leases next, and wakes executors.';

create constraint trigger _700_settle_turn after insert on app.runs
  deferrable initially deferred
  for each row when (new.state = 'queued' and not new.postponed)
  execute function triggers.tg_runs__settle_turn();

create constraint trigger _700_settle_turn_again after update on app.runs
  deferrable initially deferred
  for each row
  when (
    old.postponed <> new.postponed
    or old.state is distinct from new.state
    and (old.state in ('queued', 'running', 'waiting_approval') or new.state = 'queued')
  )
  execute function triggers.tg_runs__settle_turn();

/*
 * A new model of a bot applies to its queued runs. This trigger and the settling of turns lock the model (the latter in
 * shared mode), so that the later transaction sees the earlier one.
 */
create function triggers.lock_model_shared(bot uuid) returns void
language sql
as $$ select service.lock_shared('model of ' || bot) $$;
comment on function triggers.lock_model_shared is 'Keeps the model of a bot from changing until the transaction ends.';

create function triggers.tg_bots__set_next_model() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  former_organisation text := current_setting('caller.organisation_id', true);
begin
  perform set_config('caller.organisation_id', new.organisation_id::text, true);
  perform service.lock('model of ' || new.id);
  update app.conversations conversation
  set next_model = new.model
  where conversation.organisation_id = new.organisation_id
    and conversation.bot_id = new.id
    and conversation.next_run_id is not null;
  perform pg_notify('botstead_runs', '');
  perform set_config('caller.organisation_id', coalesce(former_organisation, ''), true);
  return null;
end
$$;
comment on function triggers.tg_bots__set_next_model is 'Instead of row-level security: conversation.organisation_id = new.organisation_id. Stores the new model where runs of the bot wait, and wakes executors.';

create constraint trigger _700_set_next_model after update on app.bots
  deferrable initially deferred
  for each row when (old.model <> new.model)
  execute function triggers.tg_bots__set_next_model();
