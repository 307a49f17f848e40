/*
 * The tables of pg_catalog that the inventory covers. A table of a later PostgreSQL that neither view lists
 * is covered without special treatment, and a test requires a line here.
 */
create view audit.catalogues as
select unnest(string_to_array(names, ' '))::name as name, severity, why
from (
  values
    ('critical', 'The database runs other code than was reviewed, with the rights of others.',
      'pg_proc pg_aggregate pg_operator pg_opclass pg_opfamily pg_amop pg_amproc pg_am pg_cast pg_conversion pg_language pg_transform pg_trigger pg_event_trigger pg_rewrite pg_extension'),
    ('critical', 'Policies separate the organisations.', 'pg_policy'),
    ('critical', 'Rows leave this database, or enter it, past its policies and triggers.',
      'pg_publication pg_publication_rel pg_publication_namespace pg_subscription pg_subscription_rel pg_replication_origin pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_user_mapping pg_largeobject_metadata'),
    ('critical', 'It opens privileges that no reviewed grant opens.', 'pg_namespace pg_default_acl pg_init_privs pg_parameter_acl'),
    ('serious', 'Policies, triggers and limits rely on these tables, columns and types, with their owners and privileges.',
      'pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_inherits pg_partitioned_table pg_sequence pg_type pg_enum pg_range pg_collation'),
    ('serious', 'Search compares text by it.', 'pg_ts_config pg_ts_config_map pg_ts_dict pg_ts_parser pg_ts_template'),
    ('serious', 'A module of the server decides by it what a role may do.', 'pg_seclabel pg_shseclabel'),
    ('serious', 'A dump leaves out the parts of an extension, and DROP EXTENSION drops them.', 'pg_depend'),
    ('notice', 'It grants nothing. Comments state the rules of policies; statistics and tablespaces decide about plans and disks.',
      'pg_description pg_statistic_ext pg_tablespace')
) as listed (severity, why, names);
comment on view audit.catalogues is 'Tables of pg_catalog whose rows are compared with the rows of a new database: how severe a difference is, and why.';
grant select on audit.catalogues to auditor;

create view audit.uncovered_catalogues (name, reason) as
values
  ('pg_authid'::name, 'roles.sql compares roles with what Botstead needs; other databases have roles of their own.'),
  ('pg_auth_members', 'roles.sql lists who reaches a role of Botstead or a predefined role.'),
  ('pg_db_role_setting', 'settings.sql lists settings of roles and databases.'),
  ('pg_database', 'database.sql checks this database.'),
  ('pg_shdescription', 'Comments of roles and databases. Those of roles name Botstead''s roles, which roles.sql checks.'),
  ('pg_largeobject', 'Contents; each object is in pg_largeobject_metadata.'),
  ('pg_shdepend', 'Follows the objects.'),
  ('pg_statistic', 'Statistics of rows, which change with them.'),
  ('pg_statistic_ext_data', 'Statistics of rows, which change with them.');
comment on view audit.uncovered_catalogues is 'Tables of pg_catalog that the inventory leaves out, each with the reason.';
grant select on audit.uncovered_catalogues to auditor;

-- As times.least_id, which auditor may not execute.
create function audit.first_id(moment timestamptz) returns uuid
language sql immutable
set search_path = ''
as $$ select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid $$;
comment on function audit.first_id is 'The smallest id of an instant: the bounds of partitions.';
grant execute on function audit.first_id to auditor;

/*
 * Exceptions from the general treatment (inventory.sql).
 *
 * - condition: leaves out rows that change in daily work or follow another row.
 * - identity: kind and name. part_of: the object that this one comes and goes with.
 * - ignored: columns that are not compared, for one of these reasons:
 *   - Trees, and what they list or hold, are printed as definition: adbin, conbin, connoinherit, indexprs, indpred, indclass,
 *     indcollation, indoption, ev_*, tgargs, tgnargs, tgqual, pol*, pro*, typdefaultbin, stxexprs, relpartbound, part*, pr*.
 *   - Numbers of columns differ after a column was dropped: attnum, adnum, conkey, confkey, indkey, tgattr, stxkeys, relnatts.
 *   - Storage and statistics change with the data: relfilenode, relpages, reltuples, relall*, relfrozenxid, relminmxid,
 *     relrewrite, relispopulated, reltoastrelid, collversion. attstattarget and stxstattarget decide about plans only.
 *   - Flags and counts follow rows that are compared. Definition names the flags relhas* and relchecks if they hide such rows. The others
 *     are attinhcount, coninhcount, attisdropped, and attndims, which PostgreSQL does not enforce.
 *   - The row is named after it, or the other end of the reference is compared: reltype, typarray, typrelid, rngtypid,
 *     rngmultitypid, enumtypid, aggfnoid, tgname of foreign keys, tgconstraint, tgconstrindid, tgparentid, conindid,
 *     conparentid, objid, refobjid, refobjsubid, subdbid, roident.
 *   - indcheckxmin: PostgreSQL sets it. Old snapshots do not use the index then, and it stays unique.
 *   - atthasmissing: without attmissingval it has no effect. A rewrite and a dump remove both (audit.changed_objects).
 *   - Secrets, and progress or state of a subscription, which is a finding itself: subconninfo, srvoptions (as a digest),
 *     subskiplsn, subenabled, srsublsn, srsubstate.
 * - definition: the printed trees. acl: the type of object for acldefault().
 */
create view audit.catalogue_columns as
select name::name, condition, identity, part_of, string_to_array(ignored, ' ') as ignored, definition, acl
from (
  values
    -- Files of long values follow their table, except for privileges on them and owners. Temporary tables end with their session.
    ('pg_class', $$not (row.relkind in ('t', 'i') and row.relnamespace = 'pg_toast'::regnamespace and row.relacl is null and (row.oid, row.relowner) in (
          select reltoastrelid, relowner from pg_catalog.pg_class
          union all
          select indexrelid, relowner from pg_catalog.pg_index join pg_catalog.pg_class on pg_class.oid = indrelid))
        and not (row.relpersistence = 't' and row.relnamespace::regnamespace::text ~ '^pg_(toast_)?temp_')$$,
      $$case row.relkind when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' when 'f' then 'foreign table' when 'c' then 'type' when 't' then 'toast table' else 'index' end, row.oid::regclass::text$$,
      -- The index of a constraint comes and goes with it.
      $$(select coalesce(
          (select quote_ident(conname) || ' on ' || conrelid::regclass from pg_catalog.pg_constraint where conrelid = index.indrelid and conindid = index.indexrelid and contype in ('p', 'u', 'x') limit 1),
          index.indrelid::regclass::text
        ) from pg_catalog.pg_index index where index.indexrelid = row.oid)$$,
      'relfilenode relpages reltuples relallvisible relallfrozen reltoastrelid reltype relhasindex relnatts relchecks relhasrules relhastriggers relhassubclass relrewrite relfrozenxid relminmxid relpartbound relispopulated',
      -- By these flags PostgreSQL decides whether to look for triggers, rules, indexes, partitions and checks.
      $$nullif(concat_ws(' ', case when row.relkind in ('v', 'm') then pg_get_viewdef(row.oid) end,
        case when not row.relhastriggers and exists (select from pg_catalog.pg_trigger where tgrelid = row.oid) then 'ignores triggers' end,
        case when not row.relhasrules and exists (select from pg_catalog.pg_rewrite where ev_class = row.oid)
          or exists (select from pg_catalog.pg_rewrite where ev_class = row.oid and rulename = '_RETURN' and ev_enabled <> 'O') then 'ignores rules' end,
        case when not row.relhasindex and exists (select from pg_catalog.pg_index where indrelid = row.oid) then 'ignores indexes' end,
        case when not row.relhassubclass and exists (select from pg_catalog.pg_inherits where inhparent = row.oid) then 'ignores partitions' end,
        case when row.relispartition and row.relkind in ('r', 'p') then nullif(pg_get_expr(row.relpartbound, row.oid), (
          select format('FOR VALUES FROM (%L) TO (%L)', audit.first_id(monday), audit.first_id(monday + interval '7 days'))
          from (select to_date(substring(row.relname from '_(\d{8})$'), 'YYYYMMDD')::timestamp at time zone 'UTC') week (monday)
        )) end, -- of a week: bounds that do not follow from its name
        case when row.relkind in ('r', 'p', 'f') and row.relchecks <> (
          select count(*) from pg_catalog.pg_constraint where conrelid = row.oid and contype = 'c'
        ) then 'ignores checks' end), '')$$,
      $$case when row.relkind = 'S' then 's'::"char" when row.relkind not in ('i', 'I', 'c') then 'r' end$$),
    ('pg_attribute', $$(row.attnum > 0 or row.attacl is not null) and not row.attisdropped and exists (
        select from pg_catalog.pg_class class
        where class.oid = row.attrelid and class.relpersistence <> 't'
          and (class.relkind not in ('t', 'i', 'I') or class.relkind = 't' and row.attacl is not null))$$,
      $$'column', row.attrelid::regclass || '.' || quote_ident(row.attname)$$, null,
      'attnum attndims attisdropped atthasmissing attstattarget attinhcount', null, null),
    ('pg_attrdef', null,
      $$'default value', row.adrelid::regclass || '.' || (select quote_ident(attname) from pg_catalog.pg_attribute where attrelid = row.adrelid and attnum = row.adnum)$$,
      null, 'adnum adbin', 'pg_get_expr(row.adbin, row.adrelid)', null),
    ('pg_constraint', $$row.contype <> 't'$$, -- constraint triggers are in pg_trigger
      $$'constraint', quote_ident(row.conname) || ' on ' || coalesce(nullif(row.conrelid, 0)::regclass::text, row.contypid::regtype::text)$$,
      null, 'conindid conparentid conkey confkey conbin coninhcount connoinherit', 'pg_get_constraintdef(row.oid)', null),
    ('pg_index', $$row.indrelid not in (select class.oid from pg_catalog.pg_class class where class.relkind = 't' or class.relpersistence = 't')$$,
      null, $$coalesce((select quote_ident(conname) || ' on ' || conrelid::regclass from pg_catalog.pg_constraint where conrelid = row.indrelid and conindid = row.indexrelid and contype in ('p', 'u', 'x') limit 1), row.indexrelid::regclass::text)$$,
      'indkey indcollation indclass indoption indexprs indpred indcheckxmin', 'pg_get_indexdef(row.indexrelid)', null),
    -- The query of a view is in pg_class.
    ('pg_rewrite', $$row.rulename <> '_RETURN' or row.ev_class not in (select class.oid from pg_catalog.pg_class class where class.relkind in ('v', 'm'))$$, $$'rule', quote_ident(row.rulename) || ' on ' || row.ev_class::regclass$$, null,
      'ev_qual ev_action', 'pg_get_ruledef(row.oid)', null),
    -- The triggers of a foreign key have no name of their own, and come and go with it.
    ('pg_trigger', null, $$'trigger', case when row.tgisinternal
        then row.tgfoid::regproc || ' of ' || (select quote_ident(conname) from pg_catalog.pg_constraint where oid = row.tgconstraint)
        else quote_ident(row.tgname) end || ' on ' || row.tgrelid::regclass$$,
      $$coalesce((select quote_ident(conname) || ' on ' || conrelid::regclass from pg_catalog.pg_constraint where row.tgisinternal and oid = row.tgconstraint), row.tgrelid::regclass::text)$$,
      'tgname tgparentid tgconstraint tgconstrindid tgattr tgargs tgqual tgnargs',
      'case when not row.tgisinternal then pg_get_triggerdef(row.oid) end', null),
    ('pg_policy', null, $$'policy', quote_ident(row.polname) || ' on ' || row.polrelid::regclass$$, null, 'polqual polwithcheck',
      $$concat_ws(' ', 'using (' || pg_get_expr(row.polqual, row.polrelid) || ')', 'with check (' || pg_get_expr(row.polwithcheck, row.polrelid) || ')')$$, null),
    ('pg_proc', null, $$case row.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end, row.oid::regprocedure::text$$,
      null, 'pronargdefaults proargdefaults prosqlbody',
      $$nullif(concat_ws(' ', case when row.pronargdefaults > 0 then pg_get_function_arguments(row.oid) end, case when row.prosqlbody is not null then pg_get_function_sqlbody(row.oid) end), '')$$, $$'f'$$),
    ('pg_aggregate', null, $$'aggregate transition', row.aggfnoid::regprocedure::text$$, 'row.aggfnoid::regprocedure::text', 'aggfnoid', null, null),
    -- Row types and arrays follow their table and their element, if they have the usual functions.
    ('pg_type', $$(row.typelem = 0 and row.typrelid = 0)
        or (row.typinput, row.typoutput, row.typreceive, row.typsend, row.typsubscript, row.typanalyze, row.typacl is null) not in (
          ('array_in'::regproc, 'array_out'::regproc, 'array_recv'::regproc, 'array_send'::regproc,
            'array_subscript_handler'::regproc, 'array_typanalyze'::regproc, true),
          ('record_in'::regproc, 'record_out'::regproc, 'record_recv'::regproc, 'record_send'::regproc, 0, 0, true))$$,
      null, null, 'typdefaultbin typrelid typarray', 'pg_get_expr(row.typdefaultbin, 0)', $$'T'$$),
    ('pg_enum', null, $$'enum value', row.enumtypid::regtype || '.' || quote_literal(row.enumlabel)$$, 'row.enumtypid::regtype::text', 'enumtypid', null, null),
    ('pg_range', null, null, 'row.rngtypid::regtype::text', 'rngtypid rngmultitypid', null, null),
    ('pg_collation', null, null, null, 'collversion', null, null),
    ('pg_statistic_ext', null, null, null, 'stxkeys stxexprs stxstattarget', 'pg_get_statisticsobjdef(row.oid)', null),
    ('pg_partitioned_table', null, null, null, 'partattrs partclass partcollation partexprs', 'pg_get_partkeydef(row.partrelid)', null),
    ('pg_namespace', $$row.nspname !~ '^pg_(toast_)?temp_'$$, null, null, '', null, $$'n'$$),
    ('pg_description', 'row.objoid >= 16384', null, null, '', null, null), -- comments on built-in objects have no effect
    -- Of a member of an extension they follow the membership.
    ('pg_init_privs', $$not exists (select from pg_catalog.pg_depend member where member.deptype = 'e' and (member.classid, member.objid) = (row.classoid, row.objoid))$$,
      null, null, '', null, null),
    -- Other dependencies follow the objects. Row types and arrays are members with their table and their element.
    ('pg_depend', $$row.refclassid = 'pg_extension'::regclass and row.deptype in ('e', 'x')
        and not (row.classid = 'pg_type'::regclass and exists (select from pg_catalog.pg_type type where type.oid = row.objid and (type.typrelid <> 0 or type.typelem <> 0)))$$,
      $$case row.deptype when 'e' then 'part of' else 'dependant of' end || ' extension', audit.identity(row.refclassid, row.refobjid) || ' '
        || (select concat_ws(' ', part.type, part.identity) from pg_catalog.pg_identify_object(row.classid, row.objid, row.objsubid) part)$$,
      $$audit.identity(row.refclassid, row.refobjid)$$, 'objid refobjid refobjsubid', null, null),
    ('pg_amop', null, null, '(pg_identify_object(''pg_opfamily''::regclass, row.amopfamily, 0)).identity', '', null, null),
    ('pg_amproc', null, null, '(pg_identify_object(''pg_opfamily''::regclass, row.amprocfamily, 0)).identity', '', null, null),
    ('pg_publication_rel', null, null, '(pg_identify_object(''pg_publication''::regclass, row.prpubid, 0)).identity', 'prattrs prqual',
      'concat_ws('' '', row.prattrs, pg_get_expr(row.prqual, row.prrelid))', null),
    ('pg_publication_namespace', null, null, '(pg_identify_object(''pg_publication''::regclass, row.pnpubid, 0)).identity', '', null, null),
    ('pg_subscription', 'row.subdbid = (select database.oid from pg_catalog.pg_database database where database.datname = current_database())',
      null, null, 'subdbid subconninfo subskiplsn subenabled', null, null),
    ('pg_subscription_rel', null, null, $$(select 'subscription ' || quote_ident(subname) from pg_catalog.pg_subscription where oid = row.srsubid)$$,
      'srsublsn srsubstate', null, null),
    ('pg_replication_origin', null, $$'replication origin', row.roname$$,
      $$(select 'subscription ' || quote_ident(subname) from pg_catalog.pg_subscription where 'pg_' || oid = row.roname)$$, 'roident', null, null),
    ('pg_ts_config_map', null, null, '(pg_identify_object(''pg_ts_config''::regclass, row.mapcfg, 0)).identity', '', null, null),
    ('pg_language', null, null, null, '', null, $$'l'$$),
    ('pg_largeobject_metadata', null, $$'large object', row.oid::text$$, null, '', null, $$'L'$$),
    ('pg_foreign_data_wrapper', null, null, null, '', null, $$'F'$$),
    -- Options can contain secrets.
    ('pg_foreign_server', null, null, null, 'srvoptions',
      $$'options with digest ' || encode(sha256(convert_to(row.srvoptions::text, 'UTF8')), 'hex')$$, $$'S'$$),
    ('pg_tablespace', null, null, null, '', null, $$'t'$$)
) as listed (name, condition, identity, part_of, ignored, definition, acl);
comment on view audit.catalogue_columns is 'How the inventory reads tables of pg_catalog that need special treatment.';
grant select on audit.catalogue_columns to auditor;
