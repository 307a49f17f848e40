/**
 * Faults: one or more for each table of pg_catalog that the inventory covers, planted together in one transaction. `object`
 * is the finding's. `remedy`: false if the finding has no statement that puts the object back.
 */
export type Planted = { plant: string; object: string; remedy?: false };

const wrapper = "create foreign data wrapper spy; create server spy foreign data wrapper spy";

const ignored = (flag: string, object: string): Planted => ({
  plant: `update pg_class set ${flag} where oid = '${object.replace("table ", "")}'::regclass`,
  object,
  remedy: false,
});

export const faultsOfCatalogues: Record<string, Record<string, Planted>> = {
  pg_aggregate: {
    "a replaced transition of a built-in": {
      plant: "update pg_aggregate set aggtransfn = 'int8inc_any' where aggfnoid = 'count()'::regprocedure",
      object: "aggregate transition count()",
      remedy: false,
    },
  },
  pg_am: {
    "an access method": {
      plant: "create access method spy type table handler heap_tableam_handler",
      object: "access method spy",
    },
  },
  pg_amop: {
    "an operator of a built-in family": {
      plant: "alter operator family char_ops using btree add operator 1 < (integer, bigint)",
      object: "operator of access method operator 1 (integer, bigint) of pg_catalog.char_ops USING btree",
      remedy: false,
    },
  },
  pg_amproc: {
    "a comparison of a built-in family": {
      plant: "alter operator family char_ops using btree add function 1 (integer, bigint) btint48cmp(integer, bigint)",
      object: "function of access method function 1 (integer, bigint) of pg_catalog.char_ops USING btree",
      remedy: false,
    },
  },
  pg_attrdef: {
    "the default of a column": {
      plant: "alter table app.invitations alter role set default 'owner'",
      object: "default value app.invitations.role",
      remedy: false,
    },
  },
  pg_attribute: {
    "a column": { plant: "alter table app.bots add column shadow text", object: "column app.bots.shadow" },
    "a privilege on a column": {
      plant: "grant update (kind) on app.steps to tenant",
      object: "column app.steps.kind",
    },
    "a privilege on a system column": {
      plant: "grant select (xmin) on pg_authid to worker",
      object: "column pg_authid.xmin",
    },
    "a default that PostgreSQL ignores": {
      plant:
        "update pg_attribute set atthasdef = false where attrelid = 'app.hooks'::regclass and attname = 'created_at'",
      object: "column app.hooks.created_at",
      remedy: false,
    },
  },
  pg_cast: {
    "a cast": {
      plant: "create cast (text as uuid) with inout as implicit",
      object: "cast (pg_catalog.text AS pg_catalog.uuid)",
    },
  },
  pg_class: {
    "an unlogged table": {
      plant: "alter table app.audit_chain_heads set unlogged",
      object: "table app.audit_chain_heads",
    },
    "an added table, with its columns": {
      plant: "create table public.spy (text text primary key)",
      object: "table public.spy",
    },
    "a partition without row-level security": {
      plant: "alter table partitions.events_:week disable row level security",
      object: "table partitions.events_:week",
      remedy: false,
    },
    "a privilege on a catalogue": { plant: "grant select on pg_authid to worker", object: "table pg_authid" },
    "large objects for everybody": {
      plant: "grant select on pg_largeobject to public",
      object: "table pg_largeobject",
    },
    "the query of a view": {
      plant:
        "create or replace view operator.platform_keys as select id, upper(name) as name, prefix, created_at, expires_at, revoked_at from app.platform_keys",
      object: "view operator.platform_keys",
      remedy: false,
    },
    "an index": { plant: "create index quick on app.runs (state)", object: "index app.quick" },
    "an owner": { plant: "alter table app.mails owner to postgres", object: "table app.mails" },
    "a privilege on long values": {
      plant: "grant select on pg_toast.pg_toast_2619 to worker",
      object: "toast table pg_toast.pg_toast_2619",
      remedy: false,
    },
    "a table between the long values": {
      plant:
        "create table public.hidden (); update pg_class set relnamespace = 'pg_toast'::regnamespace where relname = 'hidden'",
      object: "table pg_toast.hidden",
      remedy: false,
    },
    "triggers that PostgreSQL ignores": ignored("relhastriggers = false", "table app.approvals"),
    "checks that PostgreSQL ignores": ignored("relchecks = 0", "table app.routines"),
    "indexes that PostgreSQL ignores": ignored("relhasindex = false", "table app.conversations"),
    "partitions that PostgreSQL ignores": ignored("relhassubclass = false", "table app.deliveries"),
    "the query of a view that PostgreSQL ignores": {
      plant: "update pg_rewrite set ev_enabled = 'D' where ev_class = 'rows.hooks'::regclass",
      object: "view rows.hooks",
      remedy: false,
    },
  },
  pg_collation: {
    "a collation": {
      plant: "create collation public.spy (provider = builtin, locale = 'C.UTF-8')",
      object: "collation public.spy",
    },
    "another built-in collation": {
      plant: "update pg_collation set collisdeterministic = false where collname = 'ucs_basic'",
      object: "collation pg_catalog.ucs_basic",
      remedy: false,
    },
  },
  pg_constraint: {
    "a dropped constraint": {
      plant: "alter table app.bots drop constraint bots_name_check",
      object: "constraint bots_name_check on app.bots",
      remedy: false,
    },
    "a foreign key that is not enforced": {
      plant: `alter table app.runs add constraint loose foreign key (organisation_id, bot_id)
        references app.bots (organisation_id, id) not enforced`,
      object: "constraint loose on app.runs",
    },
    "a foreign key that compares otherwise": {
      plant:
        "update pg_constraint set conpfeqop[1] = '<>(uuid, uuid)'::regoperator where conname = 'routines_organisation_id_bot_id_fkey'",
      object: "constraint routines_organisation_id_bot_id_fkey on app.routines",
      remedy: false,
    },
  },
  pg_conversion: {
    "a conversion": {
      plant: "create conversion public.spy for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8",
      object: "conversion public.spy",
    },
  },
  pg_default_acl: {
    "privileges on future tables": {
      plant: "alter default privileges for role owner grant select on tables to worker",
      object: "default acl for role owner on tables",
      remedy: false,
    },
  },
  pg_description: {
    "the comment of a policy": {
      plant: "comment on policy select_visible on app.bots is 'All bots.'",
      object: "description of policy select_visible on app.bots",
      remedy: false,
    },
  },
  pg_enum: {
    "a value": {
      plant: "alter type app.key_scope add value 'all'",
      object: "enum value app.key_scope.'all'",
      remedy: false,
    },
  },
  pg_event_trigger: {
    "an event trigger": {
      plant: `create function public.spied() returns event_trigger language plpgsql as 'begin end';
        create event trigger spy on sql_drop execute function public.spied()`,
      object: "event trigger spy",
    },
  },
  pg_extension: {
    "an extension, with its functions": {
      plant: "create extension tablefunc schema public",
      object: "extension tablefunc",
    },
  },
  pg_foreign_data_wrapper: {
    "a wrapper": { plant: "create foreign data wrapper spy_only", object: "foreign-data wrapper spy_only" },
  },
  pg_foreign_server: { "a server": { plant: wrapper, object: "server spy" } },
  pg_foreign_table: {
    "a foreign table's server": {
      plant: `create foreign table public.far () server spy`,
      object: "foreign table public.far",
    },
  },
  pg_index: {
    "an index that is not valid": {
      plant: "update pg_index set indisvalid = false where indexrelid = 'app.api_keys_pkey'::regclass",
      object: "index app.api_keys_pkey",
      remedy: false,
    },
  },
  pg_inherits: {
    "a table that inherits": {
      plant: "create table public.child () inherits (app.people)",
      object: "table public.child",
    },
  },
  pg_init_privs: {
    "initial privileges": {
      plant: "insert into pg_init_privs values ('app.bots'::regclass, 'pg_class'::regclass, 0, 'e', '{=r/postgres}')",
      object: "init privs of table app.bots",
      remedy: false,
    },
  },
  pg_language: {
    "C for everybody": {
      plant: "update pg_language set lanpltrusted = true where lanname = 'c'",
      object: "language c",
      remedy: false,
    },
  },
  pg_largeobject_metadata: { "a large object": { plant: "select lo_create(815)", object: "large object 815" } },
  pg_namespace: {
    "a schema": { plant: "create schema spy", object: "schema spy" },
    "a schema that a login may enter": { plant: "grant usage on schema times to runner", object: "schema times" },
  },
  pg_opclass: {
    "an operator class": {
      plant:
        "create operator class public.spy for type integer using btree as operator 1 <, function 1 btint4cmp(integer, integer)",
      object: "operator class public.spy USING btree",
    },
  },
  pg_operator: {
    "an operator": {
      plant: "create operator public.=== (function = int4eq, leftarg = integer, rightarg = integer)",
      object: "operator public.===(integer,integer)",
    },
  },
  pg_opfamily: {
    "an operator family": {
      plant: "create operator family public.spies using hash",
      object: "operator family public.spies USING hash",
    },
  },
  pg_parameter_acl: {
    "a setting that a login may set": {
      plant: "grant set on parameter session_replication_role to worker",
      object: "parameter ACL session_replication_role",
    },
  },
  pg_partitioned_table: {
    "a partition key": {
      plant: "update pg_partitioned_table set partstrat = 'l' where partrelid = 'app.events'::regclass",
      object: "partitioned table app.events",
      remedy: false,
    },
    "a partition for all other rows": {
      plant: "create table partitions.others partition of app.run_events default",
      object: "partitioned table app.run_events",
      remedy: false,
    },
  },
  pg_policy: {
    "a policy": { plant: "create policy wide on app.runs to tenant using (true)", object: "policy wide on app.runs" },
    "a policy on a partition": {
      plant: "create policy wide on partitions.steps_:week to tenant using (true)",
      object: "policy wide on partitions.steps_:week",
    },
    "the condition of a policy": {
      plant: "alter policy select_alive on app.executors using (false)",
      object: "policy select_alive on app.executors",
      remedy: false,
    },
  },
  pg_proc: {
    "a replaced built-in": {
      plant: `create or replace function pg_catalog.age(timestamptz) returns interval language sql stable strict parallel safe
        as 'select null::interval'`,
      object: "function age(timestamp with time zone)",
      remedy: false,
    },
    "a definer function in pg_catalog": {
      plant: "create function pg_catalog.evil() returns integer language sql security definer as 'select 1'",
      object: "function evil()",
    },
    "reading files of the server": {
      plant: "grant execute on function pg_read_file(text) to worker",
      object: "function pg_read_file(text)",
    },
    "the body of a function": {
      plant: `create or replace function caller.scope() returns app.key_scope language sql as $$ select 'admin'::app.key_scope $$`,
      object: "function caller.scope()",
      remedy: false,
    },
    "a function of the job queue": {
      plant: `create or replace function graphile_worker.force_unlock_workers(worker_ids text[]) returns void
        language sql as 'select from app.memories'`,
      object: "function graphile_worker.force_unlock_workers(text[])",
      remedy: false,
    },
    "a privilege on a function": {
      plant: "grant execute on function jobs.queue_mail to worker",
      object: "function jobs.queue_mail(uuid,uuid)",
    },
  },
  pg_publication: { "all tables": { plant: "create publication spy for all tables", object: "publication spy" } },
  pg_publication_namespace: {
    "a schema": { plant: "create publication spy_schema for tables in schema app", object: "publication spy_schema" },
  },
  pg_publication_rel: {
    "a table": { plant: "create publication spy_table for table app.memories", object: "publication spy_table" },
  },
  pg_range: {
    "the difference of a built-in range": {
      plant: "update pg_range set rngsubdiff = 0 where rngtypid = 'int4range'::regtype",
      object: "range int4range",
      remedy: false,
    },
  },
  pg_replication_origin: {
    "an origin": { plant: "select pg_replication_origin_create('spy')", object: "replication origin spy" },
  },
  pg_rewrite: {
    "a rule that discards inserts": {
      plant: "create rule swallow as on insert to app.events do instead nothing",
      object: "rule swallow on app.events",
    },
  },
  pg_seclabel: {
    "a label": {
      plant: "insert into pg_seclabel values ('app.bots'::regclass, 'pg_class'::regclass, 0, 'spy', 'open')",
      object: "seclabel of table app.bots",
      remedy: false,
    },
  },
  pg_sequence: {
    "a step of 2": {
      plant: "alter sequence app.definition_builds_id_seq increment 2",
      object: "sequence app.definition_builds_id_seq",
      remedy: false,
    },
  },
  pg_shseclabel: {
    "a label of a role": {
      plant: "insert into pg_shseclabel values ('server'::regrole, 'pg_authid'::regclass, 'spy', 'open')",
      object: "shseclabel of role server",
      remedy: false,
    },
  },
  pg_statistic_ext: {
    statistics: {
      plant: "create statistics app.spy on kind, value from app.memories",
      object: "statistics object app.spy",
    },
  },
  pg_subscription: {
    "a subscription": {
      plant:
        "create subscription spy connection 'host=127.0.0.1' publication spy with (connect = false, slot_name = none)",
      object: "subscription spy",
    },
  },
  pg_subscription_rel: {
    "a table of a subscription": {
      plant: `create subscription spy_rel connection 'host=127.0.0.1' publication spy with (connect = false, slot_name = none);
        insert into pg_subscription_rel select oid, 'app.bots'::regclass, 'r', null from pg_subscription where subname = 'spy_rel'`,
      object: "subscription spy_rel",
    },
  },
  pg_tablespace: {
    "a tablespace": {
      plant: "insert into pg_tablespace values (4711, 'spy', 10, null, null)",
      object: "tablespace spy",
      remedy: false, // its folder does not exist
    },
  },
  pg_transform: {
    "a transform": {
      plant: `insert into pg_transform values
        (4712, 'integer'::regtype, (select oid from pg_language where lanname = 'plpgsql'), 0, 'int4recv'::regproc)`,
      object: "transform for integer language plpgsql",
      remedy: false,
    },
  },
  pg_trigger: {
    "a disabled trigger": {
      plant: "alter table app.api_keys disable trigger _200_live_keys",
      object: "trigger _200_live_keys on app.api_keys",
      remedy: false,
    },
    "disabled triggers of a foreign key of a partition": {
      plant: "alter table partitions.run_events_:week disable trigger all",
      object: 'trigger "RI_FKey_check_ins" of run_events_organisation_id_run_id_fkey on partitions.run_events_:week',
      remedy: false,
    },
    "a trigger that one partition lacks": {
      plant:
        "delete from pg_trigger where tgname = '_100_refuse_to_rewrite' and tgrelid = 'partitions.audit_log_:week'::regclass",
      object: "trigger _100_refuse_to_rewrite on partitions.audit_log_:week",
      remedy: false,
    },
    "a trigger on jobs": {
      plant: `create trigger spy after insert on graphile_worker._private_jobs
        for each row execute function triggers.tg_runs__add_run_event()`,
      object: "trigger spy on graphile_worker._private_jobs",
    },
  },
  pg_ts_config: {
    "a configuration": {
      plant: "create text search configuration public.spy (copy = pg_catalog.simple)",
      object: "text search configuration public.spy",
    },
  },
  pg_ts_config_map: {
    "another dictionary": {
      plant: "alter text search configuration pg_catalog.english alter mapping for asciiword with simple",
      object: "ts config map pg_catalog.english 1 1",
      remedy: false,
    },
  },
  pg_ts_dict: {
    "a dictionary": {
      plant: "create text search dictionary public.spy (template = simple)",
      object: "text search dictionary public.spy",
    },
  },
  pg_ts_parser: {
    "a parser": {
      plant: `create text search parser public.spy
        (start = prsd_start, gettoken = prsd_nexttoken, end = prsd_end, lextypes = prsd_lextype)`,
      object: "text search parser public.spy",
    },
  },
  pg_ts_template: {
    "a template": {
      plant: "create text search template public.spy (lexize = dsimple_lexize)",
      object: "text search template public.spy",
    },
  },
  pg_type: {
    "a type": { plant: "create domain public.spy_text as text", object: "type public.spy_text" },
    "the input of a built-in type": {
      plant: "update pg_type set typinput = 'box_in'::regproc where typname = 'point'",
      object: "type pg_catalog.point",
      remedy: false,
    },
    "the input of an array": {
      plant: "update pg_type set typinput = 'int2vectorin'::regproc where typname = '_macaddr'",
      object: "type pg_catalog.macaddr[]",
      remedy: false,
    },
    "the owner of a type": { plant: "alter type app.key_scope owner to postgres", object: "type app.key_scope" },
  },
  pg_user_mapping: {
    "a mapping": {
      plant: "create user mapping for public server spy options (password 'secret')",
      object: "user mapping public on server spy",
    },
  },
};
