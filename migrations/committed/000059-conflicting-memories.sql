--! Previous: sha1:ace06bc8bf5c3a35f355ea1859336b03e1e4baff
--! Hash: sha1:448246a8db1d8c34f60bdd389a24bb88b397ac3c
--! Message: conflicting-memories

alter table app.memories validate constraint memories_validity_check;
alter table app.memories validate constraint memories_supersedes_check;
alter table app.memories validate constraint memories_supersedes_fkey;
alter table app.memories validate constraint memories_superseded_by_fkey;

create index memories_of_superseded on app.memories (organisation_id, supersedes) where supersedes is not null;
create index memories_of_successor on app.memories (organisation_id, superseded_by) where superseded_by is not null;
create index memories_contested on app.memories (organisation_id, id) where contested;
-- The owner of a memory is its bot, its member or the organisation.
create index memories_of_owner_and_subject on app.memories (
  organisation_id, subject_key, coalesce(bot_id, member_id, organisation_id), id
);
