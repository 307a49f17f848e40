--! Previous: sha1:cc6f1fb0071d2fdcf3fa380e08e6b717b4373c76
--! Hash: sha1:dab1aadc7ee4e3b2f041ddb0226e4e132bf172e4
--! Message: audit-log

-- The audit log: entries chained by hashes, one chain per organisation.

create table app.audit_log (
  organisation_id uuid,
  id uuid,
  sequence bigint not null,
  actor app.audit_actor not null,
  key_id uuid,
  person_id uuid,
  operator text,
  reason text,
  request_id uuid,
  action app.audit_action not null,
  resource text not null,
  resource_id uuid,
  changed text[] not null,
  before json,
  after json,
  hash bytea not null,
  created_at timestamptz(3) generated always as (uuid_extract_timestamp(id)) virtual,
  primary key (organisation_id, id)
) partition by range (id);
create index audit_log_of_resource on app.audit_log (organisation_id, resource_id, id);
create index audit_log_by_request on app.audit_log
  using brin (request_id) with (pages_per_range = 32, autosummarize = on);
comment on table app.audit_log is
  'One entry for each change of a tenant''s row, written by triggers. Entries are never changed; weeks are dropped after the retention. Of names, addresses, texts and secrets only the fact of the change is stored.';
comment on column app.audit_log.sequence is 'From 1, without a gap, in commit order. Ids have the same order.';
comment on column app.audit_log.key_id is
  'The credential: an API key, platform key, invitation, approval or hook, as actor says.';
comment on column app.audit_log.person_id is 'The person of the key, invitation or approval.';
comment on column app.audit_log.changed is
  'The columns that an update changed, including those whose values are not stored.';
comment on column app.audit_log.hash is
  'SHA-256 over the hash of the previous entry and this entry (audit.entry_hash).';

create table app.audit_chain_heads (
  organisation_id uuid primary key,
  sequence bigint not null default 0,
  entry_id uuid,
  hash bytea not null,
  foreign key (organisation_id) references app.organisations (id)
) with (fillfactor = 50);
comment on table app.audit_chain_heads is
  'The last entry of each organisation''s chain. A removed end of the log differs from it.';
comment on column app.audit_chain_heads.hash is 'Before the first entry: SHA-256 of the organisation''s id as text.';

create table app.audit_truncations (
  organisation_id uuid primary key,
  sequence bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  foreign key (organisation_id) references app.organisations (id)
);
comment on table app.audit_truncations is
  'The last entry of each organisation that retention dropped: the chain continues after it. Apart from the chain heads, so that dropping blocks no writer.';

create unlogged table app.audit_pending_entries (
  organisation_id uuid not null,
  id uuid not null default uuidv7(),
  actor app.audit_actor not null,
  key_id uuid,
  person_id uuid,
  operator text,
  reason text,
  request_id uuid,
  action app.audit_action not null,
  resource text not null,
  resource_id uuid,
  changed text[] not null,
  before json,
  after json
);
create index audit_pending_entries_in_order on app.audit_pending_entries (id);
comment on table app.audit_pending_entries is
  'Entries of the present transaction, appended to the log when it commits. Empty for all other transactions. (sql/triggers/audit_log.sql)';
