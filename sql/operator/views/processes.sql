/*
 * What carries things out: executors, workers, jobs, mail.
 */
create view operator.executors as
select id, name, models, started_at, last_seen_at, last_seen_at < now() - interval '1 minute' as silent
from app.executors;
comment on view operator.executors is $$
@primaryKey id
@behavior +query:resource:connection
Who takes runs, and of which models. Silent for a minute it counts as gone; after an hour it is forgotten.$$;

create function jobs.live_pools() returns table (pid integer, connected_at timestamptz, jobs_in_hand bigint)
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: it tells nothing of any organisation.
  select held.pid, holder.backend_start, (
    select count(*) from graphile_worker.jobs job where hashtext(job.locked_by) = held.objid::bigint::bit(32)::integer
  )
  from pg_catalog.pg_locks held, lateral pg_catalog.pg_stat_get_activity(held.pid) holder
  where held.locktype = 'advisory' and held.classid = 20251120 and held.objsubid = 2 and held.granted
    and held.database = (select oid from pg_catalog.pg_database where datname = current_database())
$$;
comment on function jobs.live_pools is 'Instead of row-level security: tells nothing of any organisation. A pool of workers holds an advisory lock for as long as it lives (jobs.hold_pool).';

create view operator.workers as
select * from jobs.live_pools();
comment on view operator.workers is $$
@primaryKey pid
@behavior +query:resource:connection -query:resource:single
A worker process that lives, and how many jobs it has in hand.$$;

-- Not what a job is of, nor its last error: of that the worker's log has kind, code and place, and nothing has the text.
create view operator.jobs as
select job.task_identifier as task,
  count(*) filter (where job.locked_at is null and job.attempts < job.max_attempts) as waiting,
  count(*) filter (where job.locked_at is not null) as taken,
  count(*) filter (where job.last_error is not null and job.attempts < job.max_attempts) as failing,
  count(*) filter (where job.attempts >= job.max_attempts and job.locked_at is null) as given_up,
  min(job.run_at) filter (where job.locked_at is null and job.attempts < job.max_attempts) as due_since
from (
  select task_identifier, locked_at, attempts, max_attempts, last_error, run_at from graphile_worker.jobs limit 100000
) job
group by job.task_identifier;
comment on view operator.jobs is $$
@primaryKey task
@behavior +query:resource:connection -query:resource:single
Jobs by what they do; 100,000 are looked at, at most.$$;

-- Neither what a mail says nor the sealed token of its link.
create view operator.mails as
select mail.organisation_id, mail.id, mail.kind, mail.recipient, mail.created_at, mail.sent_at
from app.mails mail;
comment on view operator.mails is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName mails
A mail to a person; sent_at is null while it waits.$$;

create view operator.waiting_mails as
select mail.organisation_id, mail.id, mail.kind, mail.recipient, mail.created_at, job.attempts, job.run_at as next_attempt_at
from app.mails mail
left join graphile_worker.jobs job on job.key = 'mail:' || mail.id::text
where mail.sent_at is null;
comment on view operator.waiting_mails is $$
@primaryKey id
@behavior +query:resource:connection -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName waitingMails|@backwardBehavior -*
A mail that has not been sent: how often that was tried, and when it will be again.$$;

create view operator.service as
select 1 as singleton, now() as told_at, built.digest as definitions, built.applied_at as definitions_since, sweep.swept_at,
  settings.delivery_slots, settings.delivery_max_attempts, settings.delivery_retention::text,
  current_setting('server_version') as database_version
from app.definitions built, app.sweep sweep, app.service_settings settings;
comment on view operator.service is $$
@primaryKey singleton
@behavior +query:resource:connection -query:resource:single
One row: what holds for the whole service. Any worker that lives sweeps every few seconds.$$;
