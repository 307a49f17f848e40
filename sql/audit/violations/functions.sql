/* Functions and views that run with the rights of their owner. */
create view audit.violations_of_functions (rule, kind, name, detail, remedy) as
select 'definer_without_search_path', 'function', definer.function,
  case
    when definer.search_path is null then 'none'
    when definer.search_path ~ '^"?pg_temp' then definer.search_path || ', where every caller can create objects'
    else definer.search_path
  end, null::text
from audit.definer_functions definer
where not definer.pins_search_path
union all
select 'definer_without_comment', 'function', definer.function, null, null
from audit.definer_functions definer
where definer.names_check is not true
union all
select 'definer_bypasses_rls', 'function', definer.function, definer.runs_as,
  -- The role may be the right owner, and have got the attribute.
  case when definer.runs_as = coalesce(handed.owner, 'owner') then format('alter role %I nosuperuser nobypassrls;', definer.runs_as)
    else format('alter function %s owner to %s;', definer.function, coalesce(handed.owner, 'owner')) end
from audit.definer_functions definer
join pg_catalog.pg_roles role on role.rolname = definer.runs_as
left join audit.handed_over handed on handed.function = definer.function
where role.rolsuper or role.rolbypassrls
union all
select 'trigger_function_open', given.kind, given.object, quote_ident(pg_get_userbyid(given.grantee)), null
from audit.privileges given
join pg_catalog.pg_proc function
  on function.prorettype in ('trigger'::regtype, 'event_trigger'::regtype)
  and given.object = audit.identity('pg_proc', function.oid)
where given.kind = 'function' and given.schema = 'triggers' and given.grantee not in (0, given.owner)
union all
select 'function_without_operation', 'function', 'api.' || function.proname, null, null
from (
  select distinct function.proname
  from pg_catalog.pg_proc function
  where function.pronamespace = to_regnamespace('api')
    and not exists (select from audit.handed_over handed where handed.function like 'api.' || function.proname || '(%')
) function
where not exists (select from api.operations operation where operation.name = function.proname)
union all
select 'operation_without_function', 'function', 'api.' || operation.name, null, null
from api.operations operation
where not exists (
  select from pg_catalog.pg_proc function
  where function.pronamespace = to_regnamespace('api') and function.proname = operation.name
)
union all
select 'view_with_owner_rights', 'view', audit.identity('pg_class', class.oid), reader.name,
  case when given.schema = 'rows' then format('alter view %s set (security_invoker = true);', given.object)
    else format('revoke all on %s from %s;', given.object, reader.name) end
from pg_catalog.pg_class class
join audit.privileges given on given.object = audit.identity('pg_class', class.oid) and given.kind in ('view', 'materialized view')
cross join lateral (select case given.grantee when 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(given.grantee)) end) as reader (name)
where class.relkind in ('v', 'm') and given.grantee <> given.owner
  and coalesce(class.reloptions, '{}') && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'] is not true
  and (given.schema = 'rows' or (given.schema, pg_get_userbyid(given.grantee)) not in (('operator', 'operator'), ('audit', 'auditor')))
  -- The functions of the command line.
  and not (
    given.grantee = to_regrole('cli') and given.object in ('operator.platform_keys', 'operator.tokens', 'operator.model_prices', 'operator.signing_keys')
  )
  and not exists (
    select from pg_catalog.pg_depend depend
    where depend.classid = 'pg_class'::regclass and depend.objid = class.oid and depend.deptype = 'e'
  )
group by class.oid, given.grantee, given.schema, given.object, reader.name
union all
select 'view_with_owner_rights', 'view', audit.identity('pg_class', class.oid), 'every role that may read it',
  format('alter view %s set (security_invoker = true);', audit.identity('pg_class', class.oid))
from pg_catalog.pg_class class
where class.relnamespace = to_regnamespace('rows') and class.relkind in ('v', 'm')
  and coalesce(class.reloptions, '{}') && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'] is not true
  and not exists (
    select from audit.privileges given
    where given.object = audit.identity('pg_class', class.oid) and given.grantee <> given.owner
  );
comment on view audit.violations_of_functions is 'Violations by functions and views with their owner''s rights: see audit.findings.';
grant select on audit.violations_of_functions to auditor;
