/**
 * Everything that a migration makes, line by line and without the ids under which it was made: two databases that were
 * brought to the same state by different ways answer the same.
 */
import { ours } from "./catalogue.ts";

export const fingerprint = `
  with schemas as (select oid, nspname, nspacl, nspowner from pg_namespace where nspname in ${ours} or nspname = 'public'),
  classes as (select class.* from pg_class class join schemas on schemas.oid = relnamespace)
  select line from (
    select concat_ws(' ', 'schema', nspname, nspowner::regrole, sorted(nspacl)) as line from schemas
    union all
    select concat_ws(' ', 'relation', oid::regclass, relkind, relowner::regrole, relrowsecurity, relforcerowsecurity,
      reloptions, sorted(relacl), obj_description(oid, 'pg_class'))
    from classes
    union all
    select concat_ws(' ', 'column', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
      sorted(attacl), pg_get_expr(adbin, adrelid))
    from pg_attribute join classes on classes.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join classes on classes.oid = conrelid
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid)) from pg_index join classes on classes.oid = indrelid
    union all
    select concat_ws(' ', 'view', oid::regclass, pg_get_viewdef(oid)) from classes where relkind = 'v'
    union all
    select concat_ws(' ', 'policy', polrelid::regclass, polname, polcmd, polpermissive,
      (select array_agg(role::regrole::text order by 1) from unnest(polroles) role),
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy join classes on classes.oid = polrelid
    union all
    select concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(pg_trigger.oid))
    from pg_trigger join classes on classes.oid = tgrelid
    where not tgisinternal
    union all
    select concat_ws(' ', 'function', proowner::regrole, sorted(proacl), pg_get_functiondef(pg_proc.oid),
      obj_description(pg_proc.oid, 'pg_proc'))
    from pg_proc join schemas on schemas.oid = pronamespace
    union all
    select concat_ws(' ', 'enum', enumtypid::regtype, string_agg(enumlabel, ',' order by enumsortorder))
    from pg_enum group by enumtypid
    union all
    select concat_ws(' ', 'default privileges', defaclrole::regrole, defaclnamespace, defaclobjtype, sorted(defaclacl))
    from pg_default_acl
    union all
    select concat_ws(' ', 'operation', op) from api.operations op
    union all
    select concat_ws(' ', 'migrated', filename) from graphile_migrate.migrations
    union all
    select concat_ws(' ', 'worker', id) from graphile_worker.migrations
    union all
    select concat_ws(' ', 'built from', digest) from app.definitions
    union all
    select concat_ws(' ', 'database', role.name, privilege)
    from (values ('public'), ('owner'), ('server'), ('worker'), ('runner'), ('operator'), ('auditor'), ('tenant'), ('authenticator'), ('searcher')) as role (name),
      (values ('connect'), ('create'), ('temporary')) as privileges (privilege)
    where has_database_privilege(role.name, current_database(), privilege)
  ) lines
  order by line collate "C"`.replaceAll(
  /sorted\((\w+)\)/g,
  (_, acl: string) => `(select array_agg(item::text order by item::text) from unnest(${acl}) item)`,
);
