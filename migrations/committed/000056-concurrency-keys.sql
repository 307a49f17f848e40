--! Previous: sha1:cf81ca776a3b6c9037feba4531cf9494c0b96236
--! Hash: sha1:a09402df9894b106f67b2912ec8f16cc28cac448
--! Message: concurrency-keys

alter table app.runs
  add column concurrency_key text check (char_length(concurrency_key) between 1 and 200),
  add column concurrency_key_digest bytea check (octet_length(concurrency_key_digest) = 32),
  add column settles_key_at timestamptz,
  add check ((concurrency_key is null) = (concurrency_key_digest is null)),
  add check (settles_key_at is null or concurrency_key is not null);
comment on column app.runs.concurrency_key is 'One run of the organisation with this key works at a time. Null after an erasure of a subject with this name.';
comment on column app.runs.concurrency_key_digest is 'SHA-256 of the key as names are compared, so that the erasure of a subject finds it.';
comment on column app.runs.settles_key_at is 'When executors look for the next run with the key: the run began to wait for the key, or left it.';
comment on column app.runs.postponed is
  'No executor leases the run, and other runs of its conversation go first: before start_at, or while another run has its concurrency_key.';

create unique index runs_one_of_key on app.runs (organisation_id, concurrency_key)
  where concurrency_key is not null and not postponed and state in ('queued', 'running', 'waiting_approval');
create index runs_with_key on app.runs (organisation_id, concurrency_key, postponed, greatest(start_at, created_at), id)
  where concurrency_key is not null and finished_at is null;
create index runs_with_key_digest on app.runs (organisation_id, concurrency_key_digest) where concurrency_key_digest is not null;
create index runs_settling_key on app.runs (settles_key_at) where settles_key_at is not null;

drop index app.runs_postponed;
create index runs_postponed on app.runs (start_at) where postponed and concurrency_key is null;
