/*
 * Readiness: which text of sql/ the definitions were built from, and whether a worker has given a sign of life within a
 * minute. (decisions: `/readyz`.)
 */
create function jobs.readiness() returns json
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: it tells nothing of any organisation.
  select json_build_object(
    'definitions', (select built.digest from app.definitions built),
    'worker', exists (select from app.executors executor where executor.last_seen_at > now() - interval '1 minute')
  )
$$;
comment on function jobs.readiness is 'Instead of row-level security: tells nothing of any organisation.';
