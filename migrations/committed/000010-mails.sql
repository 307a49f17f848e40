--! Previous: sha1:5abf40ebd364df43db25f0b9cb659829c82b64b4
--! Hash: sha1:cc6f1fb0071d2fdcf3fa380e08e6b717b4373c76
--! Message: mails

-- Outgoing mail.

create table app.mails (
  organisation_id uuid,
  id uuid default uuidv7(),
  kind app.mail_kind not null,
  recipient text not null,
  data json not null,
  created_at timestamptz(3) not null generated always as (uuid_extract_timestamp(id)) stored,
  sent_at timestamptz(3),
  token_sealed bytea,
  recipient_key text not null generated always as (lower(recipient)) stored,
  leased_at timestamptz(3),
  primary key (organisation_id, id),
  foreign key (organisation_id) references app.organisations (id)
);
create index mails_unsent on app.mails (id) where sent_at is null;
create index mails_by_address on app.mails (recipient_key, id);
create index mails_by_id on app.mails (id, organisation_id);
create index mails_invitations on app.mails (organisation_id, id) include (recipient_key) where kind = 'invitation';
create index mails_invitations_by_id on app.mails (id)
  include (organisation_id, recipient_key) where kind = 'invitation';
comment on column app.mails.sent_at is
  'When the mail was sent, or withdrawn after a worker had leased it. Null: it waits.';
comment on column app.mails.token_sealed is
  'The token of the link in this mail, sealed under the sealing key. Null once the mail is sent.';
comment on column app.mails.leased_at is 'When a worker last leased the mail to send it. Null: never.';
