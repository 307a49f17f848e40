/* Differences from a new database of this version (builds.sql), and whether they could be examined. */
create function audit.shown(attributes jsonb) returns text
language sql immutable
set search_path = ''
as $$
  select string_agg(format('%s %s', entry.key, left(entry.value, 300)), ', ' order by entry.key)
  from jsonb_each_text(attributes) entry
$$;
comment on function audit.shown is 'Attributes of an object as text, each up to 300 characters; audit.differences has the whole.';
grant execute on function audit.shown to auditor;

create function audit.is_ours(name text) returns boolean
language sql stable
set search_path = ''
as $$
  select split_part(regexp_replace(name, '^.* on ', ''), '.', 1) in (select ours.name from audit.our_schemas ours union all values ('extensions'))
$$;
comment on function audit.is_ours is 'Whether an object lies in a schema of Botstead, by its name as audit.inventory prints it.';
grant execute on function audit.is_ours to auditor;

create function audit.grantee(shown text) returns text
language sql stable
set search_path = ''
as $$
  select case shown when 'bootstrap superuser' then quote_ident(pg_catalog.pg_get_userbyid(10)) else shown end
$$;
comment on function audit.grantee is 'A grantee of the inventory as GRANT names it.';
grant execute on function audit.grantee to auditor;

create function audit.privilege_changes(found audit.differences, one jsonb, other jsonb, statement text) returns text
language sql stable
set search_path = ''
as $$
  select string_agg(
    format(
      statement, case found.catalogue
        when 'pg_attribute' then format('%s (%s)', privilege, substring(found.name from '[^.]+$'))
        else privilege
      end,
      case found.catalogue when 'pg_attribute' then 'table' when 'pg_largeobject_metadata' then 'large object'
        when 'pg_foreign_data_wrapper' then 'foreign data wrapper' when 'pg_foreign_server' then 'foreign server'
        when 'pg_class' then case when split_part(found.object, ' ', 1) = 'sequence' then 'sequence' else 'table' end
        else split_part(found.object, ' ', 1)
      end,
      case found.catalogue when 'pg_attribute' then regexp_replace(found.name, '\.[^.]+$', '') else found.name end, grantee
    ),
    ' ' order by grantee, privilege
  )
  from jsonb_each(one) entry,
    jsonb_array_elements_text(case when jsonb_typeof(entry.value) = 'array' then entry.value else '[]' end) item,
    lateral (select replace(split_part(item, ' to ', 1), ' with grant option', ''), audit.grantee(split_part(item, ' to ', 2))) as given (privilege, grantee)
  where entry.key ~ 'acl$' and entry.key <> 'defaclacl' and not coalesce(other -> entry.key, '[]') ? item
$$;
comment on function audit.privilege_changes is 'Statements for the privileges that are in one access list and not in another.';
grant execute on function audit.privilege_changes to auditor;

create function audit.release_from_extension(object text, name text) returns text
language sql immutable
set search_path = ''
as $$
  select regexp_replace(
    name, '^(\S+) (.*)$',
    case when object ~ '^part of' then 'alter extension \1 drop \2;' else 'alter \2 no depends on extension \1;' end
  )
$$;
comment on function audit.release_from_extension is 'The statement after which an object belongs to an extension no longer.';
grant execute on function audit.release_from_extension to auditor;

/*
 * PostgreSQL drops nothing in pg_toast. Arrays and row types go with their element and table. A subscription with a slot
 * cannot be dropped in a transaction, or while its publisher is away.
 */
create function audit.remedy_of_difference(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select case
    when found.change = 'added' then case found.catalogue
      when 'pg_attribute' then case when found.present ->> 'attname' in ('tableoid', 'cmax', 'xmax', 'cmin', 'xmin', 'ctid')
        then audit.privilege_changes(found, found.present, '{}', 'revoke %s on %s %s from %s;')
        when found.name !~ '^pg_toast\.' then regexp_replace(found.name, '^(.*)\.([^.]+)$', 'alter table \1 drop column \2;') end
      when 'pg_constraint' then regexp_replace(found.name, '^(.*) on (.*)$', 'alter table \2 drop constraint \1;')
      when 'pg_largeobject_metadata' then format('select lo_unlink(%s);', found.name)
      when 'pg_depend' then audit.release_from_extension(found.object, found.name)
      when 'pg_user_mapping' then format('drop user mapping for %s;', replace(found.name, ' on server ', ' server '))
      when 'pg_subscription' then format('alter subscription %s disable; alter subscription %1$s set (slot_name = none); drop subscription %1$s;', found.name)
      when 'pg_replication_origin' then format('select pg_replication_origin_drop(%L);', found.present ->> 'roname')
      when 'pg_parameter_acl' then format(
        'revoke all on parameter %s from %s;', found.name,
        (select string_agg(distinct audit.grantee(split_part(item, ' to ', 2)), ', ') from jsonb_array_elements_text(found.present -> 'paracl') item where item !~ ' to bootstrap superuser$')
      )
      else case
        when found.catalogue in ('pg_class', 'pg_proc', 'pg_type', 'pg_namespace', 'pg_language', 'pg_cast', 'pg_operator', 'pg_opclass', 'pg_opfamily',
          'pg_am', 'pg_collation', 'pg_conversion', 'pg_event_trigger', 'pg_extension', 'pg_foreign_data_wrapper', 'pg_foreign_server', 'pg_policy',
          'pg_publication', 'pg_rewrite', 'pg_statistic_ext', 'pg_tablespace', 'pg_transform', 'pg_trigger',
          'pg_ts_config', 'pg_ts_dict', 'pg_ts_parser', 'pg_ts_template')
          and found.name !~ '^pg_toast\.' and coalesce(found.present ->> 'typcategory', '') not in ('A', 'C')
        then format('drop %s;', regexp_replace(replace(found.object, 'foreign-data', 'foreign data'), '^statistics object', 'statistics'))
      end
    end
    when found.change = 'changed' and (found.built || found.present) - '{relpersistence,relacl,attacl,proacl,typacl,nspacl,lanacl,lomacl,fdwacl,srvacl,spcacl,relowner,proowner,typowner,nspowner,lanowner,spcowner}'::text[] = '{}' then nullif(concat_ws(
      ' ',
      (
        select string_agg(format('alter %s owner to %s;', found.object, coalesce(found.built ->> key, quote_ident(pg_catalog.pg_get_userbyid(10)))), ' ')
        from jsonb_object_keys(found.built || found.present) key where key ~ 'owner$'
      ),
      case when found.built ? 'relpersistence' then format('alter table %s set %s;', found.name, case found.built ->> 'relpersistence' when 'p' then 'logged' else 'unlogged' end) end,
      audit.privilege_changes(found, found.present, found.built, 'revoke %s on %s %s from %s;'),
      audit.privilege_changes(found, found.built, found.present, 'grant %s on %s %s to %s;')
    ), '')
  end
$$;
comment on function audit.remedy_of_difference is 'The statement that puts an object back, if there is a simple one.';
grant execute on function audit.remedy_of_difference to auditor;

create view audit.violations_of_differences as
select 'difference' as rule, left(found.object, -length(found.name) - 1) as kind, found.name,
  found.change || case found.change when 'changed' then ' in ' || (
    select string_agg(attribute, ', ' order by attribute)
    from (select jsonb_object_keys(found.built) union select jsonb_object_keys(found.present)) as differing (attribute)
  ) else '' end || case when found.parts > 0 then format(', with %s parts', found.parts) else '' end as detail,
  audit.shown(found.built) as expected, audit.shown(found.present) as actual,
  catalogue.severity, catalogue.why,
  coalesce(
    audit.remedy_of_difference(found),
    case when found.catalogue in ('pg_proc', 'pg_policy', 'pg_trigger') and audit.is_ours(found.name) then 'botstead migrate --repair' end,
    case when audit.is_ours(found.name) then 'find the cause, then botstead migrate --repair; tables, columns, constraints and indexes: put them back by hand'
      else 'find the cause, then put it back as expected' end
  ) as remedy,
  encode(found.digest, 'hex') as evidence
from audit.differences found
left join audit.catalogues catalogue on catalogue.name = found.catalogue;
comment on view audit.violations_of_differences is 'Objects that differ from those of a new database: see audit.findings.';
grant select on audit.violations_of_differences to auditor;

create view audit.refused_differences as
select found.object, found.change, found.built, found.present
from audit.differences found
where (
    audit.is_ours(found.name) or found.catalogue = 'pg_namespace' and audit.is_ours(found.name || '.')
    or found.object = 'description of schema migration' -- the version, which the processes read
  )
  and audit.finding_id('difference', found.object, encode(found.digest, 'hex')) not in (select accepted.finding from audit.accepted);
comment on view audit.refused_differences is 'Differences in Botstead''s schemas that are not accepted: `botstead migrate` refuses to hide them.';
grant select on audit.refused_differences to auditor;
