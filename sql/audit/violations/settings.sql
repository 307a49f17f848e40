/*
 * Settings of the server, of databases and of roles. Settings that only decide about speed, addresses and the place of
 * the log may have any value. A pattern applies to category, name and value.
 */
create view audit.intended_settings (pattern, reason) as
values
  ('^(Resource Usage|Query Tuning|Vacuuming|Statistics|Lock Management)', 'memory, disk, processors and plans'),
  ('^Write-Ahead Log / (Checkpoints|Recovery|Summarization) ', 'speed of writing and of recovery'),
  ('^Write-Ahead Log / Settings (commit_|wal_buffers|wal_compression|wal_init_zero|wal_recycle|wal_skip_threshold|wal_writer_)', 'speed of writing'),
  ('^Connections and Authentication / (Connection Settings|TCP Settings|SSL) ', 'addresses and certificates: who may log in is decided by pg_hba.conf'),
  ('^Client Connection Defaults / Locale and Formatting ', 'functions state the formats that they rely on'),
  ('^(Preset Options|File Locations) ', 'of the build and of the installation'),
  ('^Reporting and Logging (?!.* (log_statement|log_min_duration_statement|log_min_duration_sample|log_transaction_sample_rate|log_parameter_max_length_on_error|debug_print_\w+)=)',
    'what the log says, except statements and their parameters, which are rows of tenants'),
  ('^Write-Ahead Log / Archiving (archive_mode|archive_timeout|archive_library=basic_archive$)', 'BACKUP_DIR: basic_archive copies WAL to a folder of this machine');
comment on view audit.intended_settings is 'Settings that are intended: a pattern of category, name and value, and the reason.';
grant select on audit.intended_settings to auditor;

create view audit.violations_of_settings (rule, kind, name, detail, remedy) as
with stored as (
  select found.setrole, found.setdatabase, split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
  from pg_catalog.pg_db_role_setting found, unnest(found.setconfig) setting
  where found.setdatabase in (0, (select database.oid from pg_catalog.pg_database database where database.datname = current_database()))
), known as materialized (
  select setting.name, setting.reset_val, setting.boot_val, setting.source, exists (
      select from audit.intended_settings intended where format('%s %s=%s', setting.category, setting.name, setting.reset_val) ~ intended.pattern
    ) as intended
  from pg_catalog.pg_settings setting
), wanted as (
  select role.oid, role.name as role, setting.key as name, setting.value
  from audit.our_roles role, jsonb_each_text(role.settings) setting
)
select 'role_settings', 'role', quote_ident(coalesce(wanted.role, pg_get_userbyid(stored.setrole))),
  format('%s is %s, expected %s', coalesce(stored.name, wanted.name), coalesce(stored.value, 'not set'), coalesce(wanted.value, 'not set')),
  format('alter role %I %s;', coalesce(wanted.role, pg_get_userbyid(stored.setrole)), case when wanted.name is null then format('reset %I', stored.name) else format('set %I = %L', wanted.name, wanted.value) end)
from (select * from stored where stored.setdatabase = 0 and stored.setrole in (select role.oid from audit.our_roles role)) stored
full join wanted on wanted.oid = stored.setrole and wanted.name = stored.name
where stored.value is distinct from wanted.value and coalesce(wanted.oid, stored.setrole) is not null
union all
-- For one database, and for all roles: both override the server, and the first also the settings of a role.
select 'role_settings', case when stored.setrole = 0 and stored.setdatabase <> 0 then 'database' else 'role' end,
  case when stored.setrole <> 0 then quote_ident(pg_get_userbyid(stored.setrole)) when stored.setdatabase <> 0 then quote_ident(current_database()) else 'all' end,
  format('%s is %s%s, expected not set', stored.name, stored.value, case when stored.setdatabase <> 0 then ' in this database' end),
  format(
    'alter %s%s reset %I;',
    case when stored.setrole <> 0 then format('role %I', pg_get_userbyid(stored.setrole)) when stored.setdatabase <> 0 then format('database %I', current_database()) else 'role all' end,
    case when stored.setrole <> 0 then format(' in database %I', current_database()) end, stored.name
  )
from stored
where (stored.setrole = 0 or stored.setdatabase <> 0 and stored.setrole in (select role.oid from audit.our_roles role))
  and not (stored.setrole = 0 and exists (select from known where known.name = stored.name and known.intended))
union all
-- reset_val is what a session starts with; this one may have set another value since.
select 'server_setting', 'setting', known.name, format('It is %s, and not %s', coalesce(nullif(known.reset_val, ''), 'empty'), coalesce(nullif(known.boot_val, ''), 'empty')),
  format('alter system reset %I;', known.name)
from known
where known.reset_val is distinct from known.boot_val and not known.intended
  and known.source not in ('default', 'override', 'client', 'global', 'database', 'user', 'database user')
  and not exists (select from stored where stored.name = known.name and stored.setrole in (0, current_user::regrole));
comment on view audit.violations_of_settings is 'Settings that decide about more than speed: see audit.findings.';
grant select on audit.violations_of_settings to auditor;
