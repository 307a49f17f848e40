--! Previous: sha1:472629e1800f18d4c10e4f7ab448566cf60abb0b
--! Hash: sha1:2d5f4ef70eb47eecd8404524eaeeacfa559b0e6f
--! Message: audit-inventory

-- The inventory of a new database, in place of the texts of its definitions, and findings that were accepted.

drop table app.built_definitions cascade; -- views of the audit read it, and are rebuilt
create table app.built_catalogues (
  catalogue name primary key,
  objects jsonb not null check (jsonb_typeof(objects) = 'object')
);
comment on table app.built_catalogues is
  'What a new database of this version has, by table of pg_catalog. audit.findings compares the present with it.';

alter table app.definition_builds add column compared_with_itself boolean not null default true;
alter table app.definition_builds alter column compared_with_itself drop default;
comment on column app.definition_builds.compared_with_itself is
  'The administrator could create no database to compare with, so this one is what later changes are compared with.';

create table app.accepted_findings (
  id uuid default uuidv7() primary key,
  finding text not null check (finding ~ '^[0-9a-f]{16}$'),
  rule text not null,
  object text not null,
  what text not null,
  accepted_by text not null check (char_length(accepted_by) between 1 and 60),
  reason text not null check (char_length(reason) between 1 and 500),
  accepted_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  revoked_at timestamptz(3)
);
create unique index accepted_findings_standing on app.accepted_findings (finding) where revoked_at is null;
comment on table app.accepted_findings is
  'Findings of the audit that a named person accepted. Each covers the exact state that was found.';
comment on column app.accepted_findings.finding is 'Digest of rule, object and state, as audit.findings shows it.';
