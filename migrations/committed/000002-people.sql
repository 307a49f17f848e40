--! Previous: sha1:f51bad191aae61cad81314f9be793fd2681d0be4
--! Hash: sha1:6de0bac4eee74ead5d25cb46b767279e206c615c
--! Message: people

-- People join: members get a place in the order of joining, and invitations come to be.

-- A keyset over members needs an id that is the membership's own; the time of joining is read off it, as elsewhere.
alter table app.memberships
  add column id uuid not null default uuidv7(),
  drop column created_at;
alter table app.memberships
  add column created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  add unique (organisation_id, id);

create table app.invitations (
  organisation_id uuid not null references app.organisations (id),
  id uuid not null default uuidv7(),
  email text not null check (char_length(email) between 3 and 254),
  role app.member_role not null check (role in ('admin', 'member')),
  invited_by uuid not null references app.people (id),
  token_digest bytea not null check (octet_length(token_digest) = 32),
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  expires_at timestamptz(3) not null default now() + interval '7 days',
  accepted_at timestamptz(3),
  accepted_by uuid references app.people (id),
  revoked_at timestamptz(3),
  primary key (organisation_id, id),
  check ((accepted_at is null) = (accepted_by is null)),
  check (accepted_at is null or revoked_at is null)
);
create unique index invitations_by_token_digest on app.invitations (token_digest);
create index invitations_unanswered on app.invitations (organisation_id, lower(email))
  where accepted_at is null and revoked_at is null;
comment on column app.invitations.token_digest is 'SHA-256 of the token in the link that was mailed last. The token is made in Node and never reaches the database in the clear.';

alter type app.mail_kind add value 'invitation';
alter table app.mails add column token_sealed bytea;
comment on column app.mails.token_sealed is 'The token of the link in this mail, sealed under the master key; gone once the mail is sent.';

alter table app.api_keys add column rotated_at timestamptz(3);
comment on column app.api_keys.rotated_at is 'When another key took this one''s place; it still works until expires_at, and is not rotated again.';

-- What is said in a run is said in the run's conversation, which decides who reads it: one reference for both.
alter table app.runs add unique (organisation_id, conversation_id, id);
alter table app.messages
  drop constraint messages_organisation_id_run_id_fkey,
  drop constraint messages_organisation_id_conversation_id_fkey,
  add foreign key (organisation_id, conversation_id, run_id)
    references app.runs (organisation_id, conversation_id, id);
