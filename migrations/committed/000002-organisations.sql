--! Previous: sha1:162ee159bc6ff13c530ab3f0462d47a5c4c1168a
--! Hash: sha1:8c0932f3d8c8e985f2ffbf9c1e6f27f0f43d886f
--! Message: organisations

-- Organisations, people, memberships and invitations.

create table app.organisations (
  id uuid default uuidv7() primary key,
  name text not null check (char_length(name) between 1 and 120),
  kind app.organisation_kind not null default 'team',
  billing_state app.billing_state not null default 'trial',
  trial_ends_at timestamptz(3) default now() + interval '30 days',
  seats_bought integer check (seats_bought > 0),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  language app.language not null default 'english',
  suspended_at timestamptz(3)
);
comment on table app.organisations is 'A tenant.';
comment on column app.organisations.seats_bought is 'Seats paid for; null when seats are not counted.';
comment on column app.organisations.language is
  'Language of the full-text search over memories. A text search configuration in pg_catalog has the same name.';
comment on column app.organisations.suspended_at is
  'Start of the suspension by an operator. Its keys are refused and its runs wait. Null: not suspended.';

create table app.limits (
  name text primary key,
  "position" smallint not null unique,
  maximum bigint check (maximum >= 0),
  default_from text references app.limits (name),
  unit text not null check (unit in ('count', 'micro-cents')),
  label text not null,
  description text not null,
  reason text,
  check (maximum is null or default_from is null)
);
comment on table app.limits is 'The limits of every organisation. botstead migrate writes the rows (sql/limits/limits.sql).';
comment on column app.limits.maximum is 'The default. Null: none, or that of the limit default_from.';

create table app.organisation_limits (
  organisation_id uuid,
  name text,
  maximum bigint check (maximum >= 0),
  primary key (organisation_id, name),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (name) references app.limits (name) on delete cascade
);
comment on table app.organisation_limits is 'Maximums that an operator has set for one organisation. Null: no limit.';

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
