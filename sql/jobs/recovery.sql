/*
 * Recovery. A worker that was killed leaves its jobs locked for hours, since its library gives the lock back only after
 * four. But each pool of workers holds an advisory lock for as long as its session lives: where that lock can be had,
 * the pool is gone and its jobs are free. And an endpoint at which something is due and nothing under way, however that
 * came about, gets a visit: the table of jobs could be emptied, and nothing would be lost.
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
-- In place of row-level security: it moves jobs, and reads of deliveries only where something is due.
declare
  swept_at timestamptz;
begin
  select sweep.swept_at into swept_at from app.sweep for update skip locked;
  if swept_at is null then
    freed := 0;
    requeued := 0;
    return; -- another is at it
  end if;
  update app.sweep set swept_at = jobs.clock();
  if jobs.clock() < swept_at - interval '1 second' then
    perform jobs.follow_clock_back(swept_at - jobs.clock());
  end if;
  freed := jobs.free_dead_pools();
  requeued := jobs.queue_lost_visits();

  perform jobs.queue_mail(mail.organisation_id, mail.id)
  from app.mails mail
  where mail.sent_at is null
    and not exists (select from graphile_worker.jobs job where job.key = 'mail:' || mail.id::text);
end
$$;
comment on function jobs.sweep is 'Instead of row-level security: moves jobs, and reads of rows only where something is due. Of several at once one sweeps. Answers how many jobs were freed and how many endpoints are visited again.';

create function jobs.free_dead_pools() returns integer
language plpgsql
set search_path = ''
as $$
declare
  dead text[];
  freed integer;
begin
  -- A pool takes its advisory lock within moments of its first job, hence the five seconds; what is locked in the
  -- future was locked before the clock was set back.
  select coalesce(array_agg(pool), '{}') into dead
  from (
    select job.locked_by as pool
    from graphile_worker.jobs job
    where job.locked_by is not null
    group by job.locked_by
    having max(job.locked_at) not between now() - interval '5 seconds' and now() + interval '5 seconds'
  ) busy
  where pg_try_advisory_xact_lock(20251120, hashtext(pool));
  select count(*) into freed from graphile_worker.jobs job where job.locked_by = any (dead);
  perform graphile_worker.force_unlock_workers(dead);
  return freed;
end
$$;
comment on function jobs.free_dead_pools is 'Gives back the jobs of pools of workers that live no more. Answers how many.';

create function jobs.queue_lost_visits() returns integer
language plpgsql
set search_path = ''
set plan_cache_mode = force_generic_plan -- as for jobs.attend
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  queued integer;
begin
  with recursive
    -- From endpoint to endpoint along the index of what is pending, one probe each, however much waits at one.
    waiting as (
      (
        select head.organisation_id, head.endpoint_id, head.next_attempt_at
        from app.deliveries head
        where head.state = 'pending'
        order by head.organisation_id, head.endpoint_id, head.next_attempt_at
        limit 1
      )
      union all
      select further.organisation_id, further.endpoint_id, further.next_attempt_at
      from waiting
      cross join lateral (
        select head.organisation_id, head.endpoint_id, head.next_attempt_at
        from app.deliveries head
        where head.state = 'pending'
          and (head.organisation_id, head.endpoint_id) > (waiting.organisation_id, waiting.endpoint_id)
        order by head.organisation_id, head.endpoint_id, head.next_attempt_at
        limit 1
      ) further
    ),
    waiting_visits as materialized (
      select job.payload ->> 'endpointId' as endpoint
      from graphile_worker._private_jobs job
      where job.is_available and job.priority in (0, 1) and job.run_at <= now()
    ),
    lost as (
      select waiting.organisation_id, waiting.endpoint_id, endpoint.troubled_since is not null as troubled
      from waiting
      join app.webhook_endpoints endpoint
        on endpoint.organisation_id = waiting.organisation_id
        and endpoint.id = waiting.endpoint_id
        and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
      where waiting.next_attempt_at < jobs.clock() - jobs.lease()
        and not exists (
          select
          from app.deliveries claimed
          where claimed.organisation_id = waiting.organisation_id
            and claimed.endpoint_id = waiting.endpoint_id
            and claimed.claim_id is not null
            and claimed.claimed_until > jobs.clock()
        )
        and waiting.endpoint_id::text not in (
          select visit.endpoint from waiting_visits visit where visit.endpoint is not null
        )
    ),
    -- Of those in trouble only as many as may be under way at once, a few of them each time, none for ever last.
    wanted as (
      select lost.organisation_id, lost.endpoint_id
      from (
        select lost.*, row_number() over (partition by lost.troubled order by random()) as place from lost
      ) lost
      where not lost.troubled
        or lost.place <= (select settings.delivery_slots / 2 from app.service_settings settings)
    ),
    visited as materialized (
      select jobs.queue_visit(wanted.organisation_id, wanted.endpoint_id) from wanted
    )
  select count(*) into queued from visited;
  return queued;
end
$$;
comment on function jobs.queue_lost_visits is 'Queues a visit to each endpoint at which something has been due for as long as a claim holds, and neither an attempt is under way nor a visit waits. Answers how many.';

create function jobs.follow_clock_back(by interval) returns void
language plpgsql
set search_path = ''
as $$
begin
  update app.deliveries held
  set
    next_attempt_at = case
      when held.attempts = held.attempts_before_round then least(held.next_attempt_at, jobs.clock())
      when held.last_attempt_at > jobs.clock() then jobs.clock() + (held.next_attempt_at - held.last_attempt_at)
      else held.next_attempt_at
    end,
    claimed_until = case when held.claim_id is not null then least(held.claimed_until, jobs.clock() + jobs.lease()) end
  where held.state = 'pending';
  update graphile_worker._private_jobs job
  set run_at = greatest(job.run_at - by, now())
  where job.is_available and job.run_at > now();
end
$$;
comment on function jobs.follow_clock_back is 'After the database''s clock was set back: what was due at once is due at once, and nothing waits longer from now on than its rung says.';
