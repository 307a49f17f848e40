/* The statements that remove what a new database does not have. Each can run twice. */
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

create function audit.relation_kind(name text) returns "char"
language sql stable
set search_path = ''
as $$ select class.relkind from pg_catalog.pg_class class where class.oid = audit.relation(name) $$;
comment on function audit.relation_kind is 'relkind of the relation with this full name; null if there is none.';
grant execute on function audit.relation_kind to auditor;

-- The triggers of a foreign key go with it. Both of its tables have some.
create function audit.foreign_key_of(triggers audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select format('alter table if exists %s drop constraint if exists %I;', reference.conrelid::regclass, reference.conname)
  from regexp_matches(triggers.name, '^\S+ of (.*) on (\S+)$') named
  join pg_catalog.pg_constraint reference
    on quote_ident(reference.conname) = named[1] and reference.contype = 'f'
    and reference.conrelid in (audit.relation(named[2]), audit.relation(triggers.present ->> 'tgconstrrelid'))
  limit 1
$$;
comment on function audit.foreign_key_of is 'The statement that drops the foreign key with these triggers.';
grant execute on function audit.foreign_key_of to auditor;

create view audit.extension_members as
select 'extension ' || quote_ident(extension.extname) as extension, audit.identity(member.classid, member.objid) as name,
  member.objid < extension.oid as is_older
from pg_catalog.pg_depend member
join pg_catalog.pg_extension extension on extension.oid = member.refobjid
where member.refclassid = 'pg_extension'::regclass and member.deptype = 'e';
comment on view audit.extension_members is 'The objects of each extension, by their names in findings.';
grant select on audit.extension_members to auditor;

-- PostgreSQL drops nothing in pg_toast. Arrays and row types go with their element and table. An extension that has taken an older
-- object would drop it too.
create function audit.simple_removal(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select format(
    'drop %s if exists %s;',
    case of_object.kind when 'foreign-data wrapper' then 'foreign data wrapper' when 'statistics object' then 'statistics' else of_object.kind end, found.name
  )
  from (values (left(found.object, -length(found.name) - 1))) of_object (kind)
  where found.catalogue in ('pg_class', 'pg_proc', 'pg_type', 'pg_namespace', 'pg_language', 'pg_cast', 'pg_operator', 'pg_opclass', 'pg_opfamily',
    'pg_am', 'pg_collation', 'pg_conversion', 'pg_event_trigger', 'pg_extension', 'pg_foreign_data_wrapper', 'pg_foreign_server', 'pg_policy',
    'pg_publication', 'pg_rewrite', 'pg_statistic_ext', 'pg_tablespace', 'pg_transform', 'pg_ts_config', 'pg_ts_dict', 'pg_ts_parser', 'pg_ts_template')
    and found.name !~ '^pg_toast\.' and coalesce(found.present ->> 'typcategory', '') not in ('A', 'C')
    and not exists (select from audit.extension_members member where member.extension = found.object and member.is_older)
$$;
comment on function audit.simple_removal is 'The statement that drops an object by its kind and name; null if PostgreSQL has none, or if it would drop an older object too.';
grant execute on function audit.simple_removal to auditor;

-- A subscription with a slot cannot be dropped in a transaction, or while its publisher is away.
create function audit.removal(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select case found.catalogue
    when 'pg_attribute' then case
      when found.present ->> 'attname' in ('tableoid', 'cmax', 'xmax', 'cmin', 'xmin', 'ctid')
        then audit.privilege_changes(found, found.present, '{}', 'revoke %s on %s %s from %s;')
      when audit.relation_kind(of_column.relation) in ('r', 'p', 'f')
        then format('alter table if exists %s drop column if exists %s;', of_column.relation, of_column.name)
      when audit.relation_kind(of_column.relation) = 'c' then format('alter type %s drop attribute if exists %s;', of_column.relation, of_column.name)
    end
    when 'pg_constraint' then (
      select format('alter %s if exists %s drop constraint if exists %s;', case when audit.relation(part[2]) is null then 'domain' else 'table' end, part[2], part[1])
      from regexp_matches(found.name, '^(.*) on (.*)$') part
    )
    when 'pg_attrdef' then format('alter table %s alter %s drop default;', of_column.relation, of_column.name)
    when 'pg_description' then format('comment on %s is null;', of_comment.target)
    when 'pg_largeobject_metadata' then format('select lo_unlink(%s);', found.name)
    when 'pg_depend' then audit.release_from_extension(found.object, found.name)
    when 'pg_user_mapping' then format('drop user mapping if exists for %s;', replace(found.name, ' on server ', ' server '))
    when 'pg_subscription' then format('alter subscription %s disable; alter subscription %1$s set (slot_name = none); drop subscription %1$s;', found.name)
    when 'pg_replication_origin' then format('select pg_replication_origin_drop(%L);', found.present ->> 'roname')
    when 'pg_parameter_acl' then format(
      'revoke all on parameter %s from %s;', found.name,
      (select string_agg(distinct audit.grantee(split_part(item, ' to ', 2)), ', ') from jsonb_array_elements_text(found.present -> 'paracl') item where item !~ ' to bootstrap superuser$')
    )
    when 'pg_trigger' then coalesce(audit.foreign_key_of(found), format('drop trigger if exists %s;', found.name))
    else audit.simple_removal(found)
  end
  from (values (regexp_replace(found.name, '\.[^.]+$', ''), substring(found.name from '[^.]+$'))) of_column (relation, name),
    (values (regexp_replace(regexp_replace(left(found.object, -length(found.name) - 1), '^description of ', ''), '^\S+ (column|constraint)$', '\1') || ' ' || found.name)) of_comment (target)
$$;
comment on function audit.removal is 'The statement that removes an object which a new database does not have; null if there is no simple one.';
grant execute on function audit.removal to auditor;
