--! Previous: sha1:8c0932f3d8c8e985f2ffbf9c1e6f27f0f43d886f
--! Hash: sha1:3680da1caded2fd79911102836ba848f57ce7c6b
--! Message: api-keys

-- Keys of organisations and of the platform.

create table app.api_keys (
  organisation_id uuid,
  id uuid default uuidv7(),
  name text not null check (char_length(name) between 1 and 60),
  prefix text not null check (char_length(prefix) = 12),
  digest bytea not null check (octet_length(digest) = 32),
  scope app.key_scope not null,
  created_by uuid not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  rotated_at timestamptz(3),
  suspended_at timestamptz(3),
  primary key (organisation_id, id),
  foreign key (created_by) references app.people (id),
  foreign key (organisation_id) references app.organisations (id)
);
create unique index api_keys_by_digest on app.api_keys (digest);
create index api_keys_by_prefix on app.api_keys (prefix);
create index api_keys_by_id on app.api_keys (id, organisation_id);
comment on column app.api_keys.digest is 'SHA-256 of the key. Node makes the key; the database never sees it.';
comment on column app.api_keys.rotated_at is
  'When a new key replaced this one. It works until expires_at and cannot be rotated again.';
comment on column app.api_keys.suspended_at is
  'Copy of the organisation''s suspended_at, while the key is live. Each call reads it here.';

create table app.api_key_uses (
  organisation_id uuid,
  key_id uuid,
  last_used_at timestamptz(3),
  primary key (organisation_id, key_id),
  foreign key (organisation_id, key_id) references app.api_keys (organisation_id, id)
) with (fillfactor = 50);
comment on table app.api_key_uses is
  'Last use of each key. A table of its own, so that recording a use and revoking the key do not wait for each other.';

create table app.platform_keys (
  id uuid default uuidv7() primary key,
  name text not null check (char_length(name) between 1 and 60),
  prefix text not null check (char_length(prefix) = 12),
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  unique (digest)
);
comment on table app.platform_keys is
  'Keys of operators. They reach the four operations on organisations and nothing else.';
