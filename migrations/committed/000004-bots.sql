--! Previous: sha1:3680da1caded2fd79911102836ba848f57ce7c6b
--! Hash: sha1:718501491987be417ccb9de166ebd7852a0484cc
--! Message: bots

-- Bots and the conversations with them.

create table app.bots (
  organisation_id uuid,
  id uuid default uuidv7(),
  name text not null check (char_length(name) between 1 and 60),
  instructions text not null default '' check (char_length(instructions) <= 20000),
  model text not null default 'recall' check (char_length(model) between 1 and 100),
  visibility app.bot_visibility not null default 'team',
  direct_conversation app.direct_conversation not null default 'members',
  owner_id uuid not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  deleted_at timestamptz(3),
  has_memories_left boolean not null default false,
  has_runs_left boolean not null default false,
  primary key (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (owner_id) references app.people (id)
);
create index bots_by_id on app.bots (id, organisation_id);
create index bots_with_memories_left on app.bots (organisation_id, id) where has_memories_left;
create index bots_with_runs_left on app.bots (organisation_id, id) where has_runs_left;
comment on column app.bots.deleted_at is
  'A deleted bot keeps its row, because its runs refer to it. It cannot be read or started.';
comment on column app.bots.has_memories_left is
  'The bot is deleted and some of its memories still have to be erased. No policy shows them.';
comment on column app.bots.has_runs_left is
  'The bot is deleted and some of its runs still have to be cancelled. No executor leases them.';

create table app.conversations (
  organisation_id uuid,
  id uuid default uuidv7(),
  bot_id uuid not null,
  person_id uuid not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  next_run_id uuid,
  next_model text,
  primary key (organisation_id, id),
  unique (organisation_id, bot_id, person_id),
  check ((next_run_id is null) = (next_model is null)),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (person_id) references app.people (id)
) with (fillfactor = 90);
create index conversations_next on app.conversations (next_model, next_run_id) where next_run_id is not null;
create index conversations_by_id on app.conversations (id, organisation_id);
comment on table app.conversations is 'The direct conversation of one person with one bot.';
comment on column app.conversations.next_run_id is
  'The oldest queued run, while no run of the conversation is working. An executor leases this run next. Set by triggers.settle_turn.';
comment on column app.conversations.next_model is
  'The model of the bot, beside next_run_id, so that an executor reads only runs that it can serve.';
