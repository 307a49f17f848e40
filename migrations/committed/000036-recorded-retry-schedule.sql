--! Previous: sha1:8c8d21ad94c1b441be775ac58c530271d85389dd
--! Hash: sha1:704d0f35a76877a20861ac6ffe3c5ba73078b7f9
--! Message: recorded-retry-schedule

-- A schedule that an operator changed before the audit log covered it gets an entry in the chain of the service.
insert into app.audit_pending_entries (organisation_id, actor, action, resource, changed, after)
select '00000000-0000-0000-0000-000000000000', 'system', 'created', 'service', '{}', json_build_object('attempt', schedule.attempt, 'delay', schedule.delay)
from app.retry_schedule schedule
where schedule.delay is distinct from ('{1 minute,5 minutes,30 minutes,2 hours,8 hours}'::interval[])[schedule.attempt];
