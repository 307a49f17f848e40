--! Previous: sha1:61c2a11c8695f0bd2f59abb0ecd2825938983310
--! Hash: sha1:1977db9bbaa52ea85d5480a6372a5b5aa336b60f
--! Message: trail

-- The trail: what became of every row of a tenant, who did it and by what, chained by hashes so that nothing can be
-- changed or taken away without a gap. (docs/decisions.md, "The trail".)

create type app.audit_actor as enum (
  'key', 'platform_key', 'invitation', 'approval', 'hook', 'executor', 'worker', 'operator', 'system'
);
create type app.audit_action as enum ('created', 'updated', 'deleted');

create table app.audit_trail (
  organisation_id uuid not null,
  id uuid not null,
  sequence bigint not null,
  actor app.audit_actor not null,
  key_id uuid,
  person_id uuid,
  operator text,
  reason text,
  request_id uuid,
  action app.audit_action not null,
  resource text not null,
  resource_id uuid,
  changed text[] not null,
  before json,
  after json,
  hash bytea not null,
  created_at timestamptz(3) generated always as (uuid_extract_timestamp(id)) virtual,
  primary key (organisation_id, id)
) partition by range (id);
create index audit_trail_of_resource on app.audit_trail (organisation_id, resource_id, id);
comment on table app.audit_trail is 'What became of every row of a tenant: only ever added to, by triggers, and dropped a week at a time. Holds ids, states, limits and times; of names, addresses, words and secrets only that they changed.';
comment on column app.audit_trail.sequence is 'From 1, without a gap, in the order of commits; ids are in the same order.';
comment on column app.audit_trail.key_id is 'Of the credential that asked: an API key, a platform key, an invitation, a card or a hook, as actor says.';
comment on column app.audit_trail.person_id is 'Whose key, invitation or card it was.';
comment on column app.audit_trail.changed is 'Which columns an update changed, those too whose values are not kept.';
comment on column app.audit_trail.hash is 'SHA-256 over the hash of the entry before and all of this one (audit.entry_hash).';

-- No check on the columns of the trail: triggers alone write it, and each check would be read anew with every write.
-- No reference from the trail to organisations: it would lock the organisation's row once more with every write. An entry
-- can only be written by moving its organisation's head, and heads refer.
create table app.audit_heads (
  organisation_id uuid primary key references app.organisations (id),
  sequence bigint not null default 0,
  entry_id uuid,
  hash bytea not null
) with (fillfactor = 50);
comment on table app.audit_heads is 'The last entry of each organisation''s trail: an end that was cut off is missed here.';
comment on column app.audit_heads.hash is 'Before the first entry: SHA-256 of the organisation''s id as text.';

create table app.audit_cuts (
  organisation_id uuid primary key references app.organisations (id),
  sequence bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table app.audit_cuts is 'The last entry that retention has dropped, of each organisation: where what is kept goes on. Apart from the heads, so that dropping keeps no writer waiting.';

create unlogged table app.audit_drafts (
  organisation_id uuid not null,
  id uuid not null default uuidv7(),
  actor app.audit_actor not null,
  key_id uuid,
  person_id uuid,
  operator text,
  reason text,
  request_id uuid,
  action app.audit_action not null,
  resource text not null,
  resource_id uuid,
  changed text[] not null,
  before json,
  after json
);
create index audit_drafts_in_order on app.audit_drafts (id);
comment on table app.audit_drafts is 'Entries on their way, within one transaction: to everybody else it is empty. (sql/triggers/audit_trail.sql)';

insert into app.audit_heads (organisation_id, hash)
select organisation.id, sha256(convert_to(organisation.id::text, 'UTF8'))
from app.organisations organisation;

alter table app.service_settings
  add column audit_retention interval not null default '1 year' check (audit_retention >= interval '1 day');
comment on column app.service_settings.audit_retention is 'How long the trail is kept at least; it goes a week at a time, once the youngest entry of the week is older.';

comment on schema partitions is 'The weeks of app.events, app.deliveries, app.delivery_attempts and app.audit_trail. Reached through these tables alone: nobody may enter here.';

-- This week and the next, so that a process of the version before can write while this one is installed.
do $$
declare
  monday timestamptz;
begin
  for monday in
    select generate_series(date_trunc('week', now() - interval '1 day', 'UTC'), now() + interval '7 days', interval '7 days')
  loop
    execute format(
      'create table partitions.audit_trail_%s partition of app.audit_trail for values from (%L) to (%L)',
      to_char(monday at time zone 'UTC', 'YYYYMMDD'),
      lpad(to_hex((extract(epoch from monday) * 1000)::bigint), 12, '0') || '70008000000000000000',
      lpad(to_hex((extract(epoch from monday + interval '7 days') * 1000)::bigint), 12, '0') || '70008000000000000000'
    );
  end loop;
end
$$;
