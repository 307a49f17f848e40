--! Previous: sha1:fb690c1a8780675932736ab2ec4b0db1ff0d0f68
--! Hash: sha1:539cfeb6ebfd3a2cbcbc11d7603240d2adf09863
--! Message: webhooks

-- Webhook endpoints, events, deliveries and their attempts.

create table app.webhook_endpoints (
  organisation_id uuid,
  id uuid default uuidv7(),
  url text not null check (url like 'https://%' and char_length(url) <= 2048),
  description text check (char_length(description) <= 200),
  events app.event_kind[] not null
    check (cardinality(events) > 0 and array_position(events, null) is null and array_position(events, 'webhook.test') is null),
  state app.endpoint_state not null default 'active',
  consecutive_failures integer not null default 0,
  disabled_reason app.disabled_reason,
  disabled_at timestamptz(3),
  secret_sealed bytea not null,
  last_delivery_at timestamptz(3),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  degraded_since timestamptz(3),
  primary key (organisation_id, id),
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((state = 'disabled') = (disabled_at is not null)),
  foreign key (organisation_id) references app.organisations (id)
);
create index webhook_endpoints_live on app.webhook_endpoints (organisation_id, id) where deleted_at is null;
create index webhook_endpoints_failing on app.webhook_endpoints (id)
  where (degraded_since is not null or (state = 'disabled')) and deleted_at is null;
create index webhook_endpoints_by_id on app.webhook_endpoints (id, organisation_id);
comment on column app.webhook_endpoints.secret_sealed is
  'The signing secret, sealed in Node under the sealing key (AES-256-GCM).';
comment on column app.webhook_endpoints.degraded_since is
  'Start of the present series of failed attempts. Null: the last attempt succeeded, or there was none.';

create table app.events (
  organisation_id uuid,
  id uuid default uuidv7(),
  kind app.event_kind not null,
  data json not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id)
) partition by range (id);
create index events_in_commit_order on app.events (organisation_id, transaction_id, id);
create index events_by_id on app.events using brin (id) with (pages_per_range = 32, autosummarize = on);
comment on column app.events.transaction_id is
  'Order of commits. A reader that pages by (transaction_id, id) below the oldest transaction under way skips nothing.';

create table app.deliveries (
  organisation_id uuid,
  id uuid default uuidv7(),
  endpoint_id uuid not null,
  event_id uuid not null,
  event app.event_kind not null,
  state app.delivery_state not null default 'pending',
  attempts integer not null default 0,
  attempts_before_round integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  trigger app.attempt_trigger not null default 'scheduled',
  lease_id uuid,
  lease_until timestamptz(3),
  last_status_code integer,
  last_failure app.attempt_failure,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3) default now(),
  delivered_at timestamptz(3),
  primary key (organisation_id, id),
  check ((state = 'delivered') = (delivered_at is not null)),
  check ((state = 'pending') = (next_attempt_at is not null)),
  foreign key (organisation_id, endpoint_id) references app.webhook_endpoints (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id)
) partition by range (id);
-- The order matters. For an empty table, the planner takes the first of several indexes of equal cost.
create index deliveries_of_endpoint on app.deliveries (organisation_id, endpoint_id, id);
create index deliveries_pending on app.deliveries (organisation_id, endpoint_id, next_attempt_at)
  where state = 'pending';
create index deliveries_leased on app.deliveries (organisation_id, endpoint_id) where lease_id is not null;
create index deliveries_of_event on app.deliveries (event_id, organisation_id, endpoint_id);
create index deliveries_by_id on app.deliveries using brin (id) with (pages_per_range = 32, autosummarize = on);
create index deliveries_failed on app.deliveries (organisation_id, id) where state = 'failed';
create index deliveries_failed_of_endpoint on app.deliveries (organisation_id, endpoint_id, id) where state = 'failed';
comment on column app.deliveries.event_id is
  'An event of the same organisation. Triggers enforce it: a foreign key would scan every delivery whenever a week of events is dropped.';
comment on column app.deliveries.attempts_before_round is
  'Attempts before the present round. A redelivery starts a new round; the log continues.';
comment on column app.deliveries.lease_id is
  'The lease of the attempt under way. An attempt with an old lease records nothing.';
comment on column app.deliveries.lease_until is
  'End of the lease. Afterwards the worker counts as lost and another may lease the delivery.';

create table app.delivery_attempts (
  organisation_id uuid,
  delivery_id uuid,
  endpoint_id uuid not null,
  number integer check (number > 0),
  trigger app.attempt_trigger not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  failure app.attempt_failure,
  primary key (organisation_id, delivery_id, number),
  foreign key (organisation_id) references app.organisations (id)
) partition by range (delivery_id);
create index delivery_attempts_of_endpoint on app.delivery_attempts (organisation_id, endpoint_id, started_at);
create index delivery_attempts_by_time on app.delivery_attempts
  using brin (started_at) with (pages_per_range = 32, autosummarize = on);
comment on column app.delivery_attempts.endpoint_id is
  'The endpoint of the delivery, so that attempts per endpoint are counted without a join.';

create table app.retry_schedule (
  attempt integer primary key check (attempt > 0),
  delay interval not null check (delay > '00:00:00')
);
comment on table app.retry_schedule is
  'The least time between the n-th failed attempt of a round and the next attempt.';

insert into app.retry_schedule (attempt, delay)
values (1, '1 minute'), (2, '5 minutes'), (3, '30 minutes'), (4, '2 hours'), (5, '8 hours');
