/*
 * Deletion of an organisation after its waiting time. (docs/leaving.md, docs/decisions/0041-deleted-organisations.md)
 *
 * Each step is one transaction. It follows from the stored rows and app.organisation_deletions, so a worker that was killed is
 * continued by any other. Triggers let it pass (sql/triggers/deletions.sql): they would log, announce and refuse what all goes.
 */
create function jobs.begin_step(organisation uuid) returns void
language sql
as $$
  update app.organisation_deletions deletion set step_transaction = pg_current_xact_id() where deletion.organisation_id = organisation
$$;
comment on function jobs.begin_step is 'Lets this transaction see and delete the rows of an organisation that is being deleted.';

-- Deferred triggers run before, while they see that it is a step. A dump of the database never has the transaction.
create function jobs.end_step(organisation uuid, is_done boolean) returns void
language plpgsql
as $$
begin
  set constraints all immediate;
  update app.organisation_deletions deletion
  set step_transaction = null, failing_since = case when not is_done then deletion.failing_since end,
    failure = case when not is_done then deletion.failure end
  where deletion.organisation_id = organisation;
end
$$;
comment on function jobs.end_step is 'Hides the rows again, at the end of a step. is_done: it has not failed, and needs no second transaction.';

-- Messages about data can quote it. The worker's log has them.
create function jobs.put_deletion_off(organisation uuid, state text, message text) returns void
language sql
as $$
  update app.organisation_deletions deletion
  set next_step_at = now() + interval '1 minute', failing_since = coalesce(deletion.failing_since, now()),
    failure = case when state ~ '^(23|42|5)' then message else 'SQLSTATE ' || state end
  where deletion.organisation_id = organisation
$$;
comment on function jobs.put_deletion_off is 'After a failed step: the deletion is tried again after a minute, and others continue.';

-- In one commit no login sees a row of the organisation any more. Cancelling locks the same row (operator.cancel_organisation_deletion).
create function jobs.begin_deletion() returns boolean
language plpgsql
as $$
declare
  due app.organisations;
begin
  if not exists (select from service.due_deletions) then
    return false;
  elsif service.hide_next_table() then
    return true;
  end if;
  lock app.organisation_moves in share row exclusive mode; -- until the commit no move begins and no policy is dropped
  select organisation.* into due
  from app.organisations organisation
  where organisation.deletion_at <= now()
    and organisation.id in (select listed.id from service.due_deletions listed)
    and not exists (select from service.tables_without_hiding)
  order by organisation.deletion_at
  limit 1
  for no key update skip locked;
  if due.id is null then
    return false;
  end if;
  perform jobs.wake_readers(due.id); -- its runs are hidden after the next statement
  -- Brought back by hand, beside the receipt of an earlier deletion. Both logs have the hash of that receipt.
  delete from app.organisation_deletions earlier where earlier.organisation_id = due.id and earlier.ended_at is not null;
  insert into app.organisation_deletions (organisation_id, action_id, scheduled_at, due_at)
  select due.id, scheduled.id, scheduled.created_at, due.deletion_at
  from (values (true)) always
  left join lateral (
    select action.id, action.created_at
    from app.operator_actions action
    where action.organisation_id = due.id and action.action = 'schedule_organisation_deletion'
    order by action.id desc
    limit 1
  ) scheduled on true;
  return true;
end
$$;
comment on function jobs.begin_deletion is 'Begins the deletion of an organisation whose time has come; true if there is more to do now. For jobs.delete_organisations.';

create function jobs.wake_readers(organisation uuid) returns void
language sql
as $$
  select pg_notify(service.run_events_channel(), woken.id)
  from (
    values ('access ' || organisation) -- streams
    union all
    select run.id::text from app.runs run where run.organisation_id = organisation and run.state in ('queued', 'running')
  ) woken (id)
$$;
comment on function jobs.wake_readers is 'Open streams and waiting reads of the organisation read again, and end.';

/*
 * A transaction that began before may still write. Its virtual transaction is in pg_locks as long as it is open, until it is prepared.
 * Transactions that began later see nothing of the organisation. Autovacuum has no user, and writes no row.
 */
create function jobs.open_transactions() returns text[]
language sql stable
as $$
  select array(
    select open.virtualtransaction
    from pg_catalog.pg_locks open
    join pg_catalog.pg_stat_activity activity using (pid)
    where open.locktype = 'virtualxid' and open.granted and activity.datname = current_database()
      and activity.usesysid is not null and open.pid <> pg_backend_pid()
  )
$$;
comment on function jobs.open_transactions is 'Transactions of this database, except prepared ones and this one.';

-- A prepared transaction has no session, and may be committed at any time.
create function jobs.prepared_transactions() returns text[]
language sql stable
as $$
  select array(
    select 'prepared ' || prepared.transaction from pg_catalog.pg_prepared_xacts prepared where prepared.database = current_database()
  )
$$;
comment on function jobs.prepared_transactions is 'Prepared transactions of this database.';

-- An open transaction may be prepared. So all prepared transactions are waited for until no older transaction is open. Open
-- transactions are read first: PostgreSQL shows a transaction as prepared before it stops to show it as open.
create function jobs.older_transactions(deletion app.organisation_deletions) returns text[]
language plpgsql
as $$
declare
  open constant text[] := jobs.open_transactions();
  prepared constant text[] := jobs.prepared_transactions();
begin
  return array(
    select older from unnest(coalesce(deletion.older_transactions, open)) older where older = any (open || prepared)
    union
    select unnest(prepared)
    where deletion.older_transactions is null
      or exists (select from unnest(deletion.older_transactions) older where older not like 'prepared %')
  );
end
$$;
comment on function jobs.older_transactions is 'Transactions that may have begun before the deletion and have not ended.';

create function jobs.prepare_deletion(deletion app.organisation_deletions) returns text
language plpgsql
as $$
declare
  organisation constant uuid := deletion.organisation_id;
  older constant text[] := jobs.older_transactions(deletion);
begin
  if deletion.pattern is not null then
    return null;
  elsif deletion.older_transactions is null or older <> '{}' then
    update app.organisation_deletions present set older_transactions = older where present.organisation_id = organisation;
    return case when deletion.older_transactions is null then 'more' else 'waiting' end;
  end if;
  perform jobs.delete_outside(organisation);
  update app.organisation_deletions present
  set older_transactions = null, pattern = jobs.pattern_of(organisation),
    people = array(select person.id from service.people_of(organisation) person order by person.id)
  where present.organisation_id = organisation;
  return 'more';
end
$$;
comment on function jobs.prepare_deletion is 'Waits for transactions that were open at its begin, deletes what other tables have of the organisation, and notes its people and what to search for. Null if that is done.';

create function jobs.delete_outside(organisation uuid) returns void
language plpgsql
as $$
begin
  delete from graphile_worker._private_jobs job where job.payload ->> 'organisationId' = organisation::text;
  delete from app.refused_credentials refused
  using audit.refused_credentials owned
  where owned.organisation_id = organisation and refused.credential_id = owned.credential_id;
  delete from app.locks
  where strpos(locks.name, organisation::text) > 0 or locks.name in (
    select 'model of ' || bot.id from app.bots bot where bot.organisation_id = organisation
    union all
    select 'recovery of ' || endpoint.id from app.webhook_endpoints endpoint where endpoint.organisation_id = organisation
  );
  update app.operator_commands command set reason = null
  where command.subject_id = organisation and command.reason is not null;
  update app.audit_faults fault set accepted_reason = null where fault.organisation_id = organisation and fault.accepted_reason is not null;
end
$$;
comment on function jobs.delete_outside is 'Deletes what tables without a column of the organisation have of it: jobs, refused credentials, locks, and the reasons of commands and of accepted faults.';

create function jobs.delete_some_rows(deletion app.organisation_deletions) returns text
language plpgsql
as $$
declare
  part record;
  max_rows bigint := 2000;
  from_place bigint := 0;
begin
  while max_rows > 0 loop
    select * into part from service.delete_rows(deletion.organisation_id, max_rows, false, from_place);
    exit when part.deleted is null;
    perform jobs.count_deleted(deletion.organisation_id, part.name, part.deleted);
    max_rows := max_rows - part.deleted;
    from_place := part.place;
  end loop;
  return case when max_rows < 2000 then 'more' end;
end
$$;
comment on function jobs.delete_some_rows is 'Deletes at most 2,000 rows; null if none is left.';

create function jobs.count_deleted(organisation uuid, name text, more bigint) returns void
language sql
as $$
  update app.organisation_deletions deletion
  set deleted = deletion.deleted || jsonb_build_object(name, coalesce((deletion.deleted ->> name)::bigint, 0) + more)
  where deletion.organisation_id = organisation
$$;
comment on function jobs.count_deleted is 'Adds to the counts of the receipt.';

-- Another organisation may refer to a person, or invite the person meanwhile.
create function jobs.delete_people(deletion app.organisation_deletions) returns text
language plpgsql
as $$
declare
  person uuid;
begin
  if cardinality(deletion.people) = 0 then
    return null;
  end if;
  foreach person in array deletion.people[1:50] loop
    begin
      delete from app.people where people.id = person;
      if found then
        perform jobs.count_deleted(deletion.organisation_id, 'people', 1);
      end if;
    exception when foreign_key_violation then
      null; -- stays, for the other organisation
    end;
  end loop;
  update app.organisation_deletions present set people = deletion.people[51:] where present.organisation_id = deletion.organisation_id;
  return 'more';
end
$$;
comment on function jobs.delete_people is 'Deletes the people to whom nothing refers any more, at most 50; null if none is left to look at.';
