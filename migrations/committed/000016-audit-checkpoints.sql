--! Previous: sha1:2d5f4ef70eb47eecd8404524eaeeacfa559b0e6f
--! Hash: sha1:a461a516fe1fa978315d5e3a398cb31a4a659850
--! Message: audit-checkpoints

-- Checkpoints of the audit log: one Merkle tree over the entries of all organisations, and its signed heads.

create table app.audit_tree (
  singleton boolean default true primary key check (singleton),
  attempted_at timestamptz(3),
  checked_at timestamptz(3),
  verified_leaves bigint not null default 0,
  verified_organisation uuid not null default '00000000-0000-0000-0000-000000000000'
);
comment on table app.audit_tree is
  'One row: the state of the checkpoint job, which locks it. Only one job runs at a time.';
comment on column app.audit_tree.attempted_at is 'When the job last ran.';
comment on column app.audit_tree.checked_at is 'When the job last found no fault, and every entry in the tree.';
comment on column app.audit_tree.verified_leaves is 'Leaves that the present pass over the tree has verified.';
comment on column app.audit_tree.verified_organisation is 'The last organisation whose chain the present pass has checked.';

create table app.audit_tiles (
  level smallint,
  tile bigint,
  position smallint check (position between 0 and 255),
  hashes bytea not null check (octet_length(hashes) % 32 = 0 and octet_length(hashes) between 32 and 8192),
  primary key (level, tile, position)
);
comment on table app.audit_tiles is
  'The tree as tiles of up to 256 hashes (C2SP tlog-tiles). Each row is a part of a tile, which begins at a position and never changes.';

create table app.audit_leaves (
  organisation_id uuid,
  first_id uuid,
  last_id uuid not null,
  first_sequence bigint not null,
  last_sequence bigint not null check (last_sequence >= first_sequence),
  first_index bigint not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  last_hash bytea not null check (octet_length(last_hash) = 32),
  primary key (organisation_id, first_id)
);
create index audit_leaves_in_order on app.audit_leaves (first_index);
comment on table app.audit_leaves is
  'Which leaves of the tree are which entries: consecutive entries of an organisation are consecutive leaves from first_index on.';
comment on column app.audit_leaves.previous_hash is 'The hash of the entry before the first.';

create table app.audit_checkpoints (
  number bigint generated always as identity primary key,
  tree_size bigint not null check (tree_size >= 0),
  root bytea not null check (octet_length(root) = 32),
  public_key text not null,
  note text not null,
  created_at timestamptz(3) not null default now()
);
comment on table app.audit_checkpoints is 'Signed heads of the tree, as signed notes (C2SP tlog-checkpoint).';
comment on column app.audit_checkpoints.public_key is 'The key that signed it, published for reading only: take the key to trust from the command line.';

create table app.audit_cosignatures (
  checkpoint bigint,
  witness text,
  line text not null,
  created_at timestamptz(3) not null default now(),
  primary key (checkpoint, witness),
  foreign key (checkpoint) references app.audit_checkpoints (number)
);
comment on table app.audit_cosignatures is 'Signature lines of witnesses for a checkpoint (C2SP tlog-cosignature).';

create table app.audit_faults (
  organisation_id uuid,
  fault text,
  sequence bigint,
  last_sequence bigint not null,
  first_found_at timestamptz(3) not null default now(),
  last_found_at timestamptz(3) not null default now(),
  accepted_at timestamptz(3),
  accepted_by text,
  accepted_reason text check (char_length(accepted_reason) between 1 and 500),
  primary key (organisation_id, fault, sequence),
  check ((accepted_at is null) = (accepted_reason is null) and (accepted_at is null) = (accepted_by is null))
);
comment on table app.audit_faults is
  'Faults of the audit log that the checkpoint job found. It signs nothing while it finds one that no operator has accepted. Faults of the tree and of the service have the nil id.';

-- The service has a chain of its own, under the nil id, for changes of its settings.
alter table app.audit_chain_heads drop constraint audit_chain_heads_organisation_id_fkey;
alter table app.audit_truncations drop constraint audit_truncations_organisation_id_fkey;
insert into app.audit_chain_heads (organisation_id, hash)
select id, sha256(convert_to(id::text, 'UTF8')) from (values ('00000000-0000-0000-0000-000000000000'::uuid)) service (id);

-- A truncation is an entry first, and drops entries once that entry is in a checkpoint.
alter table app.audit_truncations
  add column entry_id uuid,
  add column next_sequence bigint,
  add column next_hash bytea check (octet_length(next_hash) = 32),
  add column next_entry_id uuid,
  add check ((next_sequence is null) = (next_hash is null) and (next_sequence is null) = (next_entry_id is null));
comment on table app.audit_truncations is
  'The last entry of each organisation that retention dropped: the chain continues after it. Apart from the chain heads, so that dropping blocks no writer.';
comment on column app.audit_truncations.entry_id is 'The entry that records this truncation. Null if nothing was dropped yet.';
comment on column app.audit_truncations.next_sequence is 'The entry that the next truncation drops last; next_entry_id has recorded it.';

-- What happened before this migration gets its entries. A new database needs none, and has no trigger yet.
do $$
begin
  insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, after)
  select '00000000-0000-0000-0000-000000000000', 'system', 'updated', 'service', '{auditRetention}',
    json_build_object('auditRetention', settings.audit_retention)
  from app.service_settings settings
  where settings.audit_retention <> '1 year';
  if exists (select from app.audit_truncations) then
    insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, before)
    select truncation.organisation_id, 'worker', 'deleted', 'audit_log', '{}', json_build_object(
        'throughSequence', truncation.sequence, 'throughHash', encode(truncation.hash, 'hex')
      )
    from app.audit_truncations truncation;
    set constraints all immediate;
    update app.audit_truncations truncation
    set entry_id = head.entry_id
    from app.audit_chain_heads head
    where head.organisation_id = truncation.organisation_id;
  end if;
end
$$;

insert into app.audit_tree default values;
