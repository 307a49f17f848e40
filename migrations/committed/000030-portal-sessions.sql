--! Previous: sha1:fd6e2ee0a990131a48839cdb6b82f4d4ebde43ae
--! Hash: sha1:1bdd412528bbfefdde52d0d0431a883350e332bb
--! Message: portal-sessions

-- Sessions of people in the portal, and the links that open them.
alter type app.audit_actor add value 'portal_session';

create type app.portal_section as enum (
  'overview', 'endpoints', 'events', 'keys', 'runs', 'approvals', 'bots', 'memories', 'routines', 'hooks', 'members', 'audit'
);

create table app.portal_sessions (
  organisation_id uuid,
  id uuid default uuidv7(),
  person_id uuid not null,
  created_by uuid,
  operator text check (char_length(operator) between 1 and 60),
  sections app.portal_section[] check (cardinality(sections) between 1 and 20),
  read_only boolean not null default false,
  return_url text check (char_length(return_url) between 1 and 2048),
  link_digest bytea not null check (octet_length(link_digest) = 32),
  link_expires_at timestamptz(3) not null default now() + interval '5 minutes',
  session_digest bytea check (octet_length(session_digest) = 32),
  opened_at timestamptz(3),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (organisation_id, id),
  check ((opened_at is null) = (session_digest is null)),
  check ((created_by is null) = (operator is not null)),
  foreign key (created_by) references app.people (id),
  foreign key (organisation_id) references app.organisations (id),
  foreign key (organisation_id, person_id) references app.memberships (organisation_id, person_id) on delete cascade
);
create unique index portal_sessions_by_link on app.portal_sessions (link_digest);
create unique index portal_sessions_by_session on app.portal_sessions (session_digest) where session_digest is not null;
create index portal_sessions_by_person on app.portal_sessions (organisation_id, person_id);
create index portal_sessions_by_expiry on app.portal_sessions (expires_at);
comment on table app.portal_sessions is
  'Sessions in the portal. A link opens a session once; afterwards a cookie of the browser is its credential.';
comment on column app.portal_sessions.person_id is 'The session acts as this member, and ends when the membership does.';
comment on column app.portal_sessions.sections is 'Sections of the portal that the session reaches. Null: all that the role reaches.';
comment on column app.portal_sessions.read_only is 'Whether the session may only read.';
comment on column app.portal_sessions.operator is 'The operator who made the link, in place of a member.';
comment on column app.portal_sessions.link_digest is 'SHA-256 of the token in the link. Node makes the token; the database never sees it.';
comment on column app.portal_sessions.session_digest is 'SHA-256 of the cookie. Null until the link is used.';

-- A person in the portal erases without a key.
alter table app.erasures drop constraint erasures_check;
alter table app.erasures add check (key_id is null or erased_by is not null);
