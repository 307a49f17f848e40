/*
 * Events never change, and a delivery refers to an event of its own organisation. These triggers replace a foreign key:
 * with one, dropping a partition of events would lock all deliveries and check each of them.
 * (docs/decisions/0008-ids-partitions-and-indexes.md)
 */
create function triggers.tg_events__refuse_change() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    if triggers.is_deletion_step(old.organisation_id) then
      return old;
    end if;
  end if;
  raise restrict_violation using message = 'an event stays as it is until its partition is dropped';
end
$$;
comment on function triggers.tg_events__refuse_change is 'Refuses every change of an event, except the deletion of its organisation.';

create trigger _100_refuse_change before truncate or update of organisation_id, id on app.events
  for each statement execute function triggers.tg_events__refuse_change();
create trigger _100_refuse_deletion before delete on app.events
  for each row execute function triggers.tg_events__refuse_change();

create function triggers.tg_events__set_run() returns trigger
language plpgsql
as $$
begin
  new.run_id := new.data ->> 'runId';
  return new;
end
$$;
comment on function triggers.tg_events__set_run is 'Copies the id of the run from the data of the event.';

create trigger _100_set_run before insert on app.events
  for each row when (new.data ->> 'runId' is not null)
  execute function triggers.tg_events__set_run();

-- Events that were written between the first new migration and this build, possibly without the trigger. This build has locked
-- the table, so they are few.
update app.events event
set run_id = (event.data ->> 'runId')::uuid
where event.id >= times.least_id((
    select min(migration.date)
    from graphile_migrate.migrations migration
    where migration.date > (select max(build.built_at) from app.definition_builds build)
  ))
  and event.run_id is null and event.data ->> 'runId' is not null;

create function triggers.tg_deliveries__require_event() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if not exists (
    select from app.events event where event.organisation_id = new.organisation_id and event.id = new.event_id
  ) then
    raise foreign_key_violation using
      message = 'a delivery is of an event of its own organisation',
      constraint = 'deliveries_require_event';
  end if;
  return null;
end
$$;
comment on function triggers.tg_deliveries__require_event is 'Instead of row-level security: event.organisation_id = new.organisation_id. Refuses a delivery without event, in place of a foreign key.';

create trigger _050_require_event after insert or update of organisation_id, event_id on app.deliveries
  for each row execute function triggers.tg_deliveries__require_event();

/*
 * Positions in the feed follow the order of commits: the transaction takes the chain head of the organisation last, holds
 * it until it has committed, and numbers its events (sql/triggers/audit_log.sql). So a reader that sees a position sees
 * all events of the organisation below it, and no transaction of another organisation delays it.
 */
create function triggers.tg_events__await_position() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.audit_pending_entries (organisation_id, actor, resource, resource_id, changed)
  values (new.organisation_id, 'system', 'event', new.id, '{}');
  return null;
end
$$;
comment on function triggers.tg_events__await_position is 'Instead of row-level security: inserts with new.organisation_id. Queues the event for its position in the feed.';

create constraint trigger _900_await_position after insert on app.events
  deferrable initially deferred
  for each row execute function triggers.tg_events__await_position();

create function triggers.set_positions(organisation uuid, ids uuid[], last bigint) returns void
language sql
set plan_cache_mode = force_generic_plan -- as for triggers.tg_deliveries__queue_endpoint
set enable_seqscan = off
set enable_bitmapscan = off
as $$
  update app.events event
  set position = last + placed.place
  from unnest(ids) with ordinality placed (id, place)
  where event.organisation_id = organisation and event.id = placed.id
$$;
comment on function triggers.set_positions is 'Numbers these events after the last position. For definer functions of triggers only.';

-- The processes that stream the feed read it again. Most transactions with an event notify anyway, of the run or of a
-- delivery.
create function triggers.tg_events__notify() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform pg_notify(service.run_events_channel(), new.organisation_id::text);
  return null;
end
$$;
comment on function triggers.tg_events__notify is 'Instead of row-level security: reads new.organisation_id only. Notifies processes that stream the feed, which read it again.';

create trigger _600_notify after insert on app.events
  for each row execute function triggers.tg_events__notify();
