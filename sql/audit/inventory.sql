/*
 * Everything that exists, as rows that are the same in two databases with the same definitions: names instead of OIDs,
 * and neither passwords nor anything that changes with data. PostgreSQL says itself which columns are references
 * (pg_get_catalog_foreign_keys), so the queries follow from the catalogue. (docs/decisions/0032-security-audit.md)
 */
create function audit.reference_name(catalogue regclass, value text) returns text
language sql immutable
set search_path = ''
as $$
  select case catalogue::text
    when 'pg_class' then format('nullif(%s, 0)::regclass::text', value)
    when 'pg_type' then format('nullif(%s, 0)::regtype::text', value)
    when 'pg_proc' then format('nullif(%s, 0)::oid::regprocedure::text', value)
    when 'pg_operator' then format('nullif(%s, 0)::regoperator::text', value)
    when 'pg_namespace' then format('nullif(%s, 0)::regnamespace::text', value)
    -- Clusters name the role that initdb creates differently.
    when 'pg_authid' then format('case %s when 10 then null when 0 then ''PUBLIC'' else (%1$s)::regrole::text end', value)
    else format('(pg_catalog.pg_identify_object(%s, nullif(%s, 0), 0)).identity', catalogue::oid, value)
  end
$$;
comment on function audit.reference_name is 'SQL for the name of the row of a catalogue that this OID refers to; null for the role that initdb creates.';
grant execute on function audit.reference_name to auditor;

create function audit.column_expression(name name, refers_to regclass, is_array boolean) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when not is_array then audit.reference_name(refers_to, format('row.%I', name))
    when is_array and refers_to in ('pg_type'::regclass, 'pg_class'::regclass, 'pg_operator'::regclass) then
      format('nullif(row.%I::oid[]::%s[]::text[], ''{}'')', name, replace(refers_to::text, 'pg_', 'reg'))
    when is_array then format(
      'case when row.%1$I is not null then nullif(array(select %2$s from unnest(row.%1$I) with ordinality as each (value, place) order by %3$s), ''{}'') end',
      name, audit.reference_name(refers_to, 'each.value'), case name when 'polroles' then '1' else 'each.place' end
    )
    else format('row.%I', name)
  end
$$;
comment on function audit.column_expression is 'SQL for the value of a column of a catalogue, with names instead of OIDs.';
grant execute on function audit.column_expression to auditor;

create function audit.identity_expression(catalogue regclass, key name[], key_expressions text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when key = '{oid}' then format(
      '(found.object).type, (found.object).identity from (select pg_catalog.pg_identify_object(%s, row.oid, 0) as object offset 0) found', catalogue::oid
    )
    -- Comments, labels and initial privileges belong to an object of any catalogue.
    when 'objoid' = any (key) then format(
      'concat_ws('' '', %L, (pg_catalog.pg_identify_object(row.classoid, row.objoid, %s)).type), audit.identity(row.classoid, row.objoid, %2$s)',
      replace(substr(catalogue::text, 4), '_', ' ') || ' of', case when catalogue::text ~ '^pg_sh' then '0' else 'row.objsubid' end
    )
    else format('%L, concat_ws('' '', %s)', replace(substr(catalogue::text, 4), '_', ' '), key_expressions)
  end
$$;
comment on function audit.identity_expression is 'SQL for kind and name of the object that a row of a catalogue describes, from its primary key.';
grant execute on function audit.identity_expression to auditor;

create function audit.is_move_login(role oid) returns boolean
language sql stable
security definer set search_path = ''
as $$
  select exists (
    select from app.organisation_moves move
    join pg_catalog.pg_roles login on login.rolname = 'botstead_move_' || replace(move.organisation_id::text, '-', '')
    where move.state <> 'moved' and login.oid = is_move_login.role
  )
$$;
comment on function audit.is_move_login is 'Instead of row-level security: only auditor may execute it. Returns ids of moves only. Whether the role is the login of a move that is under way.';
grant execute on function audit.is_move_login to auditor;

-- Rows have few different access lists, so each list is printed once. The login of a move reads tables (docs/moves.md): its
-- privileges are examined as unintended_privilege and schema_open.
create function audit.acl_join(source text, acl text) returns text
language sql immutable strict
set search_path = ''
as $$
  select format(
    $join$
      left join (
        select lists.acl, array(
          select concat(item.privilege_type, case when item.is_grantable then ' with grant option' end, ' to ',
            case item.grantee when 0 then 'PUBLIC' when 10 then 'bootstrap superuser' else quote_ident(pg_catalog.pg_get_userbyid(item.grantee)) end)
          from pg_catalog.aclexplode(lists.acl) item
          where not (item.privilege_type in ('SELECT', 'USAGE') and not item.is_grantable and audit.is_move_login(item.grantee))
          order by 1
        ) as privileges
        from (select distinct %2$s as acl from %1$s row) lists
      ) acl on acl.acl = %2$s
    $join$,
    source, acl
  )
$$;
comment on function audit.acl_join is 'SQL for a join of a catalogue with its access lists as names.';
grant execute on function audit.acl_join to auditor;

create view audit.inventory_columns as
select attribute.attrelid::regclass as catalogue, attribute.attname as name, attribute.attnum as number,
  array_position(index.indkey::int2[], attribute.attnum) as key_place,
  attribute.atttypid = 'aclitem[]'::regtype as is_acl,
  audit.column_expression(attribute.attname, reference.pktable, reference.is_array) as expression
from pg_catalog.pg_class class
join pg_catalog.pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
left join pg_catalog.pg_index index on index.indrelid = class.oid and index.indisprimary
left join pg_catalog.pg_get_catalog_foreign_keys() reference
  on reference.fktable = class.oid and reference.fkcols = array[attribute.attname::text] and reference.pkcols = '{oid}'
where class.relnamespace = 'pg_catalog'::regnamespace and class.relkind = 'r'
  and class.relname not in (select uncovered.name from audit.uncovered_catalogues uncovered);
comment on view audit.inventory_columns is 'The columns of each table of pg_catalog that the inventory covers, and SQL for their values.';
grant select on audit.inventory_columns to auditor;

create view audit.inventory_parts as
select columns.catalogue, known.part_of, known.definition, known.identity, known.condition, known.acl,
  -- Only superusers read pg_user_mapping.
  case columns.catalogue::text
    when 'pg_user_mapping' then '(select umid as oid, umuser, srvid as umserver from pg_catalog.pg_user_mappings)'
    else 'pg_catalog.' || columns.catalogue
  end as source,
  array_agg(columns.name order by columns.key_place) filter (where columns.key_place is not null) as key,
  string_agg(columns.expression, ', ' order by columns.key_place) filter (where columns.key_place is not null) as key_expressions,
  bool_or(columns.name = 'oid') as has_oid,
  min(columns.name) filter (
    where columns.name ~ '^(attrelid|adrelid|conrelid|indexrelid|polrelid|tgrelid|ev_class|inhrelid|ftrelid|partrelid|seqrelid|stxrelid|srrelid)$'
  ) as parent,
  min(columns.name) filter (where columns.is_acl) as acl_column,
  min(columns.name) filter (where columns.name like '%owner') as owner_column,
  string_agg(
    format('%L value %s', columns.name, case
      when not columns.is_acl then columns.expression
      when known.acl is null then 'nullif(acl.privileges, ''{}'')'
      else 'coalesce(acl.privileges, ''{}'')'
    end),
    ', ' order by columns.number
  ) filter (
    where columns.name not in ('oid', 'objoid', 'classoid', 'objsubid', 'umoptions') and columns.name <> all (coalesce(known.ignored, '{}'))
  ) as attributes
from audit.inventory_columns columns
left join audit.catalogue_columns known on known.name = columns.catalogue::text
group by columns.catalogue, known.part_of, known.definition, known.identity, known.condition, known.acl;
comment on view audit.inventory_parts is 'The parts of the query for each table of pg_catalog.';
grant select on audit.inventory_parts to auditor;

create view audit.inventory_queries as
select listed.catalogue, format(
  $query$
    select %L::name, identity.kind, identity.name, %s, %s, json_object(%s absent on null returning jsonb)
    from %s row
    cross join lateral (select %s) identity (kind, name)
    %s
    where %s
  $query$,
  listed.catalogue::text,
  coalesce(listed.part_of, case
    when 'objoid' = any (listed.key) then 'identity.name'
    else coalesce('nullif(row.' || listed.parent || ', 0)::regclass::text', 'null::text')
  end),
  case when listed.has_oid then 'row.oid' else 'null::oid' end,
  concat_ws(', ', listed.attributes, '''definition'' value ' || listed.definition),
  listed.source,
  coalesce(listed.identity, audit.identity_expression(listed.catalogue, listed.key, listed.key_expressions)),
  audit.acl_join(listed.source, case
    when listed.acl is null then 'row.' || listed.acl_column
    else format('coalesce(row.%I, pg_catalog.acldefault(%s, row.%I))', listed.acl_column, listed.acl, listed.owner_column)
  end),
  coalesce(listed.condition, 'true')
) as query
from audit.inventory_parts listed;
comment on view audit.inventory_queries is 'A query for each table of pg_catalog, with its rows as audit.inventory lists them.';
grant select on audit.inventory_queries to auditor;

create function audit.inventory()
returns table (catalogue name, kind text, name text, part_of text, object_id oid, attributes jsonb)
language plpgsql stable
set search_path = ''
set work_mem = '32MB' -- so that the rows need no file
as $$
declare
  listed record;
begin
  for listed in
    select queries.catalogue::text as name, queries.query from audit.inventory_queries queries order by queries.catalogue::text
  loop
    begin
      return query execute listed.query;
    exception when others then -- such as a table of a later PostgreSQL, or a broken row: a finding, and not the end of the audit
      return query select listed.name::name, 'unreadable table', listed.name, null::text, null::oid, jsonb_build_object('error', sqlerrm);
    end;
  end loop;
end
$$;
comment on function audit.inventory is 'Every object of this database, and what the cluster shares, with names instead of OIDs. part_of: the table, function or extension that it belongs to.';
grant execute on function audit.inventory to auditor;
