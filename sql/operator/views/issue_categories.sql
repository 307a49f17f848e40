/*
 * Current issues: one view per category, at most 100 rows each, critical first. operator.issues has the first 20 of
 * each. page and subject_id name the page of the console that shows the issue. Pages: organisation, endpoint, mail,
 * approval, queues, processes, service. (docs/console.md#issues-search-and-data)
 */
create view operator.failing_endpoints as
select 'failing_endpoint' as category, case when endpoint.state = 'disabled' then 'critical' else 'warning' end as severity,
  coalesce(endpoint.disabled_at, endpoint.degraded_since) as since, endpoint.organisation_id,
  'endpoint' as page, endpoint.id as subject_id, rows.host_of(endpoint.url) as subject,
  case
    when endpoint.state = 'disabled' then 'Disabled: ' || case endpoint.disabled_reason
      when 'gone' then 'the receiver responded 410.' else 'consecutive failed deliveries: ' || endpoint.consecutive_failures || '.' end
    else 'Attempts fail. Consecutive failed deliveries: ' || endpoint.consecutive_failures || '.'
  end as description,
  case when endpoint.state = 'disabled'
    then 'Read the outcomes of its attempts. When the receiver works again, resume it and recover its deliveries.'
    else 'Read the outcomes of its attempts. Retries continue; further failures disable the endpoint.'
  end as suggested_action
from app.webhook_endpoints endpoint
where (endpoint.degraded_since is not null or endpoint.state = 'disabled') and endpoint.deleted_at is null
  and (endpoint.unreadable_since is null or endpoint.state = 'disabled') -- see operator.lost_secrets
  and endpoint.disabled_reason is distinct from 'operator' and endpoint.state <> 'paused'
  and (
    endpoint.state = 'disabled'
    -- Without a pending delivery nothing is retried, so no success could end the issue.
    or exists (
      select from app.deliveries delivery
      where delivery.organisation_id = endpoint.organisation_id
        and delivery.endpoint_id = endpoint.id
        and delivery.state = 'pending'
    )
  )
order by endpoint.state = 'disabled' desc, since desc
limit 100;
grant select on operator.failing_endpoints to operator;

create view operator.failing_streams as
select 'failing_stream' as category, case stream.state when 'disabled' then 'critical' else 'warning' end as severity,
  coalesce(stream.disabled_at, stream.degraded_since) as since, stream.organisation_id, 'organisation' as page,
  stream.organisation_id as subject_id, rows.host_of(stream.url) as subject,
  case
    when stream.state = 'active' then 'Parts of the audit log fail. Rounds of attempts that failed: ' || stream.consecutive_failures || '.'
    when stream.disabled_reason = 'gone' then 'Disabled: the receiver responded 410.'
    else 'Disabled: rounds of attempts that failed: ' || stream.consecutive_failures || '.'
  end as description,
  case stream.state
    when 'disabled' then 'Tell the organisation. When its receiver works again, PATCH /audit/stream or the portal resumes the stream where it stopped.'
    else 'Tell the organisation. Retries continue; ten failed rounds disable the stream.'
  end as suggested_action
from app.audit_streams stream
where stream.state = 'disabled' and stream.disabled_reason <> 'operator'
  or stream.state = 'active' and stream.degraded_since is not null and stream.unreadable_since is null -- see operator.lost_secrets
order by stream.state = 'disabled' desc, since desc
limit 100;
grant select on operator.failing_streams to operator;

create view operator.lost_secrets as
select 'lost_secret' as category, 'critical' as severity, lost.since, lost.organisation_id, lost.page, lost.subject_id, lost.subject,
  lost.description,
  'Ask the organisation to rotate the secret: ' || lost.operation || ', or in the portal (docs/backups.md#a-lost-master-key).'
    as suggested_action
from (
  (
    select endpoint.unreadable_since as since, endpoint.organisation_id, 'endpoint' as page, endpoint.id as subject_id,
      rows.host_of(endpoint.url) as subject, 'POST /webhooks/' || endpoint.id || '/rotate' as operation,
      'The master key does not open the secret of the endpoint. Its deliveries wait.' as description
    from app.webhook_endpoints endpoint
    where endpoint.unreadable_since is not null and endpoint.deleted_at is null
    order by endpoint.id
    limit 100
  )
  union all
  (
    select hook.unreadable_since, hook.organisation_id, 'organisation', hook.organisation_id,
      'hook ' || hook.id, 'POST /hooks/' || hook.id || '/rotate',
      'The master key does not open the secret of the hook. Posts to it get 503.'
    from app.hooks hook
    where hook.unreadable_since is not null and hook.deleted_at is null
    order by hook.id
    limit 100
  )
  union all
  (
    select stream.unreadable_since, stream.organisation_id, 'organisation', stream.organisation_id,
      rows.host_of(stream.url), 'POST /audit/stream/rotate',
      'The master key does not open the secret of the audit stream. Its parts wait.'
    from app.audit_streams stream
    where stream.unreadable_since is not null and stream.state <> 'disabled'
    order by stream.organisation_id
    limit 100
  )
) lost
limit 100;
grant select on operator.lost_secrets to operator;

-- A loose index scan: one row per endpoint with pending deliveries, as in operator.delivery_queues. It stops at 100
-- late ones.
create view operator.late_deliveries as
with recursive queue as (
  (
    select delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at as due_at, 0 as late_before
    from app.deliveries delivery
    where delivery.state = 'pending'
    order by delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at
    limit 1
  )
  union all
  select further.organisation_id, further.endpoint_id, further.next_attempt_at, queue.late_before + (
    queue.due_at < now() - interval '5 minutes'
    and exists (
      select from app.webhook_endpoints endpoint
      where endpoint.organisation_id = queue.organisation_id and endpoint.id = queue.endpoint_id
        and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
    )
  )::integer
  from queue
  cross join lateral (
    select delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at
    from app.deliveries delivery
    where delivery.state = 'pending'
      and (delivery.organisation_id, delivery.endpoint_id) > (queue.organisation_id, queue.endpoint_id)
    order by delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at
    limit 1
  ) further
  where queue.late_before < 100
)
select 'late_deliveries' as category, case when queue.due_at < now() - interval '15 minutes' then 'critical' else 'warning' end as severity,
  queue.due_at as since, queue.organisation_id, 'endpoint' as page, queue.endpoint_id as subject_id,
  rows.host_of(endpoint.url) as subject, 'Deliveries are due, and no worker attempts them.' as description,
  'Check that workers run, and read their log. Each worker polls for due deliveries every few seconds.' as suggested_action
from queue
join app.webhook_endpoints endpoint
  on endpoint.organisation_id = queue.organisation_id and endpoint.id = queue.endpoint_id
where queue.due_at < now() - interval '5 minutes'
  and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
order by queue.due_at
limit 100;
grant select on operator.late_deliveries to operator;

create view operator.stuck_run_queues as
select 'stuck_queue' as category, case when queue.executors = 0 then 'critical' else 'warning' end as severity,
  queue.waiting_since as since, run.organisation_id, 'queues' as page, queue.oldest_run_id as subject_id,
  queue.model as subject,
  case when queue.executors = 0
    then 'No live executor serves this model. Waiting conversations: ' || queue.waiting || '.'
    else 'Waiting conversations: ' || queue.waiting || '; live executors: ' || queue.executors || '.'
  end as description,
  case when queue.executors = 0
    then 'Start an executor for the model. The log of the previous one says why it stopped.'
    else 'Start more executors, or check what the existing ones do.'
  end as suggested_action
from operator.run_queues queue
join app.conversations conversation on conversation.next_model = queue.model and conversation.next_since = queue.waiting_since
  and conversation.next_run_id = queue.oldest_run_id
join app.runs run on run.organisation_id = conversation.organisation_id and run.id = conversation.next_run_id
where queue.waiting_since < now() - case when queue.executors = 0 then interval '1 minute' else interval '5 minutes' end
order by queue.executors = 0 desc, queue.waiting_since
limit 100;
grant select on operator.stuck_run_queues to operator;

create view operator.silent_executors as
select 'silent_executor' as category, 'warning' as severity, executor.last_seen_at as since, null::uuid as organisation_id,
  'processes' as page, executor.id as subject_id, executor.name as subject,
  'No heartbeat for a minute. Its runs return to their queues.' as description,
  'Check that its process runs and reaches the database. It is removed from the list after an hour.' as suggested_action
from app.executors executor
where executor.last_seen_at < now() - interval '1 minute'
order by executor.last_seen_at desc
limit 100;
grant select on operator.silent_executors to operator;

create view operator.organisations_at_limit as
select 'reached_limit' as category, case when reached.used >= reached.maximum then 'critical' else 'warning' end as severity,
  null::timestamptz as since, reached.organisation_id, 'organisation' as page, reached.organisation_id as subject_id,
  reached.label as subject, reached.used || ' of ' || reached.maximum || ' used.' as description,
  case when reached.used >= reached.maximum then 'Further requests are refused. Raise the limit if appropriate.'
    else 'Raise the limit if appropriate, before requests are refused.' end as suggested_action
from operator.reached_limits reached
where reached.maximum > 0
order by reached.share desc
limit 100;
grant select on operator.organisations_at_limit to operator;

create view operator.failing_mails as
select 'failing_mail' as category, case when mail.created_at < now() - interval '1 hour' then 'critical' else 'warning' end as severity,
  mail.created_at as since, mail.organisation_id, 'mail' as page, mail.id as subject_id, mail.recipient as subject,
  'Not sent yet. Attempts so far: ' || coalesce(mail.attempts, 0) || '.' as description,
  'The worker''s log has the code of the mail server''s refusal, or says that it was unreachable.' as suggested_action
from operator.waiting_mails mail
where mail.id < (select times.least_id(now() - interval '5 minutes')) -- by the index of waiting mails
order by mail.id
limit 100;
grant select on operator.failing_mails to operator;

create view operator.failing_jobs as
select 'failing_jobs' as category, case when job.failed > 0 then 'critical' else 'warning' end as severity,
  job.due_since as since, null::uuid as organisation_id, 'processes' as page, null::uuid as subject_id, job.task as subject,
  'Jobs that will be retried: ' || job.retrying || '; failed for good: ' || job.failed || '.' as description,
  'The worker''s log says why. Except for an unreachable mail server, report it as a bug.' as suggested_action
from operator.jobs job
where job.retrying > 0 or job.failed > 0;
grant select on operator.failing_jobs to operator;

create view operator.expired_approvals as
select 'expired_approval' as category, 'warning' as severity, approval.expires_at as since, approval.organisation_id, 'approval' as page,
  approval.id as subject_id, approval.kind::text as subject, 'It expired without an answer, and its run still waits.' as description,
  'Executors close expired approvals while polling. Check that one is live, or answer for the person.' as suggested_action
from app.approvals approval
where approval.state = 'pending' and approval.expires_at <= now() - interval '1 minute'
order by approval.expires_at
limit 100;
grant select on operator.expired_approvals to operator;

create view operator.unfinished_deletions as
select 'unfinished_deletion' as category, 'critical' as severity, stuck.since, stuck.organisation_id, stuck.page, stuck.subject_id,
  'deletion of ' || stuck.subject_id as subject, stuck.description,
  'Remove the cause (docs/leaving.md#if-a-deletion-does-not-end). The worker tries again by itself.' as suggested_action
from (
  (
    select coalesce(deletion.failing_since, deletion.begun_at), null::uuid, 'service', deletion.organisation_id,
      case
        when deletion.failing_since is not null then 'A step fails: ' || deletion.failure
        when deletion.places_left <> '{}' then 'Rows of the organisation are left, by table: ' || deletion.places_left::text
        else 'It has not ended within a day.'
      end
    from app.organisation_deletions deletion
    where deletion.ended_at is null and (
      deletion.places_left <> '{}' or deletion.begun_at < now() - interval '1 day' or deletion.failing_since < now() - interval '5 minutes'
    )
    order by deletion.begun_at
    limit 100
  )
  union all
  (
    select organisation.deletion_at, organisation.id, 'organisation', organisation.id, 'Its time came more than a day ago, and it has not begun.'
    from app.organisations organisation
    where organisation.deletion_at < now() - interval '1 day'
    order by organisation.deletion_at
    limit 100
  )
) stuck (since, organisation_id, page, subject_id, description)
limit 100;
grant select on operator.unfinished_deletions to operator;

create view operator.service_issues as
select issue.category, 'critical' as severity, issue.since, null::uuid as organisation_id, 'service' as page, null::uuid as subject_id,
  issue.subject, issue.description, issue.suggested_action
from operator.service service
cross join (
  select count(*) as faults, min(fault.first_found_at) as faulty_since from audit.log_faults fault where fault.is_open
) log
cross join lateral (
  values
    ('no_worker', service.last_maintenance_at, 'worker', 'No worker has run maintenance for a minute.',
      'Start a worker. The log of the previous one says why it stopped.', service.last_maintenance_at < now() - interval '1 minute'),
    ('foreign_definitions', service.definitions_since, service.definitions,
      'The definitions in the database belong to another version than this console.',
      'Run botstead migrate of the intended version, then restart its processes.',
      service.definitions <> current_setting('console.definitions', true)),
    ('weeks_missing', null, 'partitions', 'No partition for events exists for a week from now.',
      'Run botstead migrate. The worker''s log says why maintenance created none.', (
        select coalesce(max(substring(leaf.relname from '\d{8}$')), '') < to_char((now() + interval '7 days') at time zone 'UTC', 'YYYYMMDD')
        from pg_catalog.pg_class leaf
        where leaf.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = 'partitions')
          and leaf.relname ~ '^delivery_attempts_\d{8}$'
      )),
    ('audit_log_fault', log.faulty_since, 'audit log', 'Open faults of the audit log: ' || log.faults || '. No checkpoint is signed.',
      'botstead audit verify prints them. Find the cause before you repair or accept one (docs/auditing.md).', log.faults > 0)
) as issue (category, since, subject, description, suggested_action, holds)
where issue.holds;
grant select on operator.service_issues to operator;
