/*
 * Executors. A caller reads that executors are alive and which models they serve, which decides whether a run can
 * start. (docs/specification/runs.md#starting)
 */
create policy select_alive on app.executors
  for select to tenant
  using (true);
comment on policy select_alive on app.executors is
  'Liveness and models of executors. Executors belong to no organisation.';

grant select (models, last_seen_at) on app.executors to tenant;
