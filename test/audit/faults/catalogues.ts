/**
 * Faults: one or more for each table of pg_catalog that the inventory covers, planted together in one transaction. A key
 * names the catalogue and the fault. `object` is the finding's. With `noRemedy`, no statement puts the object back.
 */
type Planted = readonly [plant: string, object: string, remedy?: typeof noRemedy];

const noRemedy = "no remedy";

// biome-ignore format: a table
export const faultsOfCatalogues: Record<string, Planted> = {
  "pg_aggregate: a replaced transition of a built-in": [
    "update pg_aggregate set aggtransfn = 'int8inc_any' where aggfnoid = 'count()'::regprocedure",
    "aggregate transition count()", noRemedy,
  ],
  "pg_am: an access method": ["create access method spy type table handler heap_tableam_handler", "access method spy"],
  "pg_amop: an operator of a built-in family": [
    "alter operator family char_ops using btree add operator 1 < (integer, bigint)",
    "operator of access method operator 1 (integer, bigint) of pg_catalog.char_ops USING btree", noRemedy,
  ],
  "pg_amproc: a comparison of a built-in family": [
    "alter operator family char_ops using btree add function 1 (integer, bigint) btint48cmp(integer, bigint)",
    "function of access method function 1 (integer, bigint) of pg_catalog.char_ops USING btree", noRemedy,
  ],
  "pg_attrdef: an expression that is gone":
    ["alter table app.erasures alter erased_at drop expression", "default value app.erasures.erased_at", noRemedy],
  "pg_attrdef: the default of a column":
    ["alter table app.invitations alter role set default 'owner'", "default value app.invitations.role", noRemedy],
  "pg_attribute: a column": ["alter table app.bots add column shadow text", "column app.bots.shadow"],
  "pg_attribute: a column with a default": ["alter table app.bots add column evil text default 'x'", "column app.bots.evil"],
  "pg_attribute: a column that may be null":
    ["alter table app.api_keys alter expires_at drop not null", "column app.api_keys.expires_at", noRemedy],
  "pg_attribute: a privilege on a column": ["grant update (kind) on app.steps to tenant", "column app.steps.kind"],
  "pg_attribute: a privilege on a system column": ["grant select (xmin) on pg_authid to worker", "column pg_authid.xmin"],
  "pg_attribute: a privilege on a column of long values": [
    "grant select (chunk_data) on pg_toast.pg_toast_2618 to worker", "column pg_toast.pg_toast_2618.chunk_data", noRemedy,
  ],
  "pg_attribute: a default that PostgreSQL ignores": [
    "update pg_attribute set atthasdef = false where attrelid = 'app.hooks'::regclass and attname = 'created_at'",
    "column app.hooks.created_at", noRemedy,
  ],
  "pg_attribute: another value of a later column in old rows": [
    `create table public.given (); alter table public.given add given boolean default true;
     update pg_attribute set attmissingval = (select attmissingval from pg_attribute where attname = 'given')
     where attrelid = 'app.webhook_endpoints'::regclass and attname = 'order_per_run'; drop table public.given`,
    "column app.webhook_endpoints.order_per_run", noRemedy,
  ],
  "pg_attribute: a value of an original column in old rows": [
    `create table public.given (); alter table public.given add given text default 'x';
     update pg_attribute set atthasmissing = true, attmissingval = (select attmissingval from pg_attribute where attname = 'given')
     where attrelid = 'app.bots'::regclass and attname = 'name'; drop table public.given`,
    "column app.bots.name", noRemedy,
  ],
  "pg_cast: a cast": ["create cast (text as uuid) with inout as implicit", "cast (pg_catalog.text AS pg_catalog.uuid)"],
  "pg_class: a view with its owner's rights":
    ["alter view rows.organisations reset (security_invoker)", "view rows.organisations", noRemedy],
  "pg_class: a view that filters first":
    ["alter view operator.executors set (security_barrier = true)", "view operator.executors", noRemedy],
  "pg_class: a table whose deletions are not replicated":
    ["alter table app.webhook_endpoints replica identity nothing", "table app.webhook_endpoints", noRemedy],
  "pg_class: an unlogged table": ["alter table app.audit_chain_heads set unlogged", "table app.audit_chain_heads"],
  "pg_class: an added table, with its columns": ["create table public.spy (text text primary key)", "table public.spy"],
  "pg_class: a partition without row-level security":
    ["alter table partitions.events_:week disable row level security", "table partitions.events_:week", noRemedy],
  "pg_class: a partition with the bounds of another week": [
    `alter table app.steps detach partition partitions.steps_:week;
     alter table app.steps attach partition partitions.steps_:week for values from (times.least_id('2030-01-07Z')) to (times.least_id('2030-01-14Z'))`,
    "table partitions.steps_:week", noRemedy,
  ],
  "pg_class: a privilege on a catalogue": ["grant select on pg_authid to worker", "table pg_authid"],
  "pg_class: large objects for everybody": ["grant select on pg_largeobject to public", "table pg_largeobject"],
  "pg_class: the query of a view": [
    "create or replace view operator.platform_keys as select id, upper(name) as name, prefix, created_at, expires_at, revoked_at from app.platform_keys",
    "view operator.platform_keys", noRemedy,
  ],
  "pg_class: an index": ["create index quick on app.runs (state)", "index app.quick"],
  "pg_class: an owner": ["alter table app.mails owner to postgres", "table app.mails"],
  "pg_class: a privilege on long values":
    ["grant select on pg_toast.pg_toast_2619 to worker", "toast table pg_toast.pg_toast_2619", noRemedy],
  "pg_class: the owner of long values": [
    "update pg_class set relowner = 'worker'::regrole where oid = 'pg_toast.pg_toast_1255'::regclass",
    "toast table pg_toast.pg_toast_1255", noRemedy,
  ],
  "pg_class: a table between the long values": [
    "create table public.hidden (); update pg_class set relnamespace = 'pg_toast'::regnamespace where relname = 'hidden'",
    "table pg_toast.hidden", noRemedy,
  ],
  "pg_class: triggers that PostgreSQL ignores":
    ["update pg_class set relhastriggers = false where oid = 'app.approvals'::regclass", "table app.approvals", noRemedy],
  "pg_class: checks that PostgreSQL ignores":
    ["update pg_class set relchecks = 0 where oid = 'app.routines'::regclass", "table app.routines", noRemedy],
  "pg_class: indexes that PostgreSQL ignores":
    ["update pg_class set relhasindex = false where oid = 'app.conversations'::regclass", "table app.conversations", noRemedy],
  "pg_class: partitions that PostgreSQL ignores":
    ["update pg_class set relhassubclass = false where oid = 'app.deliveries'::regclass", "table app.deliveries", noRemedy],
  "pg_class: the query of a view that PostgreSQL ignores":
    ["update pg_rewrite set ev_enabled = 'D' where ev_class = 'rows.hooks'::regclass", "view rows.hooks", noRemedy],
  "pg_collation: a collation": ["create collation public.spy (provider = builtin, locale = 'C.UTF-8')", "collation public.spy"],
  "pg_collation: another built-in collation": [
    "update pg_collation set collisdeterministic = false where collname = 'ucs_basic'",
    "collation pg_catalog.ucs_basic", noRemedy,
  ],
  "pg_constraint: a dropped constraint":
    ["alter table app.bots drop constraint bots_name_check", "constraint bots_name_check on app.bots", noRemedy],
  "pg_constraint: a foreign key that is not enforced": [
    `alter table app.runs add constraint loose foreign key (organisation_id, bot_id)
        references app.bots (organisation_id, id) not enforced`,
    "constraint loose on app.runs",
  ],
  "pg_constraint: a foreign key that compares otherwise": [
    "update pg_constraint set conpfeqop[1] = '<>(uuid, uuid)'::regoperator where conname = 'routines_organisation_id_bot_id_fkey'",
    "constraint routines_organisation_id_bot_id_fkey on app.routines", noRemedy,
  ],
  "pg_conversion: a conversion":
    ["create conversion public.spy for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8", "conversion public.spy"],
  "pg_default_acl: privileges on future tables of one schema": [
    "alter default privileges for role owner in schema app grant select on tables to server",
    "default acl for role owner in schema app on tables", noRemedy,
  ],
  "pg_default_acl: functions for everybody again": [
    "alter default privileges for role owner grant execute on functions to public",
    "default acl for role owner on functions", noRemedy,
  ],
  "pg_default_acl: privileges on future tables":
    ["alter default privileges for role owner grant select on tables to worker", "default acl for role owner on tables", noRemedy],
  "pg_depend: a function that DROP EXTENSION drops": [
    "alter function times.least_id(timestamptz) depends on extension plpgsql",
    "dependant of extension plpgsql function times.least_id(timestamp with time zone)",
  ],
  "pg_depend: a table that no dump has": ["alter extension plpgsql add table app.model_prices", "part of extension plpgsql table app.model_prices"],
  "pg_depend: an extension without one of its functions": [
    "alter extension plpgsql drop function plpgsql_validator(oid)",
    "part of extension plpgsql function pg_catalog.plpgsql_validator(pg_catalog.oid)", noRemedy,
  ],
  "pg_description: the comment of a policy":
    ["comment on policy select_visible on app.bots is 'All bots.'", "description of policy select_visible on app.bots", noRemedy],
  "pg_enum: a renamed value": ["alter type app.lawful_basis rename value 'consent' to 'assent'", "enum value app.lawful_basis.'assent'", noRemedy],
  "pg_enum: a value": ["alter type app.key_scope add value 'all'", "enum value app.key_scope.'all'", noRemedy],
  "pg_event_trigger: an event trigger": [
    `create function public.spied() returns event_trigger language plpgsql as 'begin end';
        create event trigger spy on sql_drop execute function public.spied()`,
    "event trigger spy",
  ],
  "pg_extension: an extension, with its functions": ["create extension tablefunc schema public", "extension tablefunc"],
  "pg_extension: one that would drop a table of ours":
    ["create extension isn schema public; alter extension isn add table app.retry_schedule", "extension isn", noRemedy],
  "pg_extension: an extension beside Botstead's objects": ["create extension dblink schema app", "extension dblink"],
  "pg_foreign_data_wrapper: a wrapper": ["create foreign data wrapper spy_only", "foreign-data wrapper spy_only"],
  "pg_foreign_server: a server": ["create foreign data wrapper spy; create server spy foreign data wrapper spy", "server spy"],
  "pg_foreign_table: a foreign table's server": ["create foreign table public.far () server spy", "foreign table public.far"],
  "pg_index: an index that is not valid": [
    "update pg_index set indisvalid = false where indexrelid = 'app.api_keys_pkey'::regclass",
    "index app.api_keys_pkey", noRemedy,
  ],
  "pg_inherits: a table that inherits": ["create table public.child () inherits (app.people)", "table public.child"],
  "pg_init_privs: initial privileges": [
    "insert into pg_init_privs values ('app.bots'::regclass, 'pg_class'::regclass, 0, 'e', '{=r/postgres}')",
    "init privs of table app.bots", noRemedy,
  ],
  "pg_language: C for everybody": ["update pg_language set lanpltrusted = true where lanname = 'c'", "language c", noRemedy],
  "pg_largeobject_metadata: a large object": ["select lo_create(815)", "large object 815"],
  "pg_namespace: a schema": ["create schema spy", "schema spy"],
  "pg_namespace: a schema that a login may enter": ["grant usage on schema times to runner", "schema times"],
  "pg_opclass: an operator class": [
    "create operator class public.spy for type integer using btree as operator 1 <, function 1 btint4cmp(integer, integer)",
    "operator class public.spy USING btree",
  ],
  "pg_operator: an operator": [
    "create operator public.=== (function = int4eq, leftarg = integer, rightarg = integer)",
    "operator public.===(integer,integer)",
  ],
  "pg_opfamily: an operator family": ["create operator family public.spies using hash", "operator family public.spies USING hash"],
  "pg_parameter_acl: a setting that a login may set":
    ["grant set on parameter session_replication_role to worker", "parameter ACL session_replication_role"],
  "pg_partitioned_table: a partition key": [
    "update pg_partitioned_table set partstrat = 'l' where partrelid = 'app.events'::regclass",
    "partitioned table app.events", noRemedy,
  ],
  "pg_partitioned_table: a partition for all other rows":
    ["create table partitions.others partition of app.run_events default", "partitioned table app.run_events", noRemedy],
  "pg_policy: a policy": ["create policy wide on app.runs to tenant using (true)", "policy wide on app.runs"],
  "pg_policy: a policy for all roles": ["alter policy select_by_admin on app.webhook_endpoints to public", "policy select_by_admin on app.webhook_endpoints", noRemedy],
  "pg_policy: a policy on a partition":
    ["create policy wide on partitions.steps_:week to tenant using (true)", "policy wide on partitions.steps_:week"],
  "pg_policy: the condition of a policy":
    ["alter policy select_alive on app.executors using (false)", "policy select_alive on app.executors", noRemedy],
  "pg_proc: a replaced built-in": [
    `create or replace function pg_catalog.age(timestamptz) returns interval language sql stable strict parallel safe
        as 'select null::interval'`,
    "function age(timestamp with time zone)", noRemedy,
  ],
  "pg_proc: a definer function in pg_catalog":
    ["create function pg_catalog.evil() returns integer language sql security definer as 'select 1'", "function evil()"],
  "pg_proc: a role with the name that the audit prints for the superuser": [
    `create role "bootstrap superuser"; revoke execute on function pg_read_binary_file(text) from postgres;
        grant execute on function pg_read_binary_file(text) to "bootstrap superuser"`,
    "function pg_read_binary_file(text)",
  ],
  "pg_proc: a role with the name PUBLIC": [
    `create role "PUBLIC"; revoke execute on function pg_stat_get_wal() from public;
        grant execute on function pg_stat_get_wal() to "PUBLIC"`,
    "function pg_stat_get_wal()",
  ],
  "pg_proc: reading files of the server": ["grant execute on function pg_read_file(text) to worker", "function pg_read_file(text)"],
  "pg_proc: a function without its settings": ["alter function jobs.truncate_day() reset all", "function jobs.truncate_day()", noRemedy],
  "pg_proc: a function that may be moved before a policy":
    ["alter function caller.person_id() leakproof", "function caller.person_id()", noRemedy],
  "pg_proc: the body of a function": [
    "create or replace function caller.scope() returns app.key_scope language sql as $$ select 'admin'::app.key_scope $$",
    "function caller.scope()", noRemedy,
  ],
  "pg_proc: a function of the job queue": [
    `create or replace function graphile_worker.force_unlock_workers(worker_ids text[]) returns void
        language sql as 'select from app.memories'`,
    "function graphile_worker.force_unlock_workers(text[])", noRemedy,
  ],
  "pg_proc: a privilege on a function":
    ["grant execute on function jobs.queue_mail to worker", "function jobs.queue_mail(uuid,uuid)"],
  "pg_publication: all tables": ["create publication spy for all tables", "publication spy"],
  "pg_publication_namespace: a schema": ["create publication spy_schema for tables in schema app", "publication spy_schema"],
  "pg_publication_rel: a table": ["create publication spy_table for table app.memories", "publication spy_table"],
  "pg_range: the difference of a built-in range":
    ["update pg_range set rngsubdiff = 0 where rngtypid = 'int4range'::regtype", "range int4range", noRemedy],
  "pg_replication_origin: an origin": ["select pg_replication_origin_create('spy')", "replication origin spy"],
  "pg_rewrite: a rule that discards inserts":
    ["create rule swallow as on insert to app.events do instead nothing", "rule swallow on app.events"],
  "pg_rewrite: a rule of a table with the name of a view's query": [
    `create rule swallow as on insert to app.mails do instead nothing;
        update pg_rewrite set rulename = '_RETURN' where rulename = 'swallow' and ev_class = 'app.mails'::regclass`,
    'rule "_RETURN" on app.mails',
  ],
  "pg_seclabel: a label": [
    "insert into pg_seclabel values ('app.bots'::regclass, 'pg_class'::regclass, 0, 'spy', 'open')",
    "seclabel of table app.bots", noRemedy,
  ],
  "pg_sequence: a step of 2":
    ["alter sequence app.definition_builds_id_seq increment 2", "sequence app.definition_builds_id_seq", noRemedy],
  "pg_shseclabel: a label of a role": [
    "insert into pg_shseclabel values ('server'::regrole, 'pg_authid'::regclass, 'spy', 'open')",
    "shseclabel of role server", noRemedy,
  ],
  "pg_statistic_ext: statistics": ["create statistics app.spy on kind, value from app.memories", "statistics object app.spy"],
  "pg_subscription: a subscription": [
    "create subscription spy connection 'host=127.0.0.1' publication spy with (connect = false)", // with a slot
    "subscription spy",
  ],
  "pg_subscription_rel: a table of a subscription": [
    `create subscription spy_rel connection 'host=127.0.0.1' publication spy with (connect = false, slot_name = none);
        insert into pg_subscription_rel select oid, 'app.bots'::regclass, 'r', null from pg_subscription where subname = 'spy_rel'`,
    "subscription spy_rel",
  ],
  "pg_tablespace: a tablespace":
    ["insert into pg_tablespace values (4711, 'spy', 10, null, null)", "tablespace spy", noRemedy], // its folder does not exist
  "pg_transform: a transform": [
    `insert into pg_transform values
        (4712, 'integer'::regtype, (select oid from pg_language where lanname = 'plpgsql'), 0, 'int4recv'::regproc)`,
    "transform for integer language plpgsql", noRemedy,
  ],
  "pg_type: the statistics function of an array": [
    "update pg_type set typanalyze = 'range_typanalyze' where oid = 'macaddr8[]'::regtype", "type pg_catalog.macaddr8[]", noRemedy,
  ],
  "pg_trigger: a trigger that only replication fires": [
    "alter table app.routines enable replica trigger _900_log_change", "trigger _900_log_change on app.routines",
  ],
  "pg_trigger: a disabled trigger":
    ["alter table app.api_keys disable trigger _200_live_keys", "trigger _200_live_keys on app.api_keys"],
  "pg_trigger: disabled triggers of a foreign key of a partition": [
    "alter table partitions.run_events_:week disable trigger all",
    'trigger "RI_FKey_check_ins" of run_events_organisation_id_run_id_fkey on partitions.run_events_:week',
  ],
  "pg_trigger: all disabled triggers of a table": [
    "alter table app.memories disable trigger all",
    'trigger "RI_FKey_check_ins" of memories_organisation_id_bot_id_fkey on app.memories',
  ],
  "pg_trigger: a trigger that one partition lacks": [
    "delete from pg_trigger where tgname = '_100_refuse_to_rewrite' and tgrelid = 'partitions.audit_log_:week'::regclass",
    "trigger _100_refuse_to_rewrite on partitions.audit_log_:week", noRemedy,
  ],
  "pg_trigger: a trigger on jobs": [
    `create trigger spy after insert on graphile_worker._private_jobs
        for each row execute function triggers.tg_runs__add_run_event()`,
    "trigger spy on graphile_worker._private_jobs",
  ],
  "pg_ts_config: a configuration":
    ["create text search configuration public.spy (copy = pg_catalog.simple)", "text search configuration public.spy"],
  "pg_ts_config_map: another dictionary": [
    "alter text search configuration pg_catalog.english alter mapping for asciiword with simple",
    "ts config map pg_catalog.english 1 1", noRemedy,
  ],
  "pg_ts_dict: a dictionary": ["create text search dictionary public.spy (template = simple)", "text search dictionary public.spy"],
  "pg_ts_parser: a parser": [
    `create text search parser public.spy
        (start = prsd_start, gettoken = prsd_nexttoken, end = prsd_end, lextypes = prsd_lextype)`,
    "text search parser public.spy",
  ],
  "pg_ts_template: a template":
    ["create text search template public.spy (lexize = dsimple_lexize)", "text search template public.spy"],
  "pg_type: a type": ["create domain public.spy_text as text", "type public.spy_text"],
  "pg_type: the input of a built-in type":
    ["update pg_type set typinput = 'box_in'::regproc where typname = 'point'", "type pg_catalog.point", noRemedy],
  "pg_type: the input of an array":
    ["update pg_type set typinput = 'int2vectorin'::regproc where typname = '_macaddr'", "type pg_catalog.macaddr[]", noRemedy],
  "pg_type: the owner of a type": ["alter type app.key_scope owner to postgres", "type app.key_scope"],
  "pg_user_mapping: a mapping":
    ["create user mapping for public server spy options (password 'secret')", "user mapping public on server spy"],
};
