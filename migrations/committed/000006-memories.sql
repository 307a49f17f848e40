--! Previous: sha1:f275a82d0c6cc748be5eea2f546b2d5031127e65
--! Hash: sha1:fb690c1a8780675932736ab2ec4b0db1ff0d0f68
--! Message: memories

-- Memories, their history, erasures and restricted kinds.

create table app.memories (
  organisation_id uuid,
  id uuid default uuidv7(),
  scope app.memory_scope not null,
  bot_id uuid,
  member_id uuid,
  kind text not null check (char_length(kind) between 1 and 60),
  subject text not null check (char_length(subject) between 1 and 200),
  subject_kind app.subject_kind not null default 'organisation',
  value text not null check (char_length(value) between 1 and 4000),
  confidence double precision not null default 1 check (confidence between 0 and 1),
  valid_to timestamptz(3),
  provenance app.provenance not null,
  source text not null check (char_length(source) between 1 and 60),
  lawful_basis app.lawful_basis not null default 'legitimate_interests',
  created_by uuid,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  search_vector tsvector not null,
  run_id uuid,
  subject_key text not null
    generated always as (btrim(regexp_replace(lower(normalize(subject, nfkc)), '[\s_-]+', '_', 'g'), '_')) stored,
  primary key (organisation_id, id),
  check ((scope = 'bot') = (bot_id is not null)),
  check ((scope = 'member') = (member_id is not null)),
  foreign key (created_by) references app.people (id),
  foreign key (member_id) references app.people (id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
);
create index memories_of_bot on app.memories (organisation_id, bot_id, id) where bot_id is not null;
create index memories_of_subject on app.memories (organisation_id, subject_key, id);
create index memories_of_run on app.memories (organisation_id, run_id) where run_id is not null;
create index memories_by_id on app.memories using brin (id) with (pages_per_range = 32, autosummarize = on);
create index memories_by_lexemes on app.memories using gin ((
  case length(search_vector)
    when 0 then ''
    else '''' || right(organisation_id::text, 8)
      || replace(substr(strip(search_vector)::text, 2), ' ''', ' ''' || right(organisation_id::text, 8))
  end::tsvector
)) with (gin_pending_list_limit = 512);
comment on column app.memories.run_id is 'The run that wrote the memory. Its taint decides the memory''s provenance.';

create table app.memory_history (
  organisation_id uuid,
  id uuid default uuidv7(),
  memory_id uuid not null,
  change app.memory_change not null,
  changed_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  changed_by uuid,
  key_id uuid,
  scope app.memory_scope not null,
  bot_id uuid,
  member_id uuid,
  subject_kind app.subject_kind not null,
  subject_key text not null,
  former jsonb not null,
  primary key (organisation_id, id),
  foreign key (changed_by) references app.people (id),
  foreign key (member_id) references app.people (id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
);
create index memory_history_of_memory on app.memory_history (organisation_id, memory_id, id);
create index memory_history_of_subject on app.memory_history (organisation_id, subject_key);
create index memory_history_of_bot on app.memory_history (organisation_id, bot_id, id) where bot_id is not null;
comment on table app.memory_history is
  'The value of a memory before each change or deletion, written by a trigger. With app.memories it shows what was known at any instant.';
comment on column app.memory_history.former is
  'The row of app.memories without its search vector and without nulls. The other columns of the memory are for policies, references and erasure.';
comment on column app.memory_history.changed_by is
  'The person of the key that changed it. Null: not changed through a key.';

create table app.erasures (
  organisation_id uuid,
  id uuid default uuidv7(),
  erased_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  erased_by uuid,
  key_id uuid,
  subject_kind app.subject_kind not null,
  memories integer not null check (memories >= 0),
  history integer not null check (history >= 0),
  proposals integer not null check (proposals >= 0),
  operator text check (char_length(operator) between 1 and 60),
  complete boolean not null default true,
  answers integer not null default 0 check (answers >= 0),
  primary key (organisation_id, id),
  check ((erased_by is null) = (key_id is null)),
  check ((erased_by is null) = (operator is not null)),
  foreign key (erased_by) references app.people (id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
);
create index erasures_by_id on app.erasures (id, organisation_id);
comment on table app.erasures is
  'Receipts of erasures: when, by whom, and how many rows. The subject is not stored: even a digest of a name can be guessed.';
comment on column app.erasures.operator is 'The operator who erased. Null: a person of the organisation did.';
comment on column app.erasures.complete is
  'Whether nothing was left. One erasure removes a bounded number of rows; the caller repeats it until it is complete.';
comment on column app.erasures.answers is 'How many answers were blanked because they cited an erased memory.';

create table app.third_party_restrictions (
  organisation_id uuid,
  kind text,
  primary key (organisation_id, kind),
  foreign key (organisation_id) references app.organisations (id)
);
comment on table app.third_party_restrictions is
  'Kinds of memory that may not be stored about a third party (GDPR articles 9 and 10). Each organisation starts with the same nine. An operator may change them.';

create table app.third_party_restriction_changes (
  organisation_id uuid,
  id uuid default uuidv7(),
  kind text not null,
  change app.restriction_change not null,
  reason text not null check (char_length(reason) between 1 and 500),
  changed_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id)
);
comment on table app.third_party_restriction_changes is
  'Why an operator restricted or allowed a kind of memory about third parties.';
