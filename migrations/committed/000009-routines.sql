--! Previous: sha1:659ce0ccb189d60601e9c1f05932acb890d87664
--! Hash: sha1:95af263662dc4957f16c7de585ce69dd74755a4b
--! Message: routines

-- What starts runs by itself: routines, by the clock, and inbound webhooks, by somebody else's system.
-- (docs/decisions.md, "Routines and hooks".)

create type app.automation_state as enum ('active', 'paused');
create type app.pause_reason as enum ('creator_not_admin', 'bot_not_visible', 'schedule_ended');
create type app.skip_reason as enum ('payment_required', 'quota_exceeded', 'unavailable');

alter table app.organisations
  add column routine_ceiling integer not null default 50 check (routine_ceiling >= 0),
  add column hook_ceiling integer not null default 10 check (hook_ceiling >= 0);

create table app.routines (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
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
  created_by uuid not null references app.people (id),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  primary key (organisation_id, id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, last_run_id) references app.runs (organisation_id, id),
  check ((state = 'active') = (next_firing_at is not null)),
  check (state = 'paused' or pause_reason is null),
  check ((last_skipped_at is null) = (last_skip_reason is null))
);
create index routines_due on app.routines (next_firing_at) where state = 'active' and deleted_at is null;
create index routines_live on app.routines (organisation_id, id) where deleted_at is null;
create index routines_of_bot on app.routines (organisation_id, bot_id) where deleted_at is null;
comment on column app.routines.schedule is 'Five fields of cron. What they mean in which time zone is worked out in Node, as next_firing_at.';
comment on column app.routines.next_firing_at is 'When it fires next, by jobs.clock(); -infinity until a worker has worked it out; null while it is paused.';
comment on column app.routines.created_by is 'In whose name its runs go, into whose conversation with the bot.';

create table app.hooks (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  bot_id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  state app.automation_state not null default 'active',
  pause_reason app.pause_reason,
  secret_sealed bytea not null,
  secret_digest bytea not null check (octet_length(secret_digest) = 32),
  last_received_at timestamptz(3),
  last_run_id uuid,
  created_by uuid not null references app.people (id),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  primary key (organisation_id, id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, last_run_id) references app.runs (organisation_id, id),
  check (state = 'paused' or pause_reason is null)
);
create unique index hooks_by_secret_digest on app.hooks (secret_digest);
create index hooks_by_address on app.hooks (id) where deleted_at is null;
create index hooks_live on app.hooks (organisation_id, id) where deleted_at is null;
create index hooks_of_bot on app.hooks (organisation_id, bot_id) where deleted_at is null;
comment on table app.hooks is 'Inbound webhooks: addresses to which other systems post, signed, and which start tainted runs.';
comment on column app.hooks.secret_sealed is 'The signing secret, sealed in Node under the service''s master key (AES-256-GCM).';
comment on column app.hooks.secret_digest is 'SHA-256 of the signing secret: the credential of a post whose signature was found right.';

create table app.hook_receipts (
  organisation_id uuid not null,
  hook_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  body_digest bytea not null check (octet_length(body_digest) = 32),
  run_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, hook_id, digest),
  foreign key (organisation_id, hook_id) references app.hooks (organisation_id, id),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
);
create index hook_receipts_by_age on app.hook_receipts (created_at);
comment on table app.hook_receipts is 'What hooks have taken in the last 24 hours, so that nothing starts a second run.';
comment on column app.hook_receipts.digest is 'SHA-256 of a delivery''s id, or of what a signature covers: each post that was taken leaves one of both.';

alter table app.runs
  add column firing_at timestamptz(3),
  add foreign key (organisation_id, routine_id) references app.routines (organisation_id, id),
  add check (firing_at is null or routine_id is not null);
create unique index runs_one_a_firing on app.runs (organisation_id, routine_id, firing_at) where firing_at is not null;
comment on column app.runs.firing_at is 'For which moment of its routine''s schedule it was started; it may have been started later.';
