--! Previous: sha1:eefe691a00c69a3066b537c584efd8d53bbcd6c0
--! Hash: sha1:c7345fec677dbeb79395f148bea45d58663cb092
--! Message: audit-streams

-- The audit log of an organisation, sent to an endpoint of it.

alter type app.mail_kind add value 'audit_stream_disabled';
alter type app.event_kind add value 'audit_stream.disabled';
create type app.audit_stream_format as enum ('entries', 'ocsf');

create table app.audit_streams (
  organisation_id uuid primary key,
  id uuid not null default uuidv7(),
  url text not null check (url like 'https://%' and char_length(url) <= 2048),
  format app.audit_stream_format not null default 'entries',
  secret_sealed bytea not null,
  state app.endpoint_state not null default 'active',
  disabled_reason app.disabled_reason,
  disabled_at timestamptz(3),
  after_entry_id uuid,
  after_sequence bigint not null default 0,
  checkpoint bigint,
  part_id uuid,
  part_entry_id uuid,
  part_sequence bigint,
  part_checkpoint bigint,
  attempts integer not null default 0,
  consecutive_failures integer not null default 0,
  degraded_since timestamptz(3),
  unreadable_since timestamptz(3),
  last_status_code integer,
  last_failure app.attempt_failure,
  last_delivery_at timestamptz(3),
  next_attempt_at timestamptz(3) not null default now(),
  lease_id uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  check ((state = 'disabled') = (disabled_reason is not null)),
  check ((state = 'disabled') = (disabled_at is not null)),
  check ((after_entry_id is null) = (after_sequence = 0)),
  foreign key (organisation_id) references app.organisations (id)
);
create index audit_streams_active on app.audit_streams (next_attempt_at) where state = 'active';
create index audit_streams_leased on app.audit_streams (lease_until) where lease_id is not null;
comment on table app.audit_streams is
  'The endpoint that receives the audit log of an organisation in parts, one after the other. At most one for each organisation.';
comment on column app.audit_streams.secret_sealed is
  'The signing secret, sealed in Node under the sealing key (AES-256-GCM).';
comment on column app.audit_streams.after_entry_id is 'The last entry that the receiver has. Null: none.';
comment on column app.audit_streams.checkpoint is
  'The last checkpoint that the receiver has. The next part proves that its checkpoint extends this one. Null after a move to another cluster.';
comment on column app.audit_streams.part_id is
  'The part whose delivery has begun, with its last entry and its checkpoint. Every attempt sends the same part.';
comment on column app.audit_streams.attempts is 'Failed attempts of the present round.';
comment on column app.audit_streams.degraded_since is
  'Start of the present series of failed attempts. Null: the last attempt succeeded, or there was none.';
comment on column app.audit_streams.unreadable_since is 'Since when the secret cannot be opened. Null: it can.';
comment on column app.audit_streams.lease_id is 'The lease of the attempt under way. An attempt with an old lease records nothing.';
