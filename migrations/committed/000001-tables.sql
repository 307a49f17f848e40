--! Previous: -
--! Hash: sha1:f51bad191aae61cad81314f9be793fd2681d0be4
--! Message: tables

-- The tables of Botstead. What may be done with them is told in sql/, never here.
--
-- Every table of a tenant leads its keys with organisation_id, so that a reference into another organisation
-- cannot be written down, and so that the tables can be distributed by it. An id is a UUIDv7 and a time of creation
-- is read off the id: the order of ids is the order of times, and a keyset needs one column.

create schema app;
revoke all on schema app from public;
comment on schema app is 'Tables and types alone. Policies, functions, triggers and grants are defined in sql/ and rebuilt by botstead migrate.';

create type app.organisation_kind as enum ('team', 'personal');
create type app.billing_state as enum ('trial', 'active', 'none');
create type app.member_role as enum ('member', 'admin', 'owner');
create type app.key_scope as enum ('read', 'write', 'admin');
create type app.bot_visibility as enum ('team', 'personal');
create type app.direct_conversation as enum ('members', 'owner');
create type app.message_author as enum ('person', 'bot');
create type app.run_state as enum (
  'queued', 'running', 'waiting_approval', 'blocked', 'paused_limit', 'completed', 'failed', 'cancelled'
);
create type app.run_trigger as enum ('api', 'message', 'routine', 'webhook');
create type app.run_error as enum (
  'budget_steps', 'budget_spend', 'budget_time', 'executor_failed', 'executor_lost', 'refused', 'internal'
);
create type app.memory_scope as enum ('organisation', 'bot', 'member');
create type app.subject_kind as enum ('organisation', 'member', 'third_party');
create type app.provenance as enum ('member', 'run', 'import', 'run-tainted');
create type app.lawful_basis as enum (
  'consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests'
);
create type app.event_kind as enum ('run.finished', 'approval.needed', 'webhook.test');
create type app.endpoint_state as enum ('active', 'paused', 'disabled');
create type app.disabled_reason as enum ('consecutive_failures', 'gone', 'operator');
create type app.delivery_state as enum ('pending', 'delivered', 'failed');
create type app.attempt_trigger as enum ('scheduled', 'manual');
create type app.attempt_failure as enum ('address', 'dns', 'redirect', 'size', 'timeout', 'transport', 'scheme');
create type app.mail_kind as enum ('welcome');

create table app.organisations (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 120),
  kind app.organisation_kind not null default 'team',
  billing_state app.billing_state not null default 'trial',
  trial_ends_at timestamptz(3) default now() + interval '30 days',
  seats_bought integer check (seats_bought > 0),
  live_key_ceiling integer not null default 20 check (live_key_ceiling >= 0),
  live_endpoint_ceiling integer not null default 10 check (live_endpoint_ceiling >= 0),
  hourly_run_ceiling integer not null default 120 check (hourly_run_ceiling >= 0),
  open_invitation_ceiling integer not null default 50 check (open_invitation_ceiling >= 0),
  seat_ceiling integer not null default 200 check (seat_ceiling >= 0),
  monthly_spend_limit_micro_cents bigint check (monthly_spend_limit_micro_cents >= 0),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored
);
comment on table app.organisations is 'A tenant. The ceilings are what an operator may raise for one organisation.';
comment on column app.organisations.seats_bought is 'Seats paid for; null when seats are not counted.';
comment on column app.organisations.monthly_spend_limit_micro_cents is 'Micro-cents a calendar month (UTC) that runs may spend; null is no limit. One cent is 1,000,000.';

create table app.people (
  id uuid primary key default uuidv7(),
  email text not null check (char_length(email) between 3 and 254),
  display_name text check (char_length(display_name) between 1 and 120),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored
);
create unique index people_by_address on app.people (lower(email));
comment on table app.people is 'People, of no organisation by themselves: a membership ties one to an organisation.';

create table app.memberships (
  organisation_id uuid not null references app.organisations (id),
  person_id uuid not null references app.people (id),
  role app.member_role not null,
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, person_id)
);
create index memberships_by_person on app.memberships (person_id);

create table app.api_keys (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  name text not null check (char_length(name) between 1 and 60),
  prefix text not null check (char_length(prefix) = 12),
  digest bytea not null check (octet_length(digest) = 32),
  scope app.key_scope not null,
  created_by uuid not null references app.people (id),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (organisation_id, id)
);
create unique index api_keys_by_digest on app.api_keys (digest);
comment on column app.api_keys.digest is 'SHA-256 of the key. The key itself is made in Node and never reaches the database.';

create table app.api_key_uses (
  organisation_id uuid not null,
  key_id uuid not null,
  last_used_at timestamptz(3),
  primary key (organisation_id, key_id),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
) with (fillfactor = 50);
comment on table app.api_key_uses is 'When a key was last used, apart from the key so that noting it never waits for a revocation nor the other way round.';

create table app.platform_keys (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 60),
  prefix text not null check (char_length(prefix) = 12),
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
comment on table app.platform_keys is 'Keys of operators. They reach the four operations on organisations and nothing else.';

create table app.bots (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  name text not null check (char_length(name) between 1 and 60),
  instructions text not null default '' check (char_length(instructions) <= 20000),
  model text not null default 'recall' check (char_length(model) between 1 and 100),
  visibility app.bot_visibility not null default 'team',
  direct_conversation app.direct_conversation not null default 'members',
  owner_id uuid not null references app.people (id),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  primary key (organisation_id, id)
);
comment on column app.bots.deleted_at is 'A deleted bot keeps its row, so that its runs stay accounted for; it can be neither read nor asked.';

create table app.conversations (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  bot_id uuid not null,
  person_id uuid not null references app.people (id),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id),
  unique (organisation_id, bot_id, person_id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id)
);
comment on table app.conversations is 'The direct conversation of one person with one bot.';

create table app.runs (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  bot_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null references app.people (id),
  routine_id uuid,
  state app.run_state not null default 'queued',
  trigger app.run_trigger not null,
  taint boolean not null default false,
  steps integer not null default 0 check (steps >= 0),
  spend_micro_cents bigint not null default 0 check (spend_micro_cents >= 0),
  budget_steps integer not null default 50,
  budget_micro_cents bigint not null default 200000000,
  budget_working interval not null default interval '10 minutes',
  working interval not null default interval '0',
  working_since timestamptz,
  error app.run_error,
  lease_id uuid,
  lease_until timestamptz,
  executors_lost integer not null default 0,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  finished_at timestamptz(3),
  primary key (organisation_id, id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, conversation_id) references app.conversations (organisation_id, id),
  check ((state = 'running') = (lease_id is not null)),
  check ((state = 'running') = (working_since is not null)),
  check ((state in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
  check (error is null or state = 'failed')
);
create unique index runs_one_working on app.runs (organisation_id, conversation_id)
  where state in ('running', 'waiting_approval');
create index runs_queued on app.runs (organisation_id, conversation_id, id) where state = 'queued';
create index runs_oldest_queued on app.runs (id) where state = 'queued';
create index runs_leased on app.runs (lease_until) where state = 'running';
create index runs_paused on app.runs (organisation_id) where state = 'paused_limit';
create index runs_of_bot on app.runs (organisation_id, bot_id, id);
comment on column app.runs.working is 'Time spent in state running up to working_since; waiting for people does not count against budget_working.';
comment on column app.runs.lease_id is 'Names the one claim that may write to this run now; a later claim has another, so a late executor writes nothing.';
comment on index app.runs_one_working is 'One working run a conversation, whatever executors do.';

create table app.messages (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  conversation_id uuid not null,
  run_id uuid not null,
  author app.message_author not null,
  text text not null check (char_length(text) between 1 and 32000),
  memory_ids uuid[] not null default '{}',
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id),
  foreign key (organisation_id, conversation_id) references app.conversations (organisation_id, id),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
);
create index messages_of_run on app.messages (organisation_id, run_id, id);
comment on column app.messages.memory_ids is 'The claims that an answer rests on, best first.';

create table app.steps (
  organisation_id uuid not null references app.organisations (id),
  run_id uuid not null,
  number integer not null check (number > 0),
  kind text not null check (char_length(kind) between 1 and 60),
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  spend_micro_cents bigint not null default 0 check (spend_micro_cents >= 0),
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, run_id, number),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
);

create table app.monthly_usage (
  organisation_id uuid not null references app.organisations (id),
  month date not null,
  spend_micro_cents bigint not null default 0,
  primary key (organisation_id, month)
);

create table app.executors (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  models text[] not null,
  started_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
comment on table app.executors is 'Who takes runs, and for which models of bots; silent for a minute counts as gone.';

create table app.memories (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  scope app.memory_scope not null,
  bot_id uuid,
  member_id uuid references app.people (id),
  kind text not null check (char_length(kind) between 1 and 60),
  subject text not null check (char_length(subject) between 1 and 200),
  subject_kind app.subject_kind not null default 'organisation',
  value text not null check (char_length(value) between 1 and 4000),
  confidence double precision not null default 1 check (confidence between 0 and 1),
  valid_to timestamptz(3),
  provenance app.provenance not null,
  source text not null check (char_length(source) between 1 and 60),
  lawful_basis app.lawful_basis not null default 'legitimate_interests',
  created_by uuid references app.people (id),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  search tsvector not null generated always as (
    setweight(to_tsvector('pg_catalog.english', subject || ' ' || kind), 'A')
    || setweight(to_tsvector('pg_catalog.english', value), 'B')
  ) stored,
  primary key (organisation_id, id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  check ((scope = 'bot') = (bot_id is not null)),
  check ((scope = 'member') = (member_id is not null))
);
create index memories_of_bot on app.memories (organisation_id, bot_id, id) where bot_id is not null;
create index memories_by_words on app.memories using gin (search);

create table app.third_party_restrictions (
  organisation_id uuid not null references app.organisations (id),
  kind text not null,
  primary key (organisation_id, kind)
);
comment on table app.third_party_restrictions is 'Kinds of claim that may not be held about a third party (GDPR articles 9 and 10). Every organisation begins with the same nine; an operator may change them.';

create table app.webhook_endpoints (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  url text not null check (url like 'https://%' and char_length(url) <= 2048),
  description text check (char_length(description) <= 200),
  events app.event_kind[] not null check (cardinality(events) > 0 and events <@ array['run.finished', 'approval.needed']::app.event_kind[]),
  state app.endpoint_state not null default 'active',
  consecutive_failures integer not null default 0,
  disabled_reason app.disabled_reason,
  disabled_at timestamptz(3),
  secret_sealed bytea not null,
  last_delivery_at timestamptz(3),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  primary key (organisation_id, id),
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((state = 'disabled') = (disabled_at is not null))
);
create index webhook_endpoints_live on app.webhook_endpoints (organisation_id, id) where deleted_at is null;
comment on column app.webhook_endpoints.secret_sealed is 'The signing secret, sealed in Node under the service''s master key (AES-256-GCM).';

create table app.events (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  kind app.event_kind not null,
  data json not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id)
);

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
  foreign key (organisation_id, event_id) references app.events (organisation_id, id),
  check ((state = 'delivered') = (delivered_at is not null)),
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index deliveries_of_endpoint on app.deliveries (organisation_id, endpoint_id, id);
create index deliveries_pending on app.deliveries (next_attempt_at) where state = 'pending';
create index deliveries_pending_of_endpoint on app.deliveries (organisation_id, endpoint_id) where state = 'pending';
comment on column app.deliveries.attempts_before_round is 'Attempts made before the present round: a redelivery begins a new round while the log goes on.';
comment on column app.deliveries.claimed_until is 'Until when the attempt under way can still be recorded; after that its worker is taken for lost.';
comment on column app.deliveries.claim_id is 'Names the attempt under way, so that an attempt overtaken by another records nothing.';

create table app.delivery_attempts (
  organisation_id uuid not null references app.organisations (id),
  delivery_id uuid not null,
  number integer not null check (number > 0),
  trigger app.attempt_trigger not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  failure app.attempt_failure,
  primary key (organisation_id, delivery_id, number),
  foreign key (organisation_id, delivery_id) references app.deliveries (organisation_id, id)
);

create table app.delivery_ladder (
  rung integer primary key check (rung > 0),
  delay interval not null check (delay > interval '0')
);
comment on table app.delivery_ladder is 'Rung n is the least time between the n-th failed attempt of a round and the next attempt.';
insert into app.delivery_ladder (rung, delay)
values (1, '60 seconds'), (2, '5 minutes'), (3, '30 minutes'), (4, '2 hours'), (5, '8 hours');

create table app.service_settings (
  singleton boolean primary key default true check (singleton),
  delivery_max_attempts integer not null default 5 check (delivery_max_attempts between 1 and 6)
);
comment on table app.service_settings is 'One row: what an operator sets for the whole service.';
insert into app.service_settings default values;

create table app.idempotency_records (
  organisation_id uuid not null,
  key_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  status smallint,
  body text,
  refusal text,
  details json,
  sealed bytea,
  request_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (organisation_id, key_id, digest),
  check ((status is null) = (body is null)),
  check ((status is null) <> (refusal is null))
);
create index idempotency_records_by_age on app.idempotency_records (created_at);
comment on table app.idempotency_records is 'Answers kept for 24 hours. Calls of a platform key belong to no organisation and are kept under the nil id.';
comment on column app.idempotency_records.digest is 'SHA-256 over the caller''s credential digest and its Idempotency-Key; neither can be read back.';
comment on column app.idempotency_records.sealed is 'A secret shown once, sealed under a key derived from the bearer token and the Idempotency-Key: only who sends both again can open it.';

create table app.mails (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  kind app.mail_kind not null,
  recipient text not null,
  data json not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  sent_at timestamptz(3),
  primary key (organisation_id, id)
);
create index mails_unsent on app.mails (id) where sent_at is null;

create table app.operator_tokens (
  id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 60),
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
comment on table app.operator_tokens is 'Who may open the console.';

create table app.definitions (
  singleton boolean primary key default true check (singleton),
  digest text not null,
  applied_at timestamptz(3) not null default now()
);
comment on table app.definitions is 'Which text of sql/ the definitions were last built from, so that a start with the same text locks nothing.';
