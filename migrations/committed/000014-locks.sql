--! Previous: sha1:6c4cdc176ba4cc6b8527ab900542007cbb33c5bd
--! Hash: sha1:472629e1800f18d4c10e4f7ab448566cf60abb0b
--! Message: locks

-- Liveness of worker pools, and locks that only functions of Botstead can take.

create table app.worker_pools (
  pool text primary key,
  pid integer not null,
  session_started_at timestamptz not null
);
comment on table app.worker_pools is
  'Worker pools and the session that shows each one alive: a pool without its session is gone (jobs.release_orphaned_jobs).';
comment on column app.worker_pools.session_started_at is 'With the pid it identifies the session: the system reuses a pid.';

create table app.locks (
  name text primary key
);
comment on table app.locks is
  'Names to lock by service.lock. In place of advisory locks, which any login could take.';
