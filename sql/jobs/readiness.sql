/*
 * Readiness: which text of sql/ the definitions were built from, and whether a worker has been at work within a minute:
 * any that lives sweeps every few seconds. An executor need not be a worker's. (decisions: `/readyz`.)
 */
create function jobs.readiness() returns json
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: it tells nothing of any organisation.
  select json_build_object(
    'definitions', (select built.digest from app.definitions built),
    'worker', (select sweep.swept_at > now() - interval '1 minute' from app.sweep)
  )
$$;
comment on function jobs.readiness is 'Instead of row-level security: tells nothing of any organisation.';
