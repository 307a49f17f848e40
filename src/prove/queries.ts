/** Queries of the catalogue (catalogue.ts). They need no privilege on any table, except the catalogue itself. */

const ours = "schema.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and schema.nspname !~ '^pg_temp'";
const commands =
  "(values ('r', 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete'), ('*', 'all')) as command (code, name)";

/** `pg_has_role(…, 'usage')` is how PostgreSQL finds the policies of a role: members that inherit have them too. */
export const tablesQuery = `
  select class.oid::regclass::text as name,
    case class.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind,
    pg_get_userbyid(class.relowner)::text as owner, class.relrowsecurity as secured, class.relforcerowsecurity as forced,
    case when class.relkind in ('v', 'm') then pg_get_viewdef(class.oid) end as definition,
    coalesce(exists (select from unnest(class.reloptions) option where option ~* '^security_invoker=(true|on|1|yes)$'), false) as "asInvoker",
    (
      select coalesce(json_agg(json_build_object(
        'name', attname,
        'type', format_type(atttypid, null) -- a collation without determinism makes a type that the prover does not know
          || coalesce((select ' collate ' || collname from pg_collation where pg_collation.oid = attcollation and not collisdeterministic), ''),
        'needed', attnotnull and not atthasdef and attidentity = '', 'required', attnotnull and not exists (
          select from pg_constraint
          where conrelid = attrelid and contype = 'n' and conkey = array[attnum] and not convalidated
        ),
        'generated', attgenerated <> '' or attidentity = 'a'
      ) order by attnum), '[]')
      from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped
    ) as columns,
    (
      select coalesce(json_agg(pg_get_expr(conbin, conrelid) order by conname), '[]') from pg_constraint
      where conrelid = class.oid and contype = 'c' and convalidated and conenforced
    ) as checks,
    (
      select coalesce(json_agg(json_build_object(
        'name', polname, 'command', command.name, 'permissive', polpermissive,
        'roles', (
          select coalesce(json_agg(rolname order by rolname), '[]') from pg_roles
          where exists (select from unnest(polroles) as named (role) where named.role = 0 or pg_has_role(pg_roles.oid, named.role, 'usage'))
        ),
        'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid)
      ) order by polname), '[]')
      from pg_policy join ${commands} on command.code = polcmd::text
      where polrelid = class.oid
    ) as policies
  from pg_class class join pg_namespace schema on schema.oid = class.relnamespace
  where class.relkind in ('r', 'p', 'v', 'm') and ${ours}
  order by 1`;

/** What each role may do, by itself, by inheritance, as owner or as PUBLIC. */
export const privilegesQuery = `
  select role.rolname::text as role, class.oid::regclass::text as table, privilege.name as privilege,
    case when not has_table_privilege(role.oid, class.oid, privilege.name) then (
      select json_agg(attname order by attnum) from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and has_column_privilege(role.oid, class.oid, attnum, privilege.name)
    ) end as columns
  from pg_class class
  join pg_namespace schema on schema.oid = class.relnamespace
  cross join pg_roles role
  cross join (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'), ('TRIGGER')) as privilege (name)
  where class.relkind in ('r', 'p', 'v', 'm') and ${ours} and not role.rolsuper and not role.rolbypassrls
    and (
      has_table_privilege(role.oid, class.oid, privilege.name)
      or privilege.name in ('SELECT', 'INSERT', 'UPDATE') and has_any_column_privilege(role.oid, class.oid, privilege.name)
    )
  order by 1, 2, 3`;

export const functionsQuery = `
  select schema.nspname || '.' || proname as name, function.oid::regprocedure::text as identity,
    pg_get_userbyid(proowner)::text as owner, lanname::text as language, prosecdef as definer, provolatile = 'v' as volatile,
    proisstrict as strict, proretset as "returnsSet", prorettype = 'trigger'::regtype as "isTrigger",
    format_type(prorettype, null) as returns,
    (
      select coalesce(json_agg(json_build_object('name', coalesce(proargnames[place], ''), 'type', format_type(type, null)) order by place), '[]')
      from unnest(coalesce(proallargtypes, proargtypes::oid[])) with ordinality as argument (type, place)
      where coalesce(proargmodes[place], 'i') in ('i', 'b', 'v')
    ) as arguments,
    exists (select from unnest(proconfig) setting where setting <> 'search_path=""') as "otherSettings",
    case
      when lanname in ('sql', 'plpgsql') and prosqlbody is null then prosrc
      when pg_get_function_sqlbody(function.oid) like 'RETURN %' then 'select' || substr(pg_get_function_sqlbody(function.oid), 7)
    end as body,
    case when lanname = 'plpgsql' then pg_get_functiondef(function.oid) end as definition,
    (
      select coalesce(json_agg(distinct rolname), '[]') from pg_roles
      where not rolsuper and has_function_privilege(pg_roles.oid, function.oid, 'execute')
    ) as "executedBy"
  from pg_proc function
  join pg_namespace schema on schema.oid = pronamespace
  join pg_language on pg_language.oid = prolang
  where prokind in ('f', 'p') and ${ours}
  order by 2`;

export const typesQuery = {
  builtin: `
    select proname::text as name, min(format_type(prorettype, null)) as returns, bool_or(provolatile = 'v') as volatile, bool_and(proisstrict) as strict
    from pg_proc where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' group by proname having count(distinct prorettype) = 1`,
  enumerations: `
    select format_type(enumtypid, null) as name, json_agg(enumlabel order by enumsortorder) as labels
    from pg_enum group by enumtypid`,
};

/** A partition can have triggers of its own, so its triggers count for the whole table too. */
export const triggersQuery = `
  select distinct place.relation::regclass::text as table, tgfoid::regprocedure::text as function, tgtype & 2 = 2 as before,
    array_remove(array[
      case when tgtype & 4 = 4 then 'insert' end, case when tgtype & 8 = 8 then 'delete' end, case when tgtype & 16 = 16 then 'update' end
    ], null) as commands
  from pg_trigger, lateral (values (tgrelid), (pg_partition_root(tgrelid))) as place (relation)
  where not tgisinternal and tgenabled <> 'D' and place.relation is not null
  order by 1, 2`;

export const rolesQuery = {
  unbound: "select rolname::text as name from pg_roles where rolsuper or rolbypassrls order by 1",
  owners: `
    select owner.rolname::text as owner, json_agg(role.rolname order by role.rolname) as roles
    from pg_roles owner join pg_roles role on pg_has_role(role.oid, owner.oid, 'usage')
    where owner.oid in (select relowner from pg_class) group by 1`,
};
