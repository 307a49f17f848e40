--! Previous: sha1:cbeac1fd4fab1200910009cd8a925e735b61e080
--! Hash: sha1:5a0a5932da94ddadc2eff004bdca23909b95401c
--! Message: run-metadata

create table app.run_metadata (
  organisation_id uuid,
  run_id uuid,
  key text check (key ~ '^[A-Za-z0-9_.-]{1,40}$' and key <> '__proto__'),
  value text not null check (char_length(value) <= 500),
  value_digest bytea not null check (octet_length(value_digest) = 32),
  primary key (organisation_id, run_id, key),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id)
);
create index run_metadata_by_pair on app.run_metadata (organisation_id, key, value, run_id);
create index run_metadata_by_value on app.run_metadata (organisation_id, value_digest);
comment on table app.run_metadata is 'Pairs that a client stored with a run. Written with the run, and deleted by an erasure of their value only.';
comment on column app.run_metadata.value_digest is
  'SHA-256 of the value as names are compared, so that the erasure of a subject finds it. A long value does not fit into an index.';
