--! Previous: sha1:5e675e988037b0e3bd9a7225ac7a1ee1b60a796a
--! Hash: sha1:40404344005dcdedac0f92d4dc53df534b2705e3
--! Message: exports

-- Exports of an organisation by an owner, in parts, and what is needed to make a part again.
create table app.exports (
  organisation_id uuid,
  id uuid default uuidv7(),
  person_id uuid not null,
  tables_hash text not null check (tables_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null default now() + interval '1 day',
  finished_at timestamptz(3),
  manifest text,
  manifest_hash text check (manifest_hash ~ '^[0-9a-f]{64}$'),
  primary key (organisation_id, id),
  check ((finished_at is null) = (manifest is null)),
  check ((finished_at is null) = (manifest_hash is null)),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (person_id) references app.people (id)
);
create index exports_by_expiry on app.exports (expires_at);
comment on table app.exports is 'Exports of everything that an owner may read, in parts.';
comment on column app.exports.person_id is 'The owner who began the export, and as whom each part is read.';
comment on column app.exports.tables_hash is 'Digest of the list of tables and columns at the beginning. Another version may have another list.';
comment on column app.exports.expires_at is 'When an unfinished export ends: one day after its last new part. A finished export is deleted 30 days later.';
comment on column app.exports.manifest is 'JSON text with the counts of the export and the last hash of its chain of parts.';
comment on column app.exports.manifest_hash is 'SHA-256 of the manifest. The audit log records it.';

create table app.export_parts (
  organisation_id uuid,
  export_id uuid,
  number integer check (number >= 1),
  next_position jsonb,
  counts jsonb not null,
  lines integer not null check (lines >= 0),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  chain text not null check (chain ~ '^[0-9a-f]{64}$'),
  primary key (organisation_id, export_id, number),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, export_id) references app.exports (organisation_id, id) on delete cascade
);
comment on table app.export_parts is 'Parts of unfinished exports: where each ends, and its hash. Not its content.';
comment on column app.export_parts.next_position is 'The table with which the next part begins, and the key of its last row in this part. Null: this is the last part.';
comment on column app.export_parts.counts is 'By table: the rows of the part, and the rows within its bounds that its owner may not read.';
comment on column app.export_parts.hash is 'SHA-256 of the content.';
comment on column app.export_parts.chain is 'SHA-256 over the chain of the previous part, the number, the lines and the hash of this part.';
