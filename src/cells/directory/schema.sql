/*
 * The directory: which cell an organisation is in. It speeds up look-ups; the cells themselves decide. It has digests and
 * ids, no data of tenants except the addresses of people. Each statement can be repeated. (docs/directory.md)
 */
create schema if not exists directory;
comment on schema directory is 'Botstead: which cell an organisation is in.';

create table if not exists directory.cells (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  url text not null,
  pooler_url text,
  read_url text,
  state text not null default 'open' check (state in ('open', 'draining')),
  added_at timestamptz not null default now()
);
alter table directory.cells add column if not exists console_url text;
comment on table directory.cells is 'URLs are without user and password: each process logs in as its own role. state draining: takes no new organisations.';

create table if not exists directory.organisations (
  id uuid primary key,
  cell text not null references directory.cells
);
create index if not exists organisations_by_cell on directory.organisations (cell);

create table if not exists directory.credentials (
  digest bytea primary key check (octet_length(digest) in (16, 32)),
  organisation_id uuid not null references directory.organisations on delete cascade,
  learned_at timestamptz not null default now()
);
create index if not exists credentials_by_organisation on directory.credentials (organisation_id);
create index if not exists credentials_by_time on directory.credentials (learned_at);
comment on table directory.credentials is 'Learned at the first use of a credential. digest: SHA-256 of it; for a hook, the 16 bytes of its id.';

create table if not exists directory.creations (
  request bytea primary key check (octet_length(request) = 32),
  cell text not null references directory.cells on delete cascade,
  made_at timestamptz not null default now()
);
create index if not exists creations_by_time on directory.creations (made_at);
comment on table directory.creations is 'The cell of each creation of an organisation, so that a repeated request reaches the same cell. request: SHA-256 of credential and Idempotency-Key.';

create table if not exists directory.people (
  email text primary key check (email = lower(email collate "pg_c_utf8")),
  id uuid not null unique
);
comment on table directory.people is 'A person has one id in all cells.';

create or replace function directory.place(organisations uuid[], wanted text) returns void
language sql
as $$
  insert into directory.organisations as organisation (id, cell) select unnest(organisations), wanted
  on conflict (id) do update set cell = excluded.cell where organisation.cell <> excluded.cell
$$;
comment on function directory.place is 'Records that the organisations are in the cell wanted.';

create or replace function directory.person_id(address text) returns uuid
language sql
security definer set search_path = ''
as $$
  insert into directory.people as person (email, id) values (lower(address collate "pg_c_utf8"), uuidv7())
  on conflict (email) do update set email = excluded.email
  returning person.id
$$;
comment on function directory.person_id is 'The id of the person with this address, or a new id for a new address. The API cannot list the addresses.';

revoke all on function directory.person_id, directory.place from public;
grant usage on schema directory to server, operator;
grant select on directory.cells to server, operator;
grant select, insert, update, delete on directory.organisations to server;
grant select, insert, update, delete on directory.credentials to server;
grant select, insert, update, delete on directory.creations to server;
grant execute on function directory.person_id, directory.place to server;
