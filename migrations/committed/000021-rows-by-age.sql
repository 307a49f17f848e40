--! Previous: sha1:e16fdc94297e0cbc39bf1ed91ffb9c64364eba17
--! Hash: sha1:76a3ee104eba6923bcaa4d365b9c917c81943140
--! Message: rows-by-age

-- What is written all day and forgotten by its age goes by the table and not by the row: steps and what runs told by the
-- week, what was answered and what hooks took by the day. (docs/decisions.md, "Partitions".)
--
-- Tables that are read are waited for, but not for long: who waits for a table is waited for by all who come after.
set local lock_timeout = '5s';

alter table app.service_settings
  add column step_retention interval not null default interval '90 days' check (step_retention >= interval '1 day');
comment on column app.service_settings.step_retention is 'How long the steps of a run, and what those who watch it are told, are kept at least after it was started; they go a week at a time, once the youngest run of the week is older and all of the week have ended.';

-- What there is becomes the first partition, open downwards, with its indexes and its keys: it is read once and not
-- written again. It is named after the week of yesterday, since from there on weeks are made (sql/jobs/partitions.sql).
alter table app.steps set schema partitions;
alter table app.run_events set schema partitions;

create table app.steps (
  like partitions.steps including defaults including constraints,
  primary key (organisation_id, run_id, number),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id)
) partition by range (run_id);

create table app.run_events (
  like partitions.run_events including defaults including constraints,
  primary key (organisation_id, run_id, number),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id),
  foreign key (organisation_id, message_id) references app.messages (organisation_id, id),
  foreign key (organisation_id, approval_id) references app.approvals (organisation_id, id)
    on delete set null (approval_id)
) partition by range (run_id);
create index run_events_of_approval on app.run_events (organisation_id, approval_id) where approval_id is not null;
comment on table app.run_events is 'What happened to a run, as those who watch it are told: numbered from 1 without a gap, in the order of commits. Written by triggers alone; lies in the week of its run, as steps do.';
comment on column app.run_events.step_number is 'A step of the same week: each partition has its own foreign key.';
comment on column app.run_events.approval_id is 'A card that is erased leaves an event of nothing: nobody is told of it, and its number is not given again.';
comment on column app.run_events.state is 'The state that the run came into, with its taint, steps and spend at that moment.';

-- Then two weeks more, so that a process of the version before can write while this one is installed.
do $$
declare
  monday timestamptz := date_trunc('week', now() - interval '1 day', 'UTC');
  week text;
  lower text := 'minvalue';
  upper text;
begin
  for further in 0..2 loop
    week := to_char(monday at time zone 'UTC', 'YYYYMMDD');
    monday := monday + interval '7 days';
    upper := quote_literal(lpad(to_hex((extract(epoch from monday) * 1000)::bigint), 12, '0') || '70008000000000000000');
    if further = 0 then
      execute format('alter table partitions.steps rename to steps_%s', week);
      execute format('alter table partitions.run_events rename to run_events_%s', week);
      -- On a Monday there are rows of the week that has begun. They move, and what refers moves first.
      execute format('create temporary table later_events on commit drop as select * from partitions.run_events_%s where run_id >= %s', week, upper);
      execute format('create temporary table later_steps on commit drop as select * from partitions.steps_%s where run_id >= %s', week, upper);
      execute format('delete from partitions.run_events_%s where run_id >= %s', week, upper);
      execute format('delete from partitions.steps_%s where run_id >= %s', week, upper);
      execute format('alter table app.steps attach partition partitions.steps_%s for values from (%s) to (%s)', week, lower, upper);
      execute format('alter table app.run_events attach partition partitions.run_events_%s for values from (%s) to (%s)', week, lower, upper);
    else
      execute format('create table partitions.steps_%s partition of app.steps for values from (%s) to (%s)', week, lower, upper);
      execute format('create table partitions.run_events_%s partition of app.run_events for values from (%s) to (%s)', week, lower, upper);
      execute format(
        'alter table partitions.run_events_%1$s add foreign key (organisation_id, run_id, step_number) references partitions.steps_%1$s (organisation_id, run_id, number)',
        week
      );
    end if;
    lower := upper;
  end loop;
end
$$;
insert into app.steps select * from later_steps;
insert into app.run_events select * from later_events;

-- Answers, and what hooks took, are looked for in all that is kept, for 24 hours. So they lie in a ring of three days:
-- today's, yesterday's, and the one that is emptied before its turn comes. It does not grow, and is never missing.
create schema former;
alter table app.idempotency_records set schema former;
alter table app.hook_receipts set schema former;

create table app.idempotency_records (
  organisation_id uuid not null,
  key_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  status smallint,
  body text,
  refusal text,
  details json,
  sealed bytea,
  request_id uuid not null,
  created_at timestamptz(3) not null default now(),
  ring_day integer not null default ((now()::timestamptz(3) at time zone 'UTC')::date - date '2000-01-01') % 3,
  primary key (organisation_id, key_id, digest, ring_day),
  check ((status is null) = (body is null)),
  check ((status is null) <> (refusal is null)),
  constraint idempotency_records_in_their_day
    check (ring_day = ((created_at at time zone 'UTC')::date - date '2000-01-01') % 3)
) partition by list (ring_day);
create index idempotency_records_by_age on app.idempotency_records (created_at);
comment on table app.idempotency_records is 'Answers kept for 24 hours. Calls of a platform key belong to no organisation and are kept under the nil id.';
comment on column app.idempotency_records.digest is 'SHA-256 over the caller''s credential digest and its Idempotency-Key; neither can be read back. One of a kind among those of 24 hours by the lock under which it is looked for and kept (sql/api/idempotency.sql).';
comment on column app.idempotency_records.sealed is 'A secret shown once, sealed under a key derived from the bearer token and the Idempotency-Key: only who sends both again can open it.';
comment on column app.idempotency_records.ring_day is 'The day of created_at (UTC) in a ring of three: days since 2000-01-01, modulo 3.';

create table app.hook_receipts (
  organisation_id uuid not null,
  hook_id uuid not null,
  digest bytea not null check (octet_length(digest) = 32),
  body_digest bytea not null check (octet_length(body_digest) = 32),
  run_id uuid not null,
  created_at timestamptz(3) not null default now(),
  ring_day integer not null default ((now()::timestamptz(3) at time zone 'UTC')::date - date '2000-01-01') % 3,
  primary key (organisation_id, hook_id, digest, ring_day),
  foreign key (organisation_id, hook_id) references app.hooks (organisation_id, id),
  foreign key (organisation_id, run_id) references app.runs (organisation_id, id),
  constraint hook_receipts_in_their_day
    check (ring_day = ((created_at at time zone 'UTC')::date - date '2000-01-01') % 3)
) partition by list (ring_day);
comment on table app.hook_receipts is 'What hooks have taken in the last 24 hours, so that nothing starts a second run.';
comment on column app.hook_receipts.digest is 'SHA-256 of a delivery''s id, or of what a signature covers: each post that was taken leaves one of both.';
comment on column app.hook_receipts.ring_day is 'The day of created_at (UTC) in a ring of three: days since 2000-01-01, modulo 3.';

do $$
begin
  for day in 0..2 loop
    execute format('create table partitions.idempotency_records_%1$s partition of app.idempotency_records for values in (%1$s)', day);
    execute format('create table partitions.hook_receipts_%1$s partition of app.hook_receipts for values in (%1$s)', day);
  end loop;
end
$$;

-- What is in force; the rest would be looked at by nobody.
insert into app.idempotency_records (
  organisation_id, key_id, digest, fingerprint, status, body, refusal, details, sealed, request_id, created_at, ring_day
)
select organisation_id, key_id, digest, fingerprint, status, body, refusal, details, sealed, request_id, created_at,
  ((created_at at time zone 'UTC')::date - date '2000-01-01') % 3
from former.idempotency_records
where created_at > now() - interval '24 hours';
insert into app.hook_receipts (organisation_id, hook_id, digest, body_digest, run_id, created_at, ring_day)
select organisation_id, hook_id, digest, body_digest, run_id, created_at, ((created_at at time zone 'UTC')::date - date '2000-01-01') % 3
from former.hook_receipts
where created_at > now() - interval '24 hours';

-- With them go the definitions that hang on them, which are rebuilt after every migration.
drop schema former cascade;

comment on schema partitions is 'What the partitioned tables of app lie in: weeks, and rings of three days. Reached through those tables alone: nobody may enter here.';
