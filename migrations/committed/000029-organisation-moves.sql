--! Previous: sha1:f7cac5336e5249d327451c611600667a0920b62d
--! Hash: sha1:fd6e2ee0a990131a48839cdb6b82f4d4ebde43ae
--! Message: organisation-moves

-- Moves of an organisation from one cluster to another.

create table app.organisation_moves (
  organisation_id uuid primary key,
  state text not null check (state in ('arriving', 'arrived', 'leaving', 'departed', 'moved')),
  cell text not null check (char_length(cell) between 1 and 60),
  lock_number bigint not null default ((('x' || left(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64))::bigint),
  credentials bytea[] not null default '{}',
  event_position bigint,
  started_at timestamptz(3) not null default now()
);
create index organisation_moves_by_credential on app.organisation_moves using gin (credentials);
comment on table app.organisation_moves is
  'Moves of organisations to and from this cluster. arriving: not here yet. arrived: here, until the move ends. leaving: still here. departed: no longer here, rows are left. moved: the rows are deleted.';
comment on column app.organisation_moves.cell is 'The name of the other cluster.';
comment on column app.organisation_moves.lock_number is
  'The advisory lock that writes of the organisation share in the last second. Random, so that no login can take it before.';
comment on column app.organisation_moves.credentials is
  'Digests of the credentials that the organisation had at its switch. Calls with them are answered with 503 here.';
comment on column app.organisation_moves.event_position is 'When it departed: where the next event of its feed would have been.';

alter table app.organisations add column event_offset bigint not null default 0 check (event_offset >= 0);
comment on column app.organisations.event_offset is
  'Added to the transaction of each event, so that the feed continues after those of a cluster with a higher counter.';
