/*
 * Executors. Of who works on runs a caller may know that they live and which models they serve, nothing else: it is
 * what decides whether a run can be taken at all. (decisions: 503 without an executor.)
 */
create policy select_alive on app.executors
  for select to tenant
  using (true);
comment on policy select_alive on app.executors is
  'That executors live, and which models they serve; executors belong to no organisation.';

grant select (models, last_seen_at) on app.executors to tenant;
