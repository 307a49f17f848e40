--! Previous: sha1:ab82e87181f4976abba1b49665b0f2cc32258651
--! Hash: sha1:6c4cdc176ba4cc6b8527ab900542007cbb33c5bd
--! Message: service

-- Settings and counters of the whole service.

create table app.service_settings (
  singleton boolean default true primary key check (singleton),
  delivery_max_attempts integer not null default 5 check (delivery_max_attempts between 1 and 6),
  delivery_retention interval not null default '30 days' check (delivery_retention >= '1 day'),
  delivery_slots integer not null default 200 check (delivery_slots between 4 and 10000),
  delivery_share_of_organisation integer not null default 40 check (delivery_share_of_organisation > 0),
  delivery_share_of_endpoint integer not null default 10 check (delivery_share_of_endpoint > 0),
  audit_retention interval not null default '1 year' check (audit_retention >= '1 day'),
  step_retention interval not null default '90 days' check (step_retention >= '1 day'),
  run_share_of_organisation integer not null default 16 check (run_share_of_organisation between 1 and 1000),
  run_events_secret uuid not null default gen_random_uuid()
);
comment on table app.service_settings is 'One row: settings of the whole service.';
comment on column app.service_settings.delivery_retention is
  'Least time that events, deliveries and attempts are kept. A week is dropped once its youngest row is older.';
comment on column app.service_settings.delivery_slots is
  'Deliveries under way at once, over all workers. The last quarter is kept for endpoints without a lease. Degraded endpoints use at most half.';
comment on column app.service_settings.delivery_share_of_organisation is
  'Slots that one organisation may use. An endpoint without a lease is served beyond it.';
comment on column app.service_settings.delivery_share_of_endpoint is
  'Slots that one endpoint may use. A degraded endpoint has one.';
comment on column app.service_settings.audit_retention is
  'Least time that audit log entries are kept. A week is dropped once its youngest entry is older.';
comment on column app.service_settings.step_retention is
  'Least time that steps and run events are kept after the run started. A week is dropped once its youngest run is older and all its runs have ended.';
comment on column app.service_settings.run_share_of_organisation is
  'Runs of one organisation that may be under way at once, over all executors. Runs of the model recall are counted apart.';
comment on column app.service_settings.run_events_secret is
  'Part of the name of the channel that notifies the API of runs (jobs.run_events_channel).';

create table app.maintenance (
  singleton boolean default true primary key check (singleton),
  last_run_at timestamptz(3) not null default now()
);
comment on table app.maintenance is
  'One row: when jobs.run_maintenance last ran, by the database''s clock. A clock behind it was set back.';

create table app.definition_builds (
  id integer generated always as identity primary key,
  built_at timestamptz(3) not null default now(),
  version text not null,
  digest text not null,
  server_version integer not null,
  built_by text not null,
  differences jsonb not null default '[]' check (jsonb_typeof(differences) = 'array')
);
comment on table app.definition_builds is
  'Each build of the definitions from sql/. The newest row is the present build: a start with the same digest builds nothing.';
comment on column app.definition_builds.version is 'Version of Botstead that built them.';
comment on column app.definition_builds.digest is 'Digest of the text of sql/ and of the migrations.';
comment on column app.definition_builds.server_version is 'Major version of PostgreSQL: another one may print a definition differently.';
comment on column app.definition_builds.built_by is 'The administrator''s login and address.';
comment on column app.definition_builds.differences is
  'What had been changed by hand since the build before: object, change, and the definition as built and as found.';

create table app.built_definitions (
  object text primary key,
  schema name not null,
  definition text not null
);
comment on table app.built_definitions is
  'Every definition as a new database of this version has it. audit.findings compares the present definitions with these.';

create table app.request_minutes (
  organisation_id uuid,
  minute timestamp(0) with time zone check (date_trunc('minute', minute, 'UTC') = minute),
  answered bigint not null default 0 check (answered >= 0),
  refused bigint not null default 0 check (refused >= 0),
  limited bigint not null default 0 check (limited >= 0),
  failed bigint not null default 0 check (failed >= 0),
  primary key (organisation_id, minute)
);
create index request_minutes_by_age on app.request_minutes (minute);
comment on table app.request_minutes is
  'Requests per minute of their response, by the clock of the API. Requests without an organisation, such as refused credentials, count under the nil id.';
comment on column app.request_minutes.answered is 'Status below 400.';
comment on column app.request_minutes.refused is 'Status 400 to 499, without 429.';
comment on column app.request_minutes.limited is 'Status 429.';
comment on column app.request_minutes.failed is 'Status 500 and above.';

create unlogged table app.request_counts (
  organisation_id uuid,
  counted_id uuid,
  minute timestamp(0) with time zone not null check (date_trunc('minute', minute, 'UTC') = minute),
  requests integer not null check (requests >= 0),
  primary key (organisation_id, counted_id)
) with (fillfactor = 50);
comment on table app.request_counts is
  'Requests in the present minute, by the clock of the database: one row for each key, hook and organisation, reused every minute. Requests without an organisation, such as those of platform keys, count under the nil id. Empty after a crash and unless RATE_LIMITS is shared.';
comment on column app.request_counts.counted_id is
  'Id of the key, hook or link. For the organisation''s own row: its id.';
comment on column app.request_counts.minute is 'The minute that requests counts.';

insert into app.service_settings default values;
insert into app.maintenance default values;
