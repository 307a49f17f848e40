/*
 * Metrics of the PostgreSQL server for /metrics. The sessions of other roles, replication and the WAL directory are visible
 * to members of pg_monitor only (src/database/ensure-roles.ts). Without it these values are null, and their metrics are
 * missing. (docs/observing.md)
 */
-- A session in repeatable read, with an open cursor or a long statement has a snapshot. A session that wrote has a
-- transaction id. Vacuum keeps all rows that were current then, so hot rows grow chains of dead versions.
create function operator.snapshot_holder() returns json
language sql stable
set search_path = ''
as $$
  select json_build_object(
    'pid', session.pid, 'role', session.usename, 'application', session.application_name,
    'seconds', operator.seconds_since(session.xact_start)
  )
  from pg_stat_activity session
  where session.backend_type = 'client backend'
    and session.pid <> pg_backend_pid()
    and (session.backend_xmin is not null or session.backend_xid is not null)
    and session.xact_start < now() - interval '10 seconds'
  order by session.xact_start
  limit 1
$$;
comment on function operator.snapshot_holder is 'The session whose snapshot or transaction has kept dead rows for the longest time, at least 10 seconds; null if there is none.';

create function operator.measure_sessions() returns json
language sql stable
set search_path = ''
as $$
  with session as (
    select activity.state, activity.xact_start, activity.pid = pg_backend_pid() as is_own
    from pg_stat_activity activity
    where activity.backend_type = 'client backend'
  )
  select json_build_object(
    'states', (
      select json_object_agg(counted.state, counted.sessions)
      from (
        select coalesce(
          case when session.state in ('active', 'idle') then session.state
            when starts_with(session.state, 'idle in transaction') then 'idle in transaction' end, 'other') as state,
          count(*) as sessions
        from session group by 1
      ) counted
    ),
    'max', current_setting('max_connections')::integer,
    'lockWaits', (select count(*) from pg_locks lock where not lock.granted),
    'oldestTransaction', (
      select operator.seconds_since(min(began.at))
      from (
        select session.xact_start as at from session where not session.is_own
        union all
        select prepared.prepared from pg_prepared_xacts prepared
        union all
        select now() where pg_has_role('pg_read_all_stats', 'usage')
      ) began
    ),
    'snapshotHolder', operator.snapshot_holder(),
    'autovacuumWorkers', (select count(*) from pg_stat_activity activity where activity.backend_type = 'autovacuum worker')
  )
$$;
comment on function operator.measure_sessions is 'Sessions of the server by state, sessions that wait for a lock, and the age of the oldest transaction in seconds, prepared ones included.';

create function operator.measure_wal() returns json
language plpgsql stable
set search_path = ''
as $$
declare
  directory bigint;
begin
  -- A statement of its own: PostgreSQL checks the right to execute when a statement starts, even in a branch that is not reached.
  if has_function_privilege('pg_catalog.pg_ls_waldir()', 'execute') then
    directory := (select sum(file.size) from pg_ls_waldir() file);
  end if;
  return json_build_object(
    'written', (select wal.wal_bytes from pg_stat_wal wal),
    'directory', directory,
    'maxSize', (select setting.setting::bigint * 1048576 from pg_settings setting where setting.name = 'max_wal_size'),
    'archive', (
      select json_build_object(
        'failures', archiver.failed_count,
        'failing', (archiver.last_failed_time > coalesce(archiver.last_archived_time, '-infinity')) is true
      )
      from pg_stat_archiver archiver
      where current_setting('archive_mode') <> 'off'
    )
  );
end
$$;
comment on function operator.measure_wal is 'WAL written since the statistics were reset, size of its directory in bytes, and whether the last attempt to archive failed; archive is null if archiving is off.';

create function operator.measure_replication() returns json
language sql stable
set search_path = ''
as $$
  with here as (
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as lsn
  ), slot as (
    select case when wal_status = 'lost' then 'lost' when active then 'active' else 'inactive' end as state,
      pg_wal_lsn_diff(here.lsn, slot.restart_lsn) as retained
    from pg_replication_slots slot
    cross join here
    where not slot.temporary
  )
  select json_build_object(
    'slots', (
      select json_object_agg(states.state, (select count(*) from slot where slot.state = states.state))
      from (values ('active'), ('inactive'), ('lost')) states (state)
    ),
    'retained', (select coalesce(max(slot.retained), 0) from slot),
    'standbys', (
      select coalesce(json_agg(json_build_object('name', standby.name, 'bytes', standby.bytes, 'seconds', standby.seconds)), '[]')
      from (
        select sender.application_name as name, max(pg_wal_lsn_diff(here.lsn, sender.replay_lsn)) as bytes,
          coalesce(max(extract(epoch from sender.replay_lag)), 0) as seconds
        from pg_stat_replication sender
        cross join here
        where sender.replay_lsn is not null
        group by 1
        order by 2 desc
        limit 20
      ) standby
    )
  )
$$;
comment on function operator.measure_replication is 'Replication slots by state, the WAL in bytes that the slot furthest behind retains, and by how much each connected standby is behind.';

create function operator.measure_postgres() returns json
language sql stable
security definer
set search_path = ''
as $$
  select json_build_object(
    'sessions', operator.measure_sessions(),
    'wal', operator.measure_wal(),
    'replication', operator.measure_replication(),
    'transactionIdAge', age(database.datfrozenxid),
    'statistics', json_build_object(
      'committed', counted.xact_commit, 'rolledBack', counted.xact_rollback,
      'cached', counted.blks_hit, 'read', counted.blks_read,
      'deadlocks', counted.deadlocks, 'temporaryBytes', counted.temp_bytes
    )
  )
  from pg_database database
  join pg_stat_database counted on counted.datid = database.oid
  where database.datname = current_database()
$$;
comment on function operator.measure_postgres is 'Instead of row-level security: only operator may execute it. Statistics of the server and of this database; no row, statement or name of an organisation.';
grant execute on function operator.measure_postgres to operator;

create function operator.measure_tables() returns json
language sql stable
security definer
set search_path = ''
as $$
  select json_build_object(
    'tables', (
      select coalesce(json_agg(largest), '[]')
      from (
        -- A partition counts for its table, so that the names are few and stay the same.
        select coalesce(pg_partition_root(relation.oid), relation.oid)::regclass::text as name,
          sum(pg_total_relation_size(relation.oid)) as bytes, sum(counted.n_live_tup) as live, sum(counted.n_dead_tup) as dead
        from pg_class relation
        join pg_stat_all_tables counted on counted.relid = relation.oid
        where relation.relnamespace in ('app'::regnamespace, 'partitions'::regnamespace, 'graphile_worker'::regnamespace)
        group by 1
        order by 2 desc
        limit 20
      ) largest
    ),
    'vacuums', (
      select json_build_object('vacuum', sum(counted.autovacuum_count), 'analyze', sum(counted.autoanalyze_count))
      from pg_stat_all_tables counted
    )
  )
$$;
comment on function operator.measure_tables is 'Instead of row-level security: only operator may execute it. Sizes and estimated rows of tables. The 20 largest tables, with their partitions, indexes and TOAST.';
grant execute on function operator.measure_tables to operator;
