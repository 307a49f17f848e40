--! Previous: sha1:162ee159bc6ff13c530ab3f0462d47a5c4c1168a
--! Hash: sha1:1a9846eecd6dbc7d0d0722437addcbe1d997c22e
--! Message: organisations

-- Organisations, people, memberships and invitations.

create table app.organisations (
  id uuid default uuidv7() primary key,
  name text not null check (char_length(name) between 1 and 120),
  kind app.organisation_kind not null default 'team',
  billing_state app.billing_state not null default 'trial',
  trial_ends_at timestamptz(3) default now() + interval '30 days',
  seats_bought integer check (seats_bought > 0),
  live_key_limit integer not null default 20 check (live_key_limit >= 0),
  live_endpoint_limit integer not null default 10 check (live_endpoint_limit >= 0),
  hourly_run_limit integer not null default 120 check (hourly_run_limit >= 0),
  open_invitation_limit integer not null default 50 check (open_invitation_limit >= 0),
  seat_limit integer not null default 200 check (seat_limit >= 0),
  monthly_spend_limit_micro_cents bigint check (monthly_spend_limit_micro_cents >= 0),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  hourly_routine_limit integer not null default 120 check (hourly_routine_limit >= 0),
  hourly_webhook_limit integer not null default 120 check (hourly_webhook_limit >= 0),
  language app.language not null default 'english',
  routine_limit integer not null default 50 check (routine_limit >= 0),
  hook_limit integer not null default 10 check (hook_limit >= 0),
  suspended_at timestamptz(3),
  hourly_invitation_limit integer check (hourly_invitation_limit >= 0),
  daily_address_limit integer not null default 5 check (daily_address_limit >= 0)
);
comment on table app.organisations is 'A tenant. An operator may change the limits of one organisation.';
comment on column app.organisations.seats_bought is 'Seats paid for; null when seats are not counted.';
comment on column app.organisations.hourly_run_limit is
  'Runs that people and API keys may start in a rolling hour. Routines and hooks have limits of their own.';
comment on column app.organisations.monthly_spend_limit_micro_cents is
  'Micro-cents that runs may spend in a calendar month (UTC). Null: no limit. One cent is 1,000,000 micro-cents.';
comment on column app.organisations.language is
  'Language of the full-text search over memories. A text search configuration in pg_catalog has the same name.';
comment on column app.organisations.suspended_at is
  'Start of the suspension by an operator. Its keys are refused and its runs wait. Null: not suspended.';
comment on column app.organisations.hourly_invitation_limit is
  'Invitation mails in a rolling hour. Null: as many as seats.';
comment on column app.organisations.daily_address_limit is 'Invitation mails to one address in 24 hours.';

create table app.people (
  id uuid default uuidv7() primary key,
  email text not null check (char_length(email) between 3 and 254),
  display_name text check (char_length(display_name) between 1 and 120),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored
);
create unique index people_by_address on app.people (lower(email));
comment on table app.people is 'People. A person belongs to an organisation through a membership.';

create table app.memberships (
  organisation_id uuid,
  person_id uuid,
  role app.member_role not null,
  id uuid not null default uuidv7(),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, person_id),
  unique (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (person_id) references app.people (id)
);
create index memberships_by_id on app.memberships (id, organisation_id);
create index memberships_by_person on app.memberships (person_id, organisation_id);

create table app.invitations (
  organisation_id uuid,
  id uuid default uuidv7(),
  email text not null check (char_length(email) between 3 and 254),
  role app.member_role not null check (role in ('admin', 'member')),
  invited_by uuid not null,
  token_digest bytea not null check (octet_length(token_digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null default now() + interval '7 days',
  accepted_at timestamptz(3),
  accepted_by uuid,
  revoked_at timestamptz(3),
  email_key text not null generated always as (lower(email)) stored,
  primary key (organisation_id, id),
  check ((accepted_at is null) = (accepted_by is null)),
  check (accepted_at is null or revoked_at is null),
  foreign key (accepted_by) references app.people (id),
  foreign key (invited_by) references app.people (id),
  foreign key (organisation_id) references app.organisations (id)
);
create unique index invitations_by_token_digest on app.invitations (token_digest);
create index invitations_unanswered on app.invitations (organisation_id, lower(email))
  where accepted_at is null and revoked_at is null;
create index invitations_by_address on app.invitations (email_key, id);
create index invitations_by_id on app.invitations (id, organisation_id);
comment on column app.invitations.token_digest is
  'SHA-256 of the token in the latest link. Node makes the token; the database never sees it in clear text.';
