/* Executors, workers, jobs and mail. */
create view operator.executors as
select id, name, models, started_at, last_seen_at, last_seen_at < now() - interval '1 minute' as silent
from app.executors;
comment on view operator.executors is $$
@primaryKey id
@behavior +query:resource:connection
An executor and the models it serves. It counts as gone after a minute of silence; its row is deleted after an hour.$$;
grant select on operator.executors to operator;

create view operator.workers as
select alive.pid, alive.connected_at, alive.running_jobs from service.live_worker_pools() alive;
comment on view operator.workers is $$
@primaryKey pid
@behavior +query:resource:connection -query:resource:single
A live worker process, and how many jobs it runs.$$;
grant select on operator.workers to operator;

-- Leaves out payload and last error of a job: the worker's log has type, code and place of errors.
create view operator.jobs as
select job.task_identifier as task,
  count(*) filter (where job.locked_at is null and job.attempts < job.max_attempts) as waiting,
  count(*) filter (where job.locked_at is not null) as running,
  count(*) filter (where job.last_error is not null and job.attempts < job.max_attempts) as retrying,
  count(*) filter (where job.attempts >= job.max_attempts and job.locked_at is null) as failed,
  min(job.run_at) filter (where job.locked_at is null and job.attempts < job.max_attempts) as due_since
from (
  select task_identifier, locked_at, attempts, max_attempts, last_error, run_at from graphile_worker.jobs limit 100000
) job
group by job.task_identifier;
comment on view operator.jobs is $$
@primaryKey task
@behavior +query:resource:connection -query:resource:single
Jobs by task; counts stop at 100,000 jobs.$$;
grant select on operator.jobs to operator;

-- Leaves out the data of a mail and the sealed token of its link.
create view operator.mails as
select mail.organisation_id, mail.id, mail.kind, mail.recipient, mail.created_at, mail.sent_at,
  case when mail.sent_at is null then 'waiting' else 'sent' end as state
from app.mails mail;
comment on view operator.mails is $$
@primaryKey id
@behavior +query:resource:connection
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName mails
@filters kind,state
@orders kind,recipient,state,sent_at
@contains recipient
A mail to a person; sent_at is null while it waits.$$;
grant select on operator.mails to operator;

create view operator.waiting_mails as
select mail.organisation_id, mail.id, mail.kind, mail.recipient, mail.created_at, job.attempts,
  case when job.attempts < job.max_attempts then job.run_at end as next_attempt_at
from app.mails mail
left join graphile_worker.jobs job on job.key = 'mail:' || mail.id::text
where mail.sent_at is null;
comment on view operator.waiting_mails is $$
@primaryKey id
@behavior +query:resource:connection -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName waitingMails|@backwardBehavior -*
@filters kind
@orders kind,recipient,attempts,next_attempt_at
@contains recipient
An unsent mail: attempts so far, and the time of the next one; null if none follows.$$;
grant select on operator.waiting_mails to operator;

create view operator.service as
select 1 as singleton, now() as read_at, build.digest as definitions, build.built_at as definitions_since, maintenance.last_run_at as last_maintenance_at,
  settings.delivery_slots, settings.delivery_max_attempts, settings.delivery_retention::text,
  current_setting('server_version') as database_version
from (select * from app.definition_builds order by id desc limit 1) build, app.maintenance maintenance, app.service_settings settings;
comment on view operator.service is $$
@primaryKey singleton
@behavior +query:resource:connection -query:resource:single
One row: state of the whole service. Every live worker runs maintenance every few seconds.$$;
grant select on operator.service to operator;
