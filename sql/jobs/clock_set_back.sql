/*
 * After the database's clock was set back: no wait may become longer than planned. Called by maintenance.
 */
create function jobs.follow_clock_back(by interval) returns void
language plpgsql
as $$
begin
  update app.deliveries delivery
  set
    next_attempt_at = case
      when delivery.attempts = delivery.attempts_before_round then least(delivery.next_attempt_at, times.clock())
      when delivery.last_attempt_at > times.clock() then times.clock() + (delivery.next_attempt_at - delivery.last_attempt_at)
      else delivery.next_attempt_at
    end,
    lease_until = case
      when delivery.lease_id is not null then least(delivery.lease_until, times.clock() + jobs.lease_time())
    end
  where delivery.state = 'pending';
  update app.audit_streams stream
  set next_attempt_at = least(stream.next_attempt_at, greatest(stream.next_attempt_at - by, times.clock())),
    lease_until = least(stream.lease_until, times.clock() + jobs.lease_time())
  where stream.next_attempt_at > times.clock() or stream.lease_until > times.clock();
  update graphile_worker._private_jobs job
  set run_at = greatest(job.run_at - by, now())
  where job.is_available and job.run_at > now();
  perform jobs.plan_routines_again();
  perform jobs.follow_clock_back_with_runs();
end
$$;
comment on function jobs.follow_clock_back is 'A due delivery stays due, and no wait exceeds its retry delay.';

-- The worker computes the next firing from the schedule and the present time. A firing that is due keeps its time.
create function jobs.plan_routines_again() returns void
language sql
as $$
  update app.routines routine
  set next_firing_at = case when routine.next_firing_at > times.clock() then '-infinity' else routine.next_firing_at end,
    awaits_executor_until = null
  where routine.state = 'active' and routine.deleted_at is null
    and (routine.next_firing_at > times.clock() or routine.awaits_executor_until is not null)
$$;
comment on function jobs.plan_routines_again is 'Next firings are computed again, so that none lies too far ahead.';

create function jobs.follow_clock_back_with_runs() returns void
language plpgsql
as $$
begin
  update app.runs run
  set lease_until = least(run.lease_until, now() + interval '30 seconds'), working_since = least(run.working_since, now())
  where run.state = 'running' and (run.lease_until > now() + interval '30 seconds' or run.working_since > now());
  update app.runs run
  set paused_until = limits.next_month()
  where run.state = 'paused_limit' and run.paused_until > limits.next_month();
  update app.executors executor set last_seen_at = now() where executor.last_seen_at > now();
  update app.models model set last_served_at = now() where model.last_served_at > now();
end
$$;
comment on function jobs.follow_clock_back_with_runs is 'An unrenewed lease ends within 30 seconds, a pause at the end of the month, and a silent executor counts as gone within a minute.';
