/*
 * Readiness: the digest of sql/ that the definitions were built from, and whether a worker ran maintenance within the
 * last minute. Executors are not part of it: they may be programs of others. (docs/specification/service.md#health)
 */
create function service.readiness() returns json
language sql stable
security definer set search_path = ''
as $$
  select json_build_object(
    'definitions', (select build.digest from app.definition_builds build order by build.id desc limit 1),
    'worker', (select maintenance.last_run_at > now() - interval '1 minute' from app.maintenance)
  )
$$;
comment on function service.readiness is 'Instead of row-level security: reads app.definition_builds and app.maintenance only, which have no organisation.';
grant execute on function service.readiness to tenant;
