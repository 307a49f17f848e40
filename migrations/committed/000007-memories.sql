--! Previous: sha1:b12f11b6e0ecb8aa2eae69926eb4c103a8debd6c
--! Hash: sha1:722adf5d4fb7f67e9953df9951129b6822f03cb7
--! Message: memories

-- Claims are searched, remembered as they were, and erased.

-- What indexes rest on. Extensions of PostgreSQL's own contrib that an owner without further rights may make.
create schema extensions;
comment on schema extensions is 'Extensions that come with PostgreSQL. Made by migrations, never rebuilt; no role but owner and searcher enters it.';
create extension pg_trgm schema extensions;
create extension btree_gin schema extensions;

-- The languages that PostgreSQL has a stemmer and stop words for, by the names of its configurations.
create type app.language as enum (
  'simple', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'hungarian', 'italian', 'nepali', 'norwegian',
  'portuguese', 'russian', 'spanish', 'swedish', 'turkish'
);
alter table app.organisations add column language app.language not null default 'english';
comment on column app.organisations.language is 'In which language claims are searched; a text search configuration of pg_catalog has the same name.';

-- Words are written by a trigger from here on, in the language of the organisation.
alter table app.memories alter column search drop expression;
drop index app.memories_by_words;
create index memories_by_words on app.memories using gin (organisation_id, search) with (gin_pending_list_limit = 512);
comment on index app.memories_by_words is 'Led by the organisation: what others hold is not read. What is written waits unsorted, 512 kB at most, since every search reads that first.';

-- However somebody is spelled: case, spaces, hyphens and the forms of Unicode are the same.
alter table app.memories add column subject_key text not null generated always as (
  btrim(regexp_replace(lower(normalize(subject, nfkc)), '[\s_-]+', '_', 'g'), '_')
) stored;
create index memories_of_subject on app.memories (organisation_id, subject_key, id);

create type app.memory_change as enum ('updated', 'deleted');
create table app.memory_history (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  memory_id uuid not null,
  change app.memory_change not null,
  changed_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  changed_by uuid references app.people (id),
  key_id uuid,
  scope app.memory_scope not null,
  bot_id uuid,
  member_id uuid references app.people (id),
  kind text not null,
  subject text not null,
  subject_kind app.subject_kind not null,
  value text not null,
  confidence double precision not null,
  valid_to timestamptz(3),
  provenance app.provenance not null,
  lawful_basis app.lawful_basis not null,
  subject_key text not null,
  primary key (organisation_id, id),
  foreign key (organisation_id, bot_id) references app.bots (organisation_id, id),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
);
create index memory_history_of_memory on app.memory_history (organisation_id, memory_id, id);
create index memory_history_of_subject on app.memory_history (organisation_id, subject_key);
comment on table app.memory_history is 'What a claim said until it was changed or deleted: one row a change, written by a trigger. Together with what is held now it tells what was known at any instant.';
comment on column app.memory_history.changed_by is 'Whose key changed it; null where no key did.';

create table app.erasures (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  erased_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  erased_by uuid not null references app.people (id),
  key_id uuid not null,
  subject_kind app.subject_kind not null,
  memories integer not null check (memories >= 0),
  history integer not null check (history >= 0),
  proposals integer not null check (proposals >= 0),
  primary key (organisation_id, id),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
);
comment on table app.erasures is 'Receipts: that somebody was forgotten, when and by whom, and how much there was. Not who it was: a digest of a name can be guessed, and so would be one more thing that is held about them.';

create type app.restriction_change as enum ('restricted', 'allowed');
create table app.third_party_restriction_changes (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  kind text not null,
  change app.restriction_change not null,
  reason text not null check (char_length(reason) between 1 and 500),
  changed_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  primary key (organisation_id, id)
);
comment on table app.third_party_restriction_changes is 'Why an operator restricted or allowed a kind of claim about third parties.';
