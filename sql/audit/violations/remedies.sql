/* The statements that put back what differs from a new database. Each can run twice: two findings may print the same one. */
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

create function audit.relation_kind(name text) returns "char"
language sql stable
set search_path = ''
as $$ select class.relkind from pg_catalog.pg_class class where class.oid = to_regclass(name) $$;
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
    and reference.conrelid in (to_regclass(named[2]), to_regclass(triggers.present ->> 'tgconstrrelid'))
  limit 1
$$;
comment on function audit.foreign_key_of is 'The statement that drops the foreign key with these triggers.';
grant execute on function audit.foreign_key_of to auditor;

/*
 * PostgreSQL drops nothing in pg_toast. Arrays and row types go with their element and table. A subscription with a slot
 * cannot be dropped in a transaction, or while its publisher is away. Null if there is no simple statement.
 */
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
      select format('alter %s if exists %s drop constraint if exists %s;', case when to_regclass(part[2]) is null then 'domain' else 'table' end, part[2], part[1])
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
    else case
      when found.catalogue in ('pg_class', 'pg_proc', 'pg_type', 'pg_namespace', 'pg_language', 'pg_cast', 'pg_operator', 'pg_opclass', 'pg_opfamily',
        'pg_am', 'pg_collation', 'pg_conversion', 'pg_event_trigger', 'pg_extension', 'pg_foreign_data_wrapper', 'pg_foreign_server', 'pg_policy',
        'pg_publication', 'pg_rewrite', 'pg_statistic_ext', 'pg_tablespace', 'pg_transform', 'pg_ts_config', 'pg_ts_dict', 'pg_ts_parser', 'pg_ts_template')
        and found.name !~ '^pg_toast\.' and coalesce(found.present ->> 'typcategory', '') not in ('A', 'C')
      then format(
        'drop %s if exists %s;', case of_object.kind when 'foreign-data wrapper' then 'foreign data wrapper' when 'statistics object' then 'statistics' else of_object.kind end,
        found.name
      )
    end
  end
  from (values (regexp_replace(found.name, '\.[^.]+$', ''), substring(found.name from '[^.]+$'))) of_column (relation, name),
    (values (left(found.object, -length(found.name) - 1))) of_object (kind),
    lateral (values (regexp_replace(regexp_replace(of_object.kind, '^description of ', ''), '^\S+ (column|constraint)$', '\1') || ' ' || found.name)) of_comment (target)
$$;
comment on function audit.removal is 'The statement that removes an object which a new database does not have.';
grant execute on function audit.removal to auditor;

-- A privilege on a table hides those on its columns, and revoking it revokes them too. A role that owned the table has lost
-- its own. The definitions grant them again.
create function audit.needs_grants(found audit.differences) returns boolean
language sql stable
set search_path = ''
as $$
  select found.catalogue = 'pg_class' and audit.is_ours(found.name) and (found.present ->> 'relowner' in (select ours.name from audit.our_roles ours) or exists (
    select
    from jsonb_array_elements_text(coalesce(found.present -> 'relacl', '[]')) item,
      pg_catalog.pg_attribute attribute, pg_catalog.aclexplode(attribute.attacl) given
    where attribute.attrelid = to_regclass(found.name) and given.grantee <> 0
      and item in (given.privilege_type || ' to ' || quote_ident(pg_get_userbyid(given.grantee)), given.privilege_type || ' with grant option to ' || quote_ident(pg_get_userbyid(given.grantee)))
  ))
$$;
comment on function audit.needs_grants is 'Whether the columns of a table need their grants again, after its owner or access list was changed.';
grant execute on function audit.needs_grants to auditor;

create function audit.restoration(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select case
    when found.catalogue = 'pg_description' then format('comment on %s is %L;', of_comment.target, found.built ->> 'description')
    when found.catalogue = 'pg_attrdef' and found.change = 'removed' or found.catalogue = 'pg_attrdef' and (found.built || found.present) - 'definition' = '{}'
      then format('alter table %s alter %s set default %s;', of_column.relation, of_column.name, found.built ->> 'definition')
    when found.catalogue = 'pg_constraint' and found.change = 'removed' then (
      select format('alter table %s add constraint %s %s;', part[2], part[1], found.built ->> 'definition')
      from regexp_matches(found.name, '^(.*) on (.*)$') part
    )
    when found.catalogue = 'pg_attribute' and found.change = 'changed' and (found.built || found.present) - 'attnotnull' = '{}'
      then format('alter table %s alter %s %s not null;', of_column.relation, of_column.name, case found.built ->> 'attnotnull' when 'true' then 'set' else 'drop' end)
    when audit.needs_grants(found) then null
    when found.change = 'changed' and (found.built || found.present) - '{relrowsecurity,relforcerowsecurity,relpersistence,relacl,attacl,proacl,typacl,nspacl,lanacl,lomacl,fdwacl,srvacl,spcacl,relowner,proowner,typowner,nspowner,lanowner,spcowner}'::text[] = '{}' then nullif(concat_ws(
      ' ',
      (
        select string_agg(format('alter %s owner to %s;', found.object, coalesce(found.built ->> key, quote_ident(pg_catalog.pg_get_userbyid(10)))), ' ')
        from jsonb_object_keys(found.built || found.present) key where key ~ 'owner$'
      ),
      (
        select string_agg(format('alter table %s %s row level security;', found.name, action), ' ')
        from jsonb_each_text(found.built),
          lateral (select case when key = 'relrowsecurity' then case value when 'true' then 'enable' else 'disable' end when value = 'true' then 'force' else 'no force' end) as does (action)
        where key ~ 'rowsecurity$'
      ),
      case when found.built ? 'relpersistence' then format('alter table %s set %s;', coalesce(
        (select index.indrelid::regclass::text from pg_catalog.pg_index index where index.indexrelid = to_regclass(found.name)), found.name
      ), case found.built ->> 'relpersistence' when 'p' then 'logged' else 'unlogged' end) end,
      audit.privilege_changes(found, found.present, found.built, 'revoke %s on %s %s from %s;'),
      audit.privilege_changes(found, found.built, found.present, 'grant %s on %s %s to %s;')
    ), '')
  end
  from (values (regexp_replace(found.name, '\.[^.]+$', ''), substring(found.name from '[^.]+$'))) of_column (relation, name),
    (values (regexp_replace(regexp_replace(left(found.object, -length(found.name) - 1), '^description of ', ''), '^\S+ (column|constraint)$', '\1') || ' ' || found.name)) of_comment (target)
$$;
comment on function audit.restoration is 'The statement that puts back an object which was changed or removed, if there is a simple one.';
grant execute on function audit.restoration to auditor;

create function audit.remedy_of_difference(found audit.differences) returns text
language sql stable
set search_path = ''
as $$
  select coalesce(
    case found.change when 'added' then audit.removal(found) else audit.restoration(found) end,
    case
      when not audit.is_ours(found.name) then 'find the cause, then put it back as expected'
      when found.catalogue in ('pg_proc', 'pg_policy', 'pg_trigger') or found.object ~ '^view ' or audit.needs_grants(found) then 'botstead migrate --repair'
      else 'find the cause, then botstead migrate --repair; tables, columns, constraints and indexes: put them back by hand'
    end
  )
$$;
comment on function audit.remedy_of_difference is 'How to put an object back: a statement, a command, or a sentence if neither does it.';
grant execute on function audit.remedy_of_difference to auditor;
