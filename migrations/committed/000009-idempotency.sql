--! Previous: sha1:18998ec217b9fcec514a9f8bd576963a5f69693c
--! Hash: sha1:5abf40ebd364df43db25f0b9cb659829c82b64b4
--! Message: idempotency

-- Idempotent responses of the last 24 hours, and what they show.

create table app.idempotency_records (
  organisation_id uuid,
  key_id uuid,
  digest bytea check (octet_length(digest) = 32),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  status smallint,
  body text,
  refusal text,
  details json,
  sealed bytea,
  request_id uuid not null,
  created_at timestamptz(3) not null default now(),
  day_partition integer default (((((now())::timestamp(3) with time zone at time zone 'UTC'))::date - date '2000-01-01') % 3),
  reason text,
  primary key (organisation_id, key_id, digest, day_partition),
  constraint idempotency_records_body_size check (octet_length(body) <= 1048576),
  constraint idempotency_records_in_their_day
    check (day_partition = ((((created_at at time zone 'UTC'))::date - date '2000-01-01') % 3)),
  check ((status is null) = (body is null)),
  check ((status is null) <> (refusal is null))
) partition by list (day_partition);
create index idempotency_records_by_age on app.idempotency_records (created_at);
comment on table app.idempotency_records is
  'Responses of the last 24 hours, for replays under the same Idempotency-Key. Calls with a platform key are stored under the nil id.';
comment on column app.idempotency_records.digest is
  'SHA-256 over the digest of the credential and the Idempotency-Key. Unique within 24 hours by an advisory lock (sql/api/idempotency.sql).';
comment on column app.idempotency_records.sealed is
  'A secret that the response shows once, sealed under a key derived from the bearer token and the Idempotency-Key.';
comment on column app.idempotency_records.day_partition is
  'The day of created_at (UTC): days since 2000-01-01, modulo 3.';
comment on column app.idempotency_records.reason is
  'Why the call was refused, as one word of the contract. Null: the code says it.';

create table app.response_bytes (
  organisation_id uuid,
  ring_hour integer check (ring_hour between 0 and 24),
  hour timestamp(0) with time zone not null check (date_trunc('hour', hour, 'UTC') = hour),
  bytes bigint not null check (bytes >= 0),
  primary key (organisation_id, ring_hour)
) with (fillfactor = 50);
comment on table app.response_bytes is
  'Bytes of responses that an organisation stored, per hour of the last 24 hours. Responses of platform keys count under the nil id.';
comment on column app.response_bytes.ring_hour is
  'Hours since 1970, modulo 25. Rows are reused, so none has to be deleted.';

create table app.response_rows (
  organisation_id uuid,
  row_id uuid,
  key_id uuid,
  digest bytea,
  day_partition integer,
  primary key (organisation_id, row_id, key_id, digest, day_partition)
) partition by list (day_partition);
comment on table app.response_rows is
  'Memories, approvals and messages that a stored response shows. An erasure finds the responses by these rows.';
comment on column app.response_rows.day_partition is 'The day partition of the response. Truncated with it.';

-- A ring of three days, so that a partition is never missing: today, yesterday, and the one that is truncated before its turn.
create table partitions.idempotency_records_0 partition of app.idempotency_records for values in (0);
create table partitions.idempotency_records_1 partition of app.idempotency_records for values in (1);
create table partitions.idempotency_records_2 partition of app.idempotency_records for values in (2);
create table partitions.response_rows_0 partition of app.response_rows for values in (0);
create table partitions.response_rows_1 partition of app.response_rows for values in (1);
create table partitions.response_rows_2 partition of app.response_rows for values in (2);
