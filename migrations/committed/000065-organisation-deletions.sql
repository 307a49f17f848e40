--! Previous: sha1:40404344005dcdedac0f92d4dc53df534b2705e3
--! Hash: sha1:c0006a0af73c3dbcb926cd3a997e4334768310dd
--! Message: organisation-deletions

-- Deletion of an organisation by an operator: a date that can be cancelled, then the state of the deletion and its receipt.
alter type app.mail_kind add value 'deletion_scheduled';
alter type app.mail_kind add value 'deletion_cancelled';

alter table app.organisations add column deletion_at timestamptz(3);
comment on column app.organisations.deletion_at is
  'When the organisation is deleted, until an operator cancels it. Null: not scheduled.';
create index organisations_to_delete on app.organisations (deletion_at) where deletion_at is not null;

create table app.organisation_deletions (
  organisation_id uuid primary key,
  action_id uuid,
  scheduled_at timestamptz(3),
  due_at timestamptz(3) not null,
  begun_at timestamptz(3) not null default now(),
  next_step_at timestamptz(3) not null default now(),
  older_transactions text[],
  people uuid[],
  pattern text,
  deleted jsonb not null default '{}' check (jsonb_typeof(deleted) = 'object'),
  log_entry_id uuid,
  log_sequence bigint,
  analyzed_relation oid,
  searched_relation oid,
  searched_blocks bigint not null default 0 check (searched_blocks >= 0),
  searched jsonb not null default '{}' check (jsonb_typeof(searched) = 'object'),
  places_left jsonb not null default '{}' check (jsonb_typeof(places_left) = 'object'),
  mentioned_by_others jsonb not null default '{}' check (jsonb_typeof(mentioned_by_others) = 'object'),
  ended_at timestamptz(3),
  receipt text,
  hash bytea check (octet_length(hash) = 32),
  check ((log_entry_id is null) = (log_sequence is null)),
  check ((ended_at is null) = (hash is null) and (ended_at is null) = (receipt is null)),
  check (ended_at is null or places_left = '{}' and pattern is null and people is null and older_transactions is null)
);
create index organisation_deletions_under_way on app.organisation_deletions (next_step_at) where ended_at is null;
comment on table app.organisation_deletions is
  'Deletions of organisations that have begun, and their receipts. A receipt has ids, times and counts, and no text of the organisation.';
comment on column app.organisation_deletions.action_id is 'The operator action that scheduled it. Null: it was scheduled past the operator actions.';
comment on column app.organisation_deletions.begun_at is 'From then on no login sees a row of the organisation.';
comment on column app.organisation_deletions.older_transactions is
  'Transactions that were open when it began. Rows are deleted once these have ended. Null: not read yet, or ended.';
comment on column app.organisation_deletions.people is 'People to whom its rows referred and who may belong to no organisation any more. Null: not read yet, or ended.';
comment on column app.organisation_deletions.pattern is 'What the search looks for: the id of the organisation, and ids and digests of its rows. Null: not read yet, or ended.';
comment on column app.organisation_deletions.deleted is 'Deleted rows by table.';
comment on column app.organisation_deletions.log_entry_id is 'The entry of its audit log that records the removal of all older entries.';
comment on column app.organisation_deletions.log_sequence is 'The last removed entry of its audit log.';
comment on column app.organisation_deletions.analyzed_relation is 'The last table whose statistics were renewed: they contain values of deleted rows.';
comment on column app.organisation_deletions.searched is 'Rows that the search has read, by table.';
comment on column app.organisation_deletions.places_left is 'Rows that the search has found, by table. It is repeated until it finds none.';
comment on column app.organisation_deletions.mentioned_by_others is 'Rows of other organisations with one of the ids, by table. They stay, since they are theirs.';
comment on column app.organisation_deletions.receipt is 'The receipt as JSON. Null: not ended.';
comment on column app.organisation_deletions.hash is 'SHA-256 of the receipt, which is also in the audit log. Null: not ended.';
