/*
 * The readers of one row, and the policy that allows each. Keys and portal sessions are tried: each queries the row as tenant with its own
 * settings. For
 * database roles, the policies and views that apply are listed.
 */
create view audit.table_readers as
with recursive on_tables (table_oid, view_oid) as (
  select dependency.refobjid, rewrite.ev_class
  from pg_catalog.pg_depend dependency
  join pg_catalog.pg_rewrite rewrite on rewrite.oid = dependency.objid and rewrite.ev_class <> dependency.refobjid
  where dependency.classid = 'pg_rewrite'::regclass and dependency.refclassid = 'pg_class'::regclass
  union
  select on_tables.table_oid, rewrite.ev_class
  from on_tables
  join pg_catalog.pg_depend dependency
    on dependency.refobjid = on_tables.view_oid and dependency.classid = 'pg_rewrite'::regclass
    and dependency.refclassid = 'pg_class'::regclass
  join pg_catalog.pg_rewrite rewrite on rewrite.oid = dependency.objid and rewrite.ev_class <> dependency.refobjid
)
select privilege.object as table_name, 'role' as reader, grantee.rolname::text as name,
  case when bool_and(privilege.column_name is not null) then array_agg(distinct privilege.column_name) end as columns,
  array(
    select policy.policy::text from audit.policies policy
    where policy.table_name = privilege.object and policy.role in (grantee.rolname, 'PUBLIC')
      and policy.command in ('select', 'all')
    order by 1
  ) as policies
from audit.privileges privilege
join pg_catalog.pg_roles grantee on grantee.oid = privilege.grantee
where privilege.schema = 'app' and privilege.privilege = 'SELECT' and grantee.rolname <> 'tenant'
group by privilege.object, grantee.rolname
union all
select tables.name, 'view', format('%s through %s', grantee.rolname, given.object), null, '{}'
from on_tables
join audit.tables on tables.oid = on_tables.table_oid
join pg_catalog.pg_class class on class.oid = on_tables.view_oid
  and not coalesce(class.reloptions @> '{security_invoker=true}', false)
join audit.privileges given on given.object = audit.identity('pg_class', class.oid) and given.privilege = 'SELECT'
join pg_catalog.pg_roles grantee on grantee.oid = given.grantee and given.grantee <> given.owner
union all
select tables.name, 'superuser', role.rolname, null, '{}'
from audit.tables
join pg_catalog.pg_roles role on role.rolsuper or role.rolbypassrls
where tables.schema = 'app';
comment on view audit.table_readers is 'Readers of a table without a key: roles with a privilege and the policies for them, views with their owner''s rights, and roles that bypass row-level security. columns null: all.';
grant select on audit.table_readers to auditor;

create function audit.id_column(table_name text) returns name
language sql stable
as $$
  select attribute.attname
  from pg_catalog.pg_attribute attribute
  left join pg_catalog.pg_index key on key.indrelid = attribute.attrelid and key.indisprimary
  where attribute.attrelid = table_name::regclass and attribute.atttypid = 'uuid'::regtype
    and (attribute.attname = 'id' or attribute.attnum = any (key.indkey))
  order by attribute.attname <> 'id', attribute.attname = 'organisation_id', array_position(key.indkey, attribute.attnum)
  limit 1
$$;
comment on function audit.id_column is 'The column that names a row within its organisation: id, or the first other id of the primary key, such as run_id of steps.';
grant execute on function audit.id_column to auditor;

create function audit.row_condition(table_name text, organisation uuid, id uuid) returns text
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  id_column constant name := audit.id_column(table_name);
  condition text;
  is_there boolean;
begin
  if id_column is null then
    perform audit.refuse(format('The rows of %s have no id.', table_name), 'audit.exposure counts the rows that each key reads.');
  end if;
  condition := format(
    case when table_name = 'app.organisations' then 'id = %1$L and id = %2$L'
      when exists (select from audit.tables where tables.name = table_name and tables.organisation is null) then '%3$I = %2$L'
      else 'organisation_id = %1$L and %3$I = %2$L' end,
    organisation, id, id_column
  );
  execute format('select exists (select from %s where %s)', table_name, condition) into is_there;
  if not is_there then
    perform audit.refuse(
      format('%s has no row with this organisation and %s.', table_name, id_column), 'audit.who_reads(table, organisation, id)'
    );
  end if;
  return condition;
end
$$;
comment on function audit.row_condition is 'Instead of row-level security: only owner may execute it. The auditor learns whether a row exists. The condition that finds this row; refuses one that does not exist.';

create function audit.who_reads(on_table text, organisation uuid, id uuid, try_all_keys boolean default false)
returns table (
  reader text, name text, organisation_id uuid, person_id uuid, member_role text, scope text, columns text[], policies text[]
)
language sql stable
security definer
set search_path = ''
as $$
  with wanted as materialized (
    select found.name as table_name, audit.row_condition(found.name, organisation, who_reads.id) as condition
    from (select audit.table_named(on_table) as name) found
  ), rules as materialized (
    select array_agg(policy.policy::text order by policy.policy) as names,
      array_agg(format('select exists (select from %s where %s and (%s))', wanted.table_name, wanted.condition, policy.rows_it_shows)
        order by policy.policy) as queries
    from wanted
    join audit.policies policy on policy.table_name = wanted.table_name
    where policy.role = 'tenant' and policy.permissive and policy.command in ('select', 'all')
  )
  select key.kind, case when key.kind = 'key' then key.name else key.id::text end, key.organisation_id, key.person_id, key.role::text, key.scope::text, reach.columns,
    array(select policy from unnest(rules.names, result.answers[2:]) answered (policy, answer) where answer in ('t', 'true'))
  from wanted
  cross join rules
  join audit.reach on reach.table_name = wanted.table_name and reach.command = 'select'
  join audit.held_credentials key on key.state = 'live' and (try_all_keys or key.organisation_id = organisation)
  cross join lateral audit.as_person(
    key.organisation_id, key.person_id, key.credential, key.scope::text, key.role::text,
    format('select exists (select from %s where %s)', wanted.table_name, wanted.condition) || rules.queries
  ) as result (answers)
  where result.answers[1] in ('t', 'true')
  union all
  select other.reader, other.name, null, null, null, null, other.columns, other.policies
  from wanted
  join audit.table_readers other on other.table_name = wanted.table_name
$$;
comment on function audit.who_reads is 'Instead of row-level security: only auditor may execute it. The auditor learns which keys and sessions find the row, and no content of it; they query it only as tenant. The readers of this row, with the policies that allow each. An id can also belong to rows without an id of their own. Readers are live keys and portal sessions of its organisation (with try_all_keys, of every organisation), roles, views and superusers.';
grant execute on function audit.who_reads to auditor;
