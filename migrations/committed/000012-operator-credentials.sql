--! Previous: sha1:01fddf1f9d577f90d98cf5e3d159febd586aa2bf
--! Hash: sha1:45312bb97819958418437ba00077a231c949c6c0
--! Message: operator-credentials

-- Who opens the operators' console: tokens with a scope, and the sessions of browsers that a token opened.

create type app.operator_scope as enum ('view', 'act');

alter table app.operator_tokens
  -- Tokens made before there were scopes opened a console that could only be looked at.
  add column scope app.operator_scope not null default 'view',
  add column last_used_at timestamptz(3);
alter table app.operator_tokens alter column scope drop default;
comment on table app.operator_tokens is 'Who may open the console: view looks, act does as well. Of a token its digest is kept.';

create table app.operator_sessions (
  digest bytea primary key check (octet_length(digest) = 32),
  token_id uuid not null references app.operator_tokens (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now()
);
create index operator_sessions_of_token on app.operator_sessions (token_id);
comment on table app.operator_sessions is 'Browsers in which an operator signed in with a token. A session lives no longer than its token.';
comment on column app.operator_sessions.digest is 'SHA-256 of what the browser''s cookie holds.';
