--! Previous: sha1:dab1aadc7ee4e3b2f041ddb0226e4e132bf172e4
--! Hash: sha1:ab82e87181f4976abba1b49665b0f2cc32258651
--! Message: operators

-- Operators: tokens, sessions, actions and commands.

create table app.operator_tokens (
  id uuid default uuidv7() primary key,
  name text not null check (char_length(name) between 1 and 60),
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  scope app.operator_scope not null,
  last_used_at timestamptz(3),
  unique (digest)
);
comment on table app.operator_tokens is
  'Tokens of operators for the console, as digests. Scope view reads; scope act also changes.';

create table app.operator_sessions (
  digest bytea primary key check (octet_length(digest) = 32),
  token_id uuid not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  foreign key (token_id) references app.operator_tokens (id) on delete cascade
);
create index operator_sessions_of_token on app.operator_sessions (token_id);
comment on table app.operator_sessions is
  'Browser sessions of operators. A session ends with its token at the latest.';
comment on column app.operator_sessions.digest is 'SHA-256 of the value in the browser''s cookie.';

create table app.operator_actions (
  organisation_id uuid,
  id uuid default uuidv7(),
  token_id uuid,
  operator text not null check (char_length(operator) between 1 and 60),
  action text not null check (char_length(action) between 1 and 60),
  subject_id uuid,
  arguments jsonb not null,
  reason text check (char_length(reason) between 1 and 500),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id),
  constraint operator_actions_reasoned check (token_id is null or reason is not null),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (token_id) references app.operator_tokens (id)
);
create index operator_actions_in_order on app.operator_actions (id);
comment on table app.operator_actions is
  'Operator actions on an organisation, with their reasons. Written in the transaction of the action; never changed.';
comment on column app.operator_actions.token_id is
  'The token presented to the console. Null: a command of the command line.';
comment on column app.operator_actions.operator is
  'Name of the token at that time. For a command: user and machine, as the command line reports them.';
comment on column app.operator_actions.subject_id is
  'The row that the action changed. Null: the organisation itself.';
comment on column app.operator_actions.arguments is 'Arguments of the action, without secrets and names of people.';

create table app.operator_commands (
  id uuid default uuidv7() primary key,
  operator text not null check (char_length(operator) between 1 and 60),
  action text not null check (char_length(action) between 1 and 60),
  subject_id uuid,
  arguments jsonb not null,
  reason text check (char_length(reason) between 1 and 500),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored
);
comment on table app.operator_commands is
  'Commands of operators that concern no single organisation. Written in the transaction of the command; never changed.';
comment on column app.operator_commands.operator is 'User and machine, as the command line reports them.';
comment on column app.operator_commands.subject_id is
  'The token or key that the command changed. Null: something else.';
