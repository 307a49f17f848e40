/* The trace context that a run was started in. (src/tracing) */
create function jobs.traceparent(organisation uuid, run uuid) returns text
language sql stable
security definer set search_path = ''
as $$
  select runs.traceparent from app.runs where runs.organisation_id = organisation and runs.id = run
$$;
comment on function jobs.traceparent is 'Instead of row-level security: only worker may execute it. One run, by its organisation and id; only its trace context.';
grant execute on function jobs.traceparent to worker;
