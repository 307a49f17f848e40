/* How objects, their attributes and their privileges are printed in findings and in remedies. */
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

-- auditor may not enter most schemas, and to_regclass fails without that privilege.
create function audit.relation(name text) returns oid
language sql stable
set search_path = ''
as $$ select class.oid from pg_catalog.pg_class class where class.oid::regclass::text = relation.name $$;
comment on function audit.relation is 'The relation with this full name; null if there is none.';
grant execute on function audit.relation to auditor;

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
