/*
 * Events of a run, written in the transaction of the change, with a notification to watching processes. The lock of the
 * run covers the choice of a number. So numbers have no gap, and no event is committed behind a number that was read.
 * (docs/specification/runs.md#event-stream)
 *
 * The notification carries the run's id only. NOTIFY takes a lock over the whole cluster at commit, so only visible
 * changes notify: a renewed lease does not, nor does the first event of a run, which no process can be watching yet.
 */
create function triggers.notify_run(event app.run_events) returns void
language plpgsql
as $$
begin
  perform from app.runs run
  where run.organisation_id = event.organisation_id and run.id = event.run_id
  for no key update;
  select coalesce(max(earlier.number), 0) + 1 into event.number
  from app.run_events earlier
  where earlier.organisation_id = event.organisation_id and earlier.run_id = event.run_id;
  insert into app.run_events values (event.*);
  perform pg_notify(service.run_events_channel(), event.run_id::text);
end
$$;
comment on function triggers.notify_run is 'Numbers and writes the next event of a run, and notifies watching processes.';

create function triggers.tg_runs__add_run_event() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  event app.run_events;
begin
  event.organisation_id := new.organisation_id;
  event.run_id := new.id;
  event.state := new.state;
  event.taint := new.taint;
  event.steps := new.steps;
  event.spend_micro_cents := new.spend_micro_cents;
  if tg_op = 'INSERT' then -- no other transaction sees the run, so nothing is locked or notified
    event.number := 1;
    insert into app.run_events values (event.*);
  else
    perform triggers.notify_run(event);
  end if;
  return null;
end
$$;
comment on function triggers.tg_runs__add_run_event is 'Instead of row-level security: inserts with new.organisation_id and new.id. Writes an event of the run with its state, and notifies watching processes.';

create trigger _600_add_run_event after insert on app.runs
  for each row execute function triggers.tg_runs__add_run_event();

create trigger _600_add_run_event_again after update on app.runs
  for each row when (old.state <> new.state)
  execute function triggers.tg_runs__add_run_event();

-- Argument 1 is the column of the event that gets the value of the column named by argument 2.
create function triggers.add_run_event_of() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.notify_run(jsonb_populate_record(
    null::app.run_events,
    jsonb_build_object(
      'organisation_id', new.organisation_id, 'run_id', new.run_id, tg_argv[0], to_jsonb(new) -> tg_argv[1]
    )
  ));
  return null;
end
$$;
comment on function triggers.add_run_event_of is 'Instead of row-level security: triggers.notify_run, with new.organisation_id and new.run_id. Writes an event of the run with a value of the new row.';

create trigger _600_add_run_event after insert on app.steps
  for each row execute function triggers.add_run_event_of('step_number', 'number');

-- Not for messages of the person, who knows them.
create trigger _600_add_run_event after insert on app.messages
  for each row when (new.author = 'bot')
  execute function triggers.add_run_event_of('message_id', 'id');

create trigger _600_add_run_event after insert on app.approvals
  for each row execute function triggers.add_run_event_of('approval_id', 'id');
