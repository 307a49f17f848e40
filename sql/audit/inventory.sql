/*
 * Everything that exists, as rows that are the same in two databases with the same definitions: names instead of OIDs,
 * and neither passwords nor anything that changes with data. PostgreSQL says itself which columns are references
 * (pg_get_catalog_foreign_keys), so the queries follow from the catalogue. (docs/decisions/0053-inventory.md)
 */
create function audit.reference_name(catalogue regclass, value text) returns text
language sql stable
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
    else format('(pg_catalog.pg_identify_object(%s, %s, 0)).identity', catalogue::oid, value)
  end
$$;
comment on function audit.reference_name is 'SQL for the name of the row of a catalogue that this OID refers to; null for the role that initdb creates.';
grant execute on function audit.reference_name to auditor;

create function audit.column_expression(catalogue regclass, name name, type regtype, acl text) returns text
language sql stable
set search_path = ''
as $$
  select case
    when type = 'aclitem[]'::regtype then format(
      'nullif(array(select concat(item.privilege_type, case when item.is_grantable then '' with grant option'' end, '' to '', case item.grantee when 0 then ''PUBLIC'' when 10 then ''bootstrap superuser'' else pg_catalog.pg_get_userbyid(item.grantee) end) from pg_catalog.aclexplode(%s) item order by 1), %L)',
      case when acl is null then 'row.' || name
        else format('coalesce(row.%I, pg_catalog.acldefault(%s, row.%I))', name, acl, (
          select attribute.attname from pg_catalog.pg_attribute attribute
          where attribute.attrelid = catalogue and attribute.attname like '%owner'
        ))
      end,
      case when acl is null then '{}' end
    )
    when reference.is_array then format(
      'nullif(array(select %s from unnest(row.%I) with ordinality as each (value, place) order by %s), ''{}'')',
      audit.reference_name(reference.pktable, 'each.value'), name, case name when 'polroles' then '1' else 'each.place' end
    )
    when reference.is_array is not null then audit.reference_name(reference.pktable, format('row.%I', name))
    else format('row.%I', name)
  end
  from (values (1)) one (row)
  left join pg_catalog.pg_get_catalog_foreign_keys() reference
    on reference.fktable = catalogue and reference.fkcols = array[name::text] and reference.pkcols = '{oid}'
$$;
comment on function audit.column_expression is 'SQL for the value of a column of a catalogue, with names instead of OIDs.';
grant execute on function audit.column_expression to auditor;

create function audit.identity_expression(catalogue regclass) returns text
language sql stable
set search_path = ''
as $$
  select case
    when array_agg(attribute.attname::text) = '{oid}' then
      format('(pg_catalog.pg_identify_object(%s, row.oid, 0)).type, (pg_catalog.pg_identify_object(%1$s, row.oid, 0)).identity', catalogue::oid)
    -- Comments, labels and initial privileges belong to an object of any catalogue.
    when 'objoid' = any (array_agg(attribute.attname)) then format(
      'concat_ws('' '', %L, (pg_catalog.pg_identify_object(row.classoid, row.objoid, %s)).type), audit.identity(row.classoid, row.objoid, %2$s)',
      replace(substr(catalogue::text, 4), '_', ' ') || ' of', case when catalogue::text ~ '^pg_sh' then '0' else 'row.objsubid' end
    )
    else format(
      '%L, concat_ws('' '', %s)', replace(substr(catalogue::text, 4), '_', ' '),
      string_agg(audit.column_expression(catalogue, attribute.attname, attribute.atttypid, null), ', ' order by key.place)
    )
  end
  from pg_catalog.pg_index index
  cross join lateral unnest(index.indkey::int2[]) with ordinality as key (number, place)
  join pg_catalog.pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attnum = key.number
  where index.indrelid = catalogue and index.indisprimary
$$;
comment on function audit.identity_expression is 'SQL for kind and name of the object that a row of a catalogue describes, from its primary key.';
grant execute on function audit.identity_expression to auditor;

create function audit.inventory_query(catalogue regclass) returns text
language sql stable
set search_path = ''
as $$
  select format(
    $query$
      select %L::name, identity.kind, identity.name, %s, %s, jsonb_strip_nulls(to_jsonb(attributes))
      from %s row
      cross join lateral (select %s) identity (kind, name)
      cross join lateral (select %s) attributes
      where %s
    $query$,
    catalogue::text,
    coalesce(known.part_of, case
      when bool_or(attribute.attname = 'objoid') then 'identity.name'
      else coalesce('nullif(row.' || min(attribute.attname) filter (
        where attribute.attname ~ '^(attrelid|adrelid|conrelid|indexrelid|polrelid|tgrelid|ev_class|inhrelid|ftrelid|partrelid|seqrelid|stxrelid|srrelid)$'
      ) || ', 0)::regclass::text', 'null::text')
    end),
    case when bool_or(attribute.attname = 'oid') then 'row.oid' else 'null::oid' end,
    -- Only superusers read pg_user_mapping.
    case catalogue::text when 'pg_user_mapping' then '(select umid as oid, umuser, srvid as umserver from pg_catalog.pg_user_mappings)'
      else 'pg_catalog.' || catalogue end,
    coalesce(known.identity, audit.identity_expression(catalogue)),
    concat_ws(', ', string_agg(
      format('%s as %I', audit.column_expression(catalogue, attribute.attname, attribute.atttypid, known.acl), attribute.attname),
      ', ' order by attribute.attnum
    ) filter (
      where attribute.attname not in ('oid', 'objoid', 'classoid', 'objsubid', 'umoptions') and attribute.attname <> all (coalesce(known.ignored, '{}'))
    ), known.definition || ' as definition'),
    coalesce(known.condition, 'true')
  )
  from pg_catalog.pg_attribute attribute
  left join audit.catalogue_columns known on known.name = catalogue::text
  where attribute.attrelid = catalogue and attribute.attnum > 0 and not attribute.attisdropped
  group by known.part_of, known.identity, known.definition, known.condition
$$;
comment on function audit.inventory_query is 'A query for the rows of a catalogue as audit.inventory lists them.';
grant execute on function audit.inventory_query to auditor;

create function audit.inventory()
returns table (catalogue name, kind text, name text, part_of text, object_id oid, attributes jsonb)
language plpgsql stable
set search_path = ''
as $$
declare
  listed regclass;
begin
  for listed in
    select class.oid
    from pg_catalog.pg_class class
    where class.relnamespace = 'pg_catalog'::regnamespace and class.relkind = 'r'
      and class.relname not in (select uncovered.name from audit.uncovered_catalogues uncovered)
    order by class.relname
  loop
    begin
      return query execute audit.inventory_query(listed);
    exception when others then -- such as a table of a later PostgreSQL, or a broken row: a finding, and not the end of the audit
      return query select listed::text::name, 'unreadable table', listed::text, null::text, null::oid, jsonb_build_object('error', sqlerrm);
    end;
  end loop;
end
$$;
comment on function audit.inventory is 'Every object of this database, and what the cluster shares, with names instead of OIDs. part_of: the table, function or extension that it belongs to.';
grant execute on function audit.inventory to auditor;
