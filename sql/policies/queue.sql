/*
 * RLS and grants of graphile_worker, the schema of the job queue. It belongs to owner, so that definer functions and
 * operator views reach nothing that a login can replace. (docs/decisions/0032-security-audit.md) Readable and
 * writable: all jobs, by worker. Jobs carry ids and no data of an organisation.
 */
revoke all on schema graphile_worker from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
revoke all on all tables in schema graphile_worker
  from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;
revoke all on all functions in schema graphile_worker
  from public, server, tenant, authenticator, searcher, worker, executor, runner, operator, cli, auditor;

create policy work_on_all on graphile_worker._private_jobs for all to worker using (true) with check (true);
create policy work_on_all on graphile_worker._private_job_queues for all to worker using (true) with check (true);
create policy work_on_all on graphile_worker._private_tasks for all to worker using (true) with check (true);
create policy work_on_all on graphile_worker._private_known_crontabs for select to worker using (true);
comment on policy work_on_all on graphile_worker._private_jobs is 'All jobs. A job carries ids and no data of an organisation.';
comment on policy work_on_all on graphile_worker._private_job_queues is 'All named queues.';
comment on policy work_on_all on graphile_worker._private_tasks is 'All names of tasks.';
comment on policy work_on_all on graphile_worker._private_known_crontabs is 'All schedules; there are none.';

grant usage on schema graphile_worker to worker;
grant select, update, delete on graphile_worker._private_jobs to worker;
grant select, update on graphile_worker._private_job_queues to worker;
grant select, insert on graphile_worker._private_tasks to worker;
grant select on graphile_worker._private_known_crontabs, graphile_worker.migrations to worker;
-- Not granted: insert of jobs, and execute of any function. Triggers and jobs.* queue jobs as owner; graphile-worker
-- fetches and completes jobs by its own statements.
