/*
 * Settings of the server, of databases and of roles. Settings that only decide about speed and the place of the log may
 * have any value. A pattern applies to category, name and value.
 */
create view audit.intended_settings (pattern, reason) as
values
  ('^(Resource Usage|Query Tuning|Vacuuming|Statistics|Lock Management)(?!.* track_counts=)', 'memory, disk, processors and plans'), -- track_counts=off hides rewritten entries of the audit log
  ('^Write-Ahead Log / (Checkpoints|Recovery|Summarization) ', 'speed of writing and of recovery'),
  ('^Write-Ahead Log / Settings (commit_|wal_buffers|wal_compression|wal_init_zero|wal_recycle|wal_skip_threshold|wal_writer_)', 'speed of writing'),
  ('^Connections and Authentication / (Connection Settings|TCP Settings) (?!listen_addresses=(.*[, ])?(\*|0\.0\.0\.0|::)([, ]|$))',
    'addresses, but not all of the machine: who may log in is decided by pg_hba.conf'),
  ('^Connections and Authentication / SSL ssl(_(ca|cert|key|crl|dh_params)_file|_crl_dir|_(tls13_)?ciphers|_prefer_server_ciphers|_groups|_(min|max)_protocol_version)?=',
    'certificates and encryption: who may log in is decided by pg_hba.conf'),
  ('^Client Connection Defaults / Locale and Formatting ((lc_\w+|TimeZone|timezone_abbreviations|default_text_search_config|icu_validation_level|client_encoding)=|DateStyle=ISO)',
    'locale and time zone: functions and clients state the formats of their values'),
  ('^(Preset Options|File Locations) (?!(hba|ident)_file=)', 'of the build and of the installation'),
  ('^Reporting and Logging / (Process Title|Where to Log) (?!log_file_mode=)', 'place and form of the log'),
  ('^Reporting and Logging / When to Log (log_min_messages=(?!debug)|log_min_error_statement=|log_startup_progress_interval=)', 'how much the log says, without statements that succeed'),
  ('^Reporting and Logging / What to Log (application_name|log_(autovacuum_min_duration|checkpoints|connections|disconnections|duration|error_verbosity|hostname|line_prefix|lock_failures|lock_waits|parameter_max_length|recovery_conflict_waits|replication_commands|temp_files|timezone))=',
    'what the log says, without statements and their parameters, which are rows of tenants'),
  ('^Write-Ahead Log / Settings wal_level=logical$', 'moves between cells need it; slots, publications and logins that use it are findings of their own'),
  ('^Write-Ahead Log / Archiving (archive_mode|archive_timeout|archive_library=basic_archive$)', 'BACKUP_DIR: basic_archive copies WAL to a folder of this machine');
comment on view audit.intended_settings is 'Settings that are intended: a pattern of category, name and value, and the reason.';
grant select on audit.intended_settings to auditor;

create function audit.is_intended(category text, name text, value text) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (select from audit.intended_settings intended where format('%s %s=%s', category, name, value) ~ intended.pattern)
$$;
comment on function audit.is_intended is 'Whether any role or server may have this setting.';
grant execute on function audit.is_intended to auditor;

create function audit.server_settings() returns setof pg_catalog.pg_settings
language sql stable
security definer
set search_path = ''
as $$ select * from pg_catalog.pg_settings $$;
comment on function audit.server_settings is 'Instead of row-level security: only auditor may execute it. It reads no table. Settings as owner sees them. As a member of pg_monitor it sees all.';
grant execute on function audit.server_settings to auditor;

create function audit.reads_file_settings() returns boolean
language sql stable
set search_path = ''
as $$ select has_function_privilege('owner', 'pg_catalog.pg_show_all_file_settings()', 'execute') $$;
comment on function audit.reads_file_settings is 'Whether the audit sees settings in the files of the server. A superuser grants that (src/database/ensure-database.ts).';
grant execute on function audit.reads_file_settings to auditor;

-- As JSON, since a function in FROM is checked before any condition, and owner may lack the privilege.
create function audit.file_settings() returns jsonb
language sql stable
security definer
set search_path = ''
as $$ select jsonb_agg(to_jsonb(file)) from pg_catalog.pg_show_all_file_settings() file $$;
comment on function audit.file_settings is 'Instead of row-level security: only auditor may execute it. It reads no table. Settings in the files of the server, loaded or not.';
grant execute on function audit.file_settings to auditor;

create function audit.shown_setting(name text, value text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when value = '' then 'empty'
    when name ~ '\.|conninfo|passphrase' then 'a value with digest ' || left(encode(sha256(convert_to(value, 'UTF8')), 'hex'), 16)
    else value
  end
$$;
comment on function audit.shown_setting is 'A setting as findings print it: without secrets of connection strings and of modules.';
grant execute on function audit.shown_setting to auditor;

create view audit.server_settings_found as
select setting.category, setting.name, setting.vartype, setting.reset_val, setting.source, setting.pending_restart, usual.value as usual,
  audit.is_intended(setting.category, setting.name, setting.reset_val) as intended
from audit.server_settings() setting
left join audit.server_settings() configuration on configuration.name = 'config_file'
cross join lateral (
  select case when setting.name in ('hba_file', 'ident_file') then regexp_replace(configuration.reset_val, '[^/]+$', 'pg_' || replace(setting.name, '_file', '.conf'))
    else setting.boot_val end
) as usual (value);
comment on view audit.server_settings_found is 'Settings of the server, the usual value of each, and whether any server may have the present one.';
grant select on audit.server_settings_found to auditor;

create view audit.violations_of_settings (rule, kind, name, detail, remedy) as
with stored as (
  select found.setrole, found.setdatabase, split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
  from pg_catalog.pg_db_role_setting found, unnest(found.setconfig) setting
  where found.setdatabase in (0, (select database.oid from pg_catalog.pg_database database where database.datname = current_database()))
), known as materialized (
  select setting.*, audit.shown_setting(setting.name, setting.reset_val) as shown,
    -- reset_val is what a session starts with; this one may have set another value since.
    setting.reset_val is distinct from setting.usual and not setting.intended
      and setting.source not in ('default', 'override', 'client', 'global', 'database', 'user', 'database user')
      and not exists (select from stored where stored.name = setting.name and stored.setrole in (0, session_user::regrole)) as is_found
  from audit.server_settings_found setting
), configured as materialized (
  select distinct on (known.name) known.name, known.category, known.usual, file.sourcefile, file.sourceline,
    case when known.vartype <> 'bool' or not pg_input_is_valid(file.setting, 'boolean') then file.setting when file.setting::boolean then 'on' else 'off' end as value
  from jsonb_to_recordset(
    case when audit.reads_file_settings() then audit.file_settings() end
  ) as file (name text, setting text, sourcefile text, sourceline integer, seqno integer)
  join known on lower(known.name) = lower(file.name)
  where known.source <> 'command line' and not known.is_found and (known.intended or not known.pending_restart)
  order by known.name, file.seqno desc
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
-- For one database, for all roles, and for other logins that may connect, such as the administrator's.
select 'role_settings', case when stored.setrole = 0 and stored.setdatabase <> 0 then 'database' else 'role' end,
  case when stored.setrole <> 0 then quote_ident(pg_get_userbyid(stored.setrole)) when stored.setdatabase <> 0 then quote_ident(current_database()) else 'all' end,
  format('%s is %s%s, expected not set', stored.name, stored.value, case when stored.setdatabase <> 0 then ' in this database' end),
  format(
    'alter %s%s reset %I;',
    case when stored.setrole <> 0 then format('role %I', pg_get_userbyid(stored.setrole)) when stored.setdatabase <> 0 then format('database %I', current_database()) else 'role all' end,
    case when stored.setrole <> 0 and stored.setdatabase <> 0 then format(' in database %I', current_database()) end, stored.name
  )
from stored
where case
  when stored.setrole in (select role.oid from audit.our_roles role) then stored.setdatabase <> 0
  else not exists (select from known where known.name = stored.name and audit.is_intended(known.category, stored.name, stored.value)) and (
    stored.setrole = 0 or has_database_privilege(stored.setrole, current_database(), 'connect')
      and exists (select from pg_catalog.pg_roles login where login.oid = stored.setrole and login.rolcanlogin)
  )
end
union all
-- PostgreSQL clears pending_restart at a restart, or when the configuration names the present value.
select 'server_setting', 'setting', known.name, format('It is %s, and the next restart can give it another value', known.shown),
  format('alter system reset %I, reload, and look for it in the configuration; the finding goes at the next restart', known.name)
from known
where known.pending_restart and not known.intended
union all
select 'server_setting', 'setting', known.name, format('It is %s, and not %s', known.shown, coalesce(nullif(known.usual, ''), 'empty')),
  case when known.name = 'listen_addresses'
    then 'name the addresses that Botstead connects to, and restart PostgreSQL; or accept the finding if others cannot reach the machine'
    else format('alter system reset %I;', known.name) end
from known
where known.is_found
union all
select 'server_setting', 'setting', configured.name,
  format('The configuration has %s, and not %s', audit.shown_setting(configured.name, configured.value), coalesce(nullif(configured.usual, ''), 'empty')),
  case when configured.sourcefile ~ '/postgresql\.auto\.conf$' then format('alter system reset %I;', configured.name)
    else format('remove it from line %s of %s', configured.sourceline, configured.sourcefile) end
from configured
where lower(configured.value) is distinct from lower(configured.usual) and not audit.is_intended(configured.category, configured.name, configured.value)
union all
-- pg_settings leaves out settings without a module, such as the caller's identity, and settings of a module before its first use.
select 'server_setting', 'setting', used.name, format('It is %s, and not %s', current_setting(used.name, true), coalesce(used.usual, 'empty')),
  format('alter system reset %s;', used.name)
from (
  select distinct read[1] as name, null as usual
  from pg_catalog.pg_proc function
  join audit.our_schemas ours on ours.name::text = function.pronamespace::regnamespace::text,
    regexp_matches(function.prosrc, 'current_setting\(''(\w+\.\w+)''', 'g') read
  union all
  values ('plpgsql.variable_conflict', 'error'), ('plpgsql.extra_errors', 'none')
) used
where current_setting(used.name, true) not in ('', coalesce(used.usual, ''))
  and not exists (select from known where known.name = used.name)
  and not exists (select from stored where stored.name = used.name and stored.setrole in (0, session_user::regrole));
comment on view audit.violations_of_settings is 'Settings that decide about more than speed: see audit.findings.';
grant select on audit.violations_of_settings to auditor;
