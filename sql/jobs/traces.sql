/*
 * In which trace a run was started. (src/tracing)
 */
create function jobs.traceparent(organisation uuid, run uuid) returns text
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: the worker names one run, and is told where its trace began.
  select held.traceparent from app.runs held where held.organisation_id = organisation and held.id = run
$$;
comment on function jobs.traceparent is 'Instead of row-level security: one run, by its organisation and id; of it the trace it was started in.';
