/*
 * Routine, and inbound webhook without its secret, which only its creation and rotation return.
 */
create view rows.routines with (security_invoker = true) as
select
  routine.id,
  routine.bot_id as "botId",
  routine.name,
  routine.schedule,
  routine.time_zone as "timeZone",
  routine.message,
  routine.state,
  routine.pause_reason as "pauseReason",
  rows.time(case when isfinite(routine.next_firing_at) then routine.next_firing_at end) as "nextFiringAt",
  rows.time(routine.last_fired_at) as "lastFiredAt",
  routine.last_run_id as "lastRunId",
  rows.time(routine.last_skipped_at) as "lastSkippedAt",
  routine.last_skip_reason as "lastSkipReason",
  routine.created_by as "createdBy",
  rows.time(routine.created_at) as "createdAt"
from app.routines routine
where routine.deleted_at is null;
grant select on rows.routines to tenant;

create view rows.hooks with (security_invoker = true) as
select
  hook.id,
  hook.bot_id as "botId",
  hook.name,
  '/api/v1/hooks/' || hook.id || '/receive' as path,
  hook.state,
  hook.pause_reason as "pauseReason",
  rows.time(hook.unreadable_since) as "secretLostSince",
  rows.time(hook.last_received_at) as "lastReceivedAt",
  hook.last_run_id as "lastRunId",
  hook.created_by as "createdBy",
  rows.time(hook.created_at) as "createdAt"
from app.hooks hook
where hook.deleted_at is null;
grant select on rows.hooks to tenant;
