--! Previous: sha1:539cfeb6ebfd3a2cbcbc11d7603240d2adf09863
--! Hash: sha1:18998ec217b9fcec514a9f8bd576963a5f69693c
--! Message: routines-and-hooks

-- What starts runs by itself: routines and inbound hooks.

create table app.routines (
  organisation_id uuid,
  id uuid default uuidv7(),
  bot_id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  schedule text not null check (char_length(schedule) between 9 and 200),
  time_zone text not null check (char_length(time_zone) between 1 and 60),
  message text not null check (char_length(message) between 1 and 32000),
  state app.automation_state not null default 'active',
  pause_reason app.pause_reason,
  next_firing_at timestamptz(3) default '-infinity',
  last_fired_at timestamptz(3),
  last_run_id uuid,
  last_skipped_at timestamptz(3),
  last_skip_reason app.skip_reason,
  created_by uuid not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  awaits_executor_until timestamptz(3),
  primary key (organisation_id, id),
  check ((state = 'active') = (next_firing_at is not null)),
  check (state = 'paused' or pause_reason is null),
  check ((last_skipped_at is null) = (last_skip_reason is null)),
  foreign key (created_by) references app.people (id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, last_run_id) references app.runs (organisation_id, id)
);
create index routines_due on app.routines (next_firing_at) where state = 'active' and deleted_at is null;
create index routines_live on app.routines (organisation_id, id) where deleted_at is null;
create index routines_of_bot on app.routines (organisation_id, bot_id) where deleted_at is null;
create index routines_by_id on app.routines (id, organisation_id);
comment on column app.routines.schedule is
  'Five cron fields. Node computes next_firing_at from them in the routine''s time zone.';
comment on column app.routines.next_firing_at is
  'Next firing by times.clock(). -infinity: a worker has to compute it. Null: paused.';
comment on column app.routines.created_by is
  'The person in whose name, and in whose conversation with the bot, the runs are started.';
comment on column app.routines.awaits_executor_until is
  'How long a due firing waits for an executor, by times.clock(). Null: it does not wait.';
alter table app.runs add foreign key (organisation_id, routine_id) references app.routines (organisation_id, id);

create table app.hooks (
  organisation_id uuid,
  id uuid default uuidv7(),
  bot_id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  state app.automation_state not null default 'active',
  pause_reason app.pause_reason,
  secret_sealed bytea not null,
  secret_digest bytea not null check (octet_length(secret_digest) = 32),
  last_received_at timestamptz(3),
  last_run_id uuid,
  created_by uuid not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  primary key (organisation_id, id),
  check (state = 'paused' or pause_reason is null),
  foreign key (created_by) references app.people (id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, last_run_id) references app.runs (organisation_id, id)
);
create unique index hooks_by_secret_digest on app.hooks (secret_digest);
create index hooks_live on app.hooks (organisation_id, id) where deleted_at is null;
create index hooks_of_bot on app.hooks (organisation_id, bot_id) where deleted_at is null;
create index hooks_by_address on app.hooks (id, organisation_id);
comment on table app.hooks is
  'Inbound webhooks. Other systems post signed messages to them; each post starts a tainted run.';
comment on column app.hooks.secret_sealed is
  'The signing secret, sealed in Node under the sealing key (AES-256-GCM).';
comment on column app.hooks.secret_digest is
  'SHA-256 of the signing secret. The credential of a post with a valid signature.';

create table app.hook_receipts (
  organisation_id uuid,
  hook_id uuid,
  digest bytea check (octet_length(digest) = 32),
  body_digest bytea not null check (octet_length(body_digest) = 32),
  run_id uuid not null,
  created_at timestamptz(3) not null default now(),
  day_partition integer default (((((now())::timestamp(3) with time zone at time zone 'UTC'))::date - date '2000-01-01') % 3),
  primary key (organisation_id, hook_id, digest, day_partition),
  constraint hook_receipts_in_their_day
    check (day_partition = ((((created_at at time zone 'UTC'))::date - date '2000-01-01') % 3)),
  foreign key (organisation_id, hook_id) references app.hooks (organisation_id, id),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
) partition by list (day_partition);
comment on table app.hook_receipts is
  'Posts that hooks accepted in the last 24 hours, so that a repeated post starts no second run.';
comment on column app.hook_receipts.digest is
  'SHA-256 of a delivery id, or of the signed content. Each accepted post leaves one row of both.';
comment on column app.hook_receipts.day_partition is 'The day of created_at (UTC): days since 2000-01-01, modulo 3.';

-- A ring of three days, so that a partition is never missing: today, yesterday, and the one that is truncated before its turn.
create table partitions.hook_receipts_0 partition of app.hook_receipts for values in (0);
create table partitions.hook_receipts_1 partition of app.hook_receipts for values in (1);
create table partitions.hook_receipts_2 partition of app.hook_receipts for values in (2);
