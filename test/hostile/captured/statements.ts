/** Statements of a captured executor besides calls of functions. */

/** `$` is a table or view. */
export const statements = [
  "select * from $ limit 3",
  "select count(*) from $",
  "insert into $ default values",
  "update $ set organisation_id = organisation_id",
  "delete from $",
  "truncate $",
  "lock table $ in access share mode",
  "copy $ to stdout",
  "create temporary table copied as select * from $",
  "explain (analyze) select * from $",
  "select has_table_privilege('$', 'select, insert, update, delete')",
  "select most_common_vals::text from pg_stats where schemaname || '.' || tablename = '$'",
];

/** Settings that a session can change, and values for them. */
export const settings = [
  "caller.organisation_id",
  "caller.person_id",
  "caller.scope",
  "caller.request_id",
  "row_security",
  "search_path",
  "session_replication_role",
];
export const values = ["", "off", "on", "owner", "tenant", "runner", "postgres", "none", "replica", "app", "admin"];

/** What a login may try without any function of ours. */
export const plain = [
  "listen *",
  "listen botstead_run_events",
  "notify botstead_runs",
  "notify botstead_runs, 'x'",
  "select pg_notify('botstead_run_events', 'x')",
  "select query from pg_stat_activity where datname = current_database() and usename <> session_user and backend_type = 'client backend' order by 1",
  "select rolname, rolpassword from pg_authid",
  "select rolname from pg_roles where pg_has_role(oid, 'member') order by 1",
  "select passwd from pg_shadow",
  "select pg_read_file('postgresql.conf')",
  "copy (select 1) to '/tmp/captured'",
  "copy (select 1) to program 'true'",
  "create schema stolen",
  "create function public.stolen() returns int language sql as 'select 1'",
  "grant owner to current_user",
  "select lo_create(0)",
  "select pg_advisory_lock(1)",
  "select service.run_events_channel()",
  "select pg_listening_channels()",
  "do $$ begin perform from app.runs; end $$",
  "select * from dblink('', '') as t(a int)",
  "alter role current_user superuser",
  "select prosrc from pg_proc where pronamespace = 'app'::regnamespace",
  "security label on role current_user is 'x'",
  "select nspname from pg_namespace where has_schema_privilege(oid, 'create') order by 1",
];
