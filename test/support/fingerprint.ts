/** Everything that a migration creates, as lines without ids. Equal for two databases with the same definitions. */
export const fingerprint = `
  select line from (
    select concat_ws(' ', object, attributes - 'attmissingval') as line from audit.objects -- rows older than a column decide about it
    where (object_id is null or object_id >= 16384 or catalogue = 'pg_namespace')
      and catalogue <> 'pg_replication_origin' -- of the cluster: other tests make them
    union all
    select concat_ws(' ', 'operation', op) from api.operations op
    union all
    select concat_ws(' ', 'migrated', filename) from graphile_migrate.migrations
    union all
    select concat_ws(' ', 'worker', id) from graphile_worker.migrations
    union all
    (select concat_ws(' ', 'built from', digest) from app.definition_builds order by id desc limit 1)
    union all
    select concat_ws(' ', 'recorded', catalogue, md5(objects::text)) from app.built_catalogues
    union all
    select concat_ws(' ', 'database', role.name, privilege)
    from (select name from audit.roles union all values ('public')) as role (name),
      (values ('connect'), ('create'), ('temporary')) as privileges (privilege)
    where has_database_privilege(role.name, current_database(), privilege)
  ) lines
  order by line collate "C"`;
