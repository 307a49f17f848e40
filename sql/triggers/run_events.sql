/*
 * What happened to a run, written in the transaction in which it happens, and word of it to those who watch. Numbers are
 * given under the lock of the run, which everybody holds who writes to one: so they have no gap, nothing is committed
 * behind a number that somebody has read, and whoever has read up to one has missed nothing. (decisions: "Beyond the
 * specification", 1.)
 *
 * Word names the run and nothing of it. NOTIFY takes a lock over the whole cluster when it commits, so only what there is
 * to see tells of itself: a lease that is renewed does not, nor a run that begins, which nobody can be watching yet.
 */
create function triggers.tell_of_run(event app.run_events) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform from app.runs run
  where run.organisation_id = event.organisation_id and run.id = event.run_id
  for no key update;
  select coalesce(max(earlier.number), 0) + 1 into event.number
  from app.run_events earlier
  where earlier.organisation_id = event.organisation_id and earlier.run_id = event.run_id;
  insert into app.run_events values (event.*);
  if event.number > 1 then
    perform pg_notify('botstead_run_events', event.run_id::text);
  end if;
end
$$;
comment on function triggers.tell_of_run is 'Writes the next event of a run, whose number it gives, and sends word of it.';

create function triggers.tg_runs__tell() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes of the run being written alone.
declare
  event app.run_events;
begin
  event.organisation_id := new.organisation_id;
  event.run_id := new.id;
  event.state := new.state;
  event.taint := new.taint;
  event.steps := new.steps;
  event.spend_micro_cents := new.spend_micro_cents;
  perform triggers.tell_of_run(event);
  return null;
end
$$;
comment on function triggers.tg_runs__tell is 'Instead of row-level security: writes of the run being written alone.';

create trigger _600_tell after insert on app.runs
  for each row execute function triggers.tg_runs__tell();

create trigger _600_tell_again after update on app.runs
  for each row when (old.state <> new.state)
  execute function triggers.tg_runs__tell();

create function triggers.tg_steps__tell() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes of the step being written alone.
declare
  event app.run_events;
begin
  event.organisation_id := new.organisation_id;
  event.run_id := new.run_id;
  event.step_number := new.number;
  perform triggers.tell_of_run(event);
  return null;
end
$$;
comment on function triggers.tg_steps__tell is 'Instead of row-level security: writes of the step being written alone.';

create trigger _600_tell after insert on app.steps
  for each row execute function triggers.tg_steps__tell();

create function triggers.tg_messages__tell() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes of the message being written alone.
declare
  event app.run_events;
begin
  event.organisation_id := new.organisation_id;
  event.run_id := new.run_id;
  event.message_id := new.id;
  perform triggers.tell_of_run(event);
  return null;
end
$$;
comment on function triggers.tg_messages__tell is 'Instead of row-level security: writes of the message being written alone.';

-- What the person says they know.
create trigger _600_tell after insert on app.messages
  for each row when (new.author = 'bot')
  execute function triggers.tg_messages__tell();

create function triggers.tg_approvals__tell() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes of the card being written alone.
declare
  event app.run_events;
begin
  event.organisation_id := new.organisation_id;
  event.run_id := new.run_id;
  event.approval_id := new.id;
  perform triggers.tell_of_run(event);
  return null;
end
$$;
comment on function triggers.tg_approvals__tell is 'Instead of row-level security: writes of the card being written alone.';

create trigger _600_tell after insert on app.approvals
  for each row execute function triggers.tg_approvals__tell();
