--! Previous: sha1:d389ef9b5887bc6caec3c2bfdcdc3d481379ca9e
--! Hash: sha1:ace06bc8bf5c3a35f355ea1859336b03e1e4baff
--! Message: memory-validity

-- No row is read or rewritten. 000059 reads them, and blocks writers while it builds indexes.
alter table app.memories
  add column valid_from timestamptz(3),
  add column supersedes uuid,
  add column superseded_by uuid,
  add column contested boolean not null default false,
  add constraint memories_validity_check check (valid_from < valid_to) not valid,
  add constraint memories_supersedes_check
    check (supersedes is null or provenance <> 'run-tainted' or created_by is not null) not valid,
  add constraint memories_supersedes_fkey foreign key (organisation_id, supersedes)
    references app.memories (organisation_id, id) on delete set null (supersedes) not valid,
  add constraint memories_superseded_by_fkey foreign key (organisation_id, superseded_by)
    references app.memories (organisation_id, id) on delete set null (superseded_by) not valid;
comment on column app.memories.supersedes is 'The memory that this memory replaced. Null: none, or it was deleted.';
comment on column app.memories.superseded_by is 'The memory that replaced this memory. Null: none, or it was deleted.';
comment on column app.memories.contested is
  'Whether another open memory of the same owner, subject and kind had another value at the last write to one of them. Finds candidates; rows.conflicting_memories decides.';
