--! Previous: sha1:6de0bac4eee74ead5d25cb46b767279e206c615c
--! Hash: sha1:d6efcd7b77d56d43925ad1559016ed5a75c3dd1f
--! Message: partitions

-- Events, deliveries and attempts move into partitions, a week each, so that what is old goes by dropping a table and
-- not by deleting rows. (docs/decisions.md, "Partitions".)

alter type app.mail_kind add value 'endpoint_disabled';

alter table app.service_settings
  add column delivery_retention interval not null default interval '30 days'
    check (delivery_retention >= interval '1 day');
comment on column app.service_settings.delivery_retention is 'How long events, deliveries and attempts are kept at least; they go a week at a time, once the youngest of the week is older.';

alter table app.webhook_endpoints add column troubled_since timestamptz(3);
comment on column app.webhook_endpoints.troubled_since is 'Since when attempts at this endpoint have failed one after the other; null when the last one was delivered, or none was made.';

create schema partitions;
revoke all on schema partitions from public;
comment on schema partitions is 'The weeks of app.events, app.deliveries and app.delivery_attempts. Reached through these tables alone: nobody may enter here.';

-- Indexes keep their names' places: what was goes into a schema of its own until its rows have been taken over.
create schema former;
alter table app.events set schema former;
alter table app.deliveries set schema former;
alter table app.delivery_attempts set schema former;

create table app.events (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  kind app.event_kind not null,
  data json not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id)
) partition by range (id);
create index events_in_commit_order on app.events (organisation_id, transaction_id, id);
comment on column app.events.transaction_id is 'Who pages by (transaction_id, id), and stops below the oldest transaction under way, skips nothing.';

create table app.deliveries (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  endpoint_id uuid not null,
  event_id uuid not null,
  event app.event_kind not null,
  state app.delivery_state not null default 'pending',
  attempts integer not null default 0,
  attempts_before_round integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  trigger app.attempt_trigger not null default 'scheduled',
  claim_id uuid,
  claimed_until timestamptz(3),
  last_status_code integer,
  last_failure app.attempt_failure,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3) default now(),
  delivered_at timestamptz(3),
  primary key (organisation_id, id),
  foreign key (organisation_id, endpoint_id) references app.webhook_endpoints (organisation_id, id),
  check ((state = 'delivered') = (delivered_at is not null)),
  check ((state = 'pending') = (next_attempt_at is not null))
) partition by range (id);
create index deliveries_of_endpoint on app.deliveries (organisation_id, endpoint_id, id);
create index deliveries_pending on app.deliveries (organisation_id, endpoint_id, next_attempt_at) where state = 'pending';
create index deliveries_claimed on app.deliveries (organisation_id, endpoint_id) where claim_id is not null;
create index deliveries_of_event on app.deliveries (event_id, organisation_id, endpoint_id);
comment on column app.deliveries.event_id is 'An event of the same organisation: held by triggers, since a foreign key would have to be checked against every delivery whenever a week of events is dropped.';
comment on column app.deliveries.attempts_before_round is 'Attempts made before the present round: a redelivery begins a new round while the log goes on.';
comment on column app.deliveries.claimed_until is 'Until when the attempt under way can still be recorded; after that its worker is taken for lost.';
comment on column app.deliveries.claim_id is 'Names the attempt under way, so that an attempt overtaken by another records nothing.';
comment on index app.deliveries_of_event is 'Led by event_id and not by the organisation, so that one probe tells whether anything refers to a week of events.';

-- A week of attempts belongs to the same week of deliveries, and refers to that one: each partition has its own foreign
-- key, for which nothing has to be checked when both go. (sql/jobs/partitions.sql)
create table app.delivery_attempts (
  organisation_id uuid not null references app.organisations (id),
  delivery_id uuid not null,
  endpoint_id uuid not null,
  number integer not null check (number > 0),
  trigger app.attempt_trigger not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  failure app.attempt_failure,
  primary key (organisation_id, delivery_id, number)
) partition by range (delivery_id);
create index delivery_attempts_of_endpoint on app.delivery_attempts (organisation_id, endpoint_id, started_at);
comment on column app.delivery_attempts.endpoint_id is 'The delivery''s endpoint, so that an endpoint''s attempts are counted without their deliveries.';

-- The weeks that the rows lie in, and the present one; those ahead are made by botstead migrate.
do $$
declare
  week record;
begin
  for week in
    select distinct
      to_char(monday at time zone 'UTC', 'YYYYMMDD') as name,
      lpad(to_hex((extract(epoch from monday) * 1000)::bigint), 12, '0') || '70008000000000000000' as lower,
      lpad(to_hex((extract(epoch from monday + interval '7 days') * 1000)::bigint), 12, '0') || '70008000000000000000' as upper
    from (
      select now() as made
      union all
      select created_at from former.events
      union all
      select created_at from former.deliveries
    ) rows,
      date_trunc('week', made, 'UTC') as monday
  loop
    execute format('create table partitions.events_%s partition of app.events for values from (%L) to (%L)', week.name, week.lower, week.upper);
    execute format('create table partitions.deliveries_%s partition of app.deliveries for values from (%L) to (%L)', week.name, week.lower, week.upper);
    execute format('create table partitions.delivery_attempts_%s partition of app.delivery_attempts for values from (%L) to (%L)', week.name, week.lower, week.upper);
    execute format(
      'alter table partitions.delivery_attempts_%1$s add foreign key (organisation_id, delivery_id) references partitions.deliveries_%1$s (organisation_id, id)',
      week.name
    );
  end loop;
end
$$;

insert into app.events (organisation_id, id, kind, data)
select organisation_id, id, kind, data
from former.events;

insert into app.deliveries (
  organisation_id, id, endpoint_id, event_id, event, state, attempts, attempts_before_round, max_attempts, trigger,
  claim_id, claimed_until, last_status_code, last_failure, last_attempt_at, next_attempt_at, delivered_at
)
select
  organisation_id, id, endpoint_id, event_id, event, state, attempts, attempts_before_round, max_attempts, trigger,
  claim_id, claimed_until, last_status_code, last_failure, last_attempt_at, next_attempt_at, delivered_at
from former.deliveries;

insert into app.delivery_attempts (
  organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure
)
select
  attempt.organisation_id, attempt.delivery_id, delivery.endpoint_id, attempt.number, attempt.trigger, attempt.started_at,
  attempt.duration_ms, attempt.status_code, attempt.failure
from former.delivery_attempts attempt
join former.deliveries delivery
  on delivery.organisation_id = attempt.organisation_id and delivery.id = attempt.delivery_id;

-- With them go the definitions that hang on them, which are rebuilt after every migration.
drop schema former cascade;
