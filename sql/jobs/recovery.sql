/*
 * Recovery. A worker that was killed leaves its jobs locked for hours, since its library gives the lock back only after
 * four. But each pool of workers holds an advisory lock for as long as its session lives: where that lock can be had,
 * the pool is gone and its jobs are free. And a pending delivery without a job, however that came about, gets one.
 */
create function jobs.hold_pool(pool text) returns void
language sql
set search_path = ''
as $$ select pg_advisory_lock(20251120, hashtext(pool)) $$;
comment on function jobs.hold_pool is 'Says that a pool of workers lives, for as long as the session that calls it.';

create function jobs.sweep(out freed integer, out requeued integer)
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it moves jobs and reads of deliveries only whether one is due without a job.
declare
  dead text[];
begin
  -- A pool takes its advisory lock within moments of its first job, hence the five seconds.
  select coalesce(array_agg(pool), '{}') into dead
  from (
    select job.locked_by as pool
    from graphile_worker.jobs job
    where job.locked_by is not null
    group by job.locked_by
    having max(job.locked_at) < now() - interval '5 seconds'
  ) busy
  where pg_try_advisory_xact_lock(20251120, hashtext(pool));
  select count(*) into freed from graphile_worker.jobs job where job.locked_by = any (dead);
  perform graphile_worker.force_unlock_workers(dead);

  with lost as (
    select delivery.organisation_id, delivery.id, delivery.next_attempt_at
    from app.deliveries delivery
    join app.webhook_endpoints endpoint
      on endpoint.organisation_id = delivery.organisation_id
      and endpoint.id = delivery.endpoint_id
      and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
    where delivery.state = 'pending'
      and delivery.next_attempt_at < jobs.clock() - interval '15 seconds'
      and not exists (select from graphile_worker.jobs job where job.key = 'delivery:' || delivery.id::text)
    order by delivery.next_attempt_at
    limit 1000
  ),
  queued as materialized (
    select jobs.queue_delivery(lost.organisation_id, lost.id, lost.next_attempt_at) from lost
  )
  select count(*) into requeued from queued;

  perform jobs.queue_mail(mail.organisation_id, mail.id)
  from app.mails mail
  where mail.sent_at is null
    and not exists (select from graphile_worker.jobs job where job.key = 'mail:' || mail.id::text);
end
$$;
comment on function jobs.sweep is 'Instead of row-level security: moves jobs, and reads of rows only which are due. Answers how many jobs were freed and how many deliveries queued again.';
