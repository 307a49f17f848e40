/*
 * Events never change, and a delivery refers to an event of its own organisation. These triggers replace a foreign key:
 * with one, dropping a partition of events would lock all deliveries and check each of them.
 * (docs/decisions/0009-weekly-partitions.md)
 */
create function triggers.tg_events__refuse_change() returns trigger
language plpgsql
as $$
begin
  raise restrict_violation using message = 'an event stays as it is until its partition is dropped';
end
$$;

create trigger _100_refuse_change before delete or truncate or update of organisation_id, id on app.events
  for each statement execute function triggers.tg_events__refuse_change();

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
comment on function triggers.tg_deliveries__require_event is 'Instead of row-level security: looks up the event of the delivery, in the delivery''s organisation.';

create trigger _050_require_event after insert or update of organisation_id, event_id on app.deliveries
  for each row execute function triggers.tg_deliveries__require_event();

create function triggers.tg_events__set_position() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  select times.later_transaction(new.transaction_id, organisation.event_offset) into new.transaction_id
  from app.organisations organisation
  where organisation.id = new.organisation_id;
  return new;
end
$$;
comment on function triggers.tg_events__set_position is 'Instead of row-level security: reads the offset of the event''s organisation.';

create trigger _050_set_position before insert on app.events
  for each row execute function triggers.tg_events__set_position();

-- The processes that stream the feed read it again. The transaction states until when: an event can be read once all
-- earlier transactions have ended. Most transactions with an event notify anyway, of the run or of a delivery.
create function triggers.tg_events__notify() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform pg_notify(service.run_events_channel(), new.organisation_id || ' ' || new.transaction_id);
  return null;
end
$$;
comment on function triggers.tg_events__notify is 'Instead of row-level security: reads no row of an organisation.';

create trigger _600_notify after insert on app.events
  for each row execute function triggers.tg_events__notify();
