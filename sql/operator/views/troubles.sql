/*
 * What is wrong now, a view a matter, each at most a hundred rows, worst first where that can be said: what it is, since
 * when, what to do, and which page of the console shows it (page and subject_id). operator.troubles is the first of each. A
 * page is of an organisation, endpoint, run, mail, approval, executor, or of the queues, the processes or the service.
 */
create view operator.failing_endpoints as
select 'failing_endpoint' as matter, case when endpoint.state = 'disabled' then 'critical' else 'warning' end as severity,
  coalesce(endpoint.disabled_at, endpoint.troubled_since) as since, endpoint.organisation_id,
  'endpoint' as page, endpoint.id as subject_id, rows.host_of(endpoint.url) as subject,
  case
    when endpoint.state = 'disabled' then 'Disabled: ' || case endpoint.disabled_reason
      when 'gone' then 'the receiver answered 410.' else 'deliveries that failed for good in a row: ' || endpoint.consecutive_failures || '.' end
    else 'Attempts are failing; deliveries that failed for good in a row: ' || endpoint.consecutive_failures || '.'
  end as what,
  case when endpoint.state = 'disabled'
    then 'See why in its attempts. Once the receiver answers, resume it and recover what it missed.'
    else 'See why in its attempts. It is retried by itself, and disabled if that goes on.'
  end as todo
from app.webhook_endpoints endpoint
where (endpoint.troubled_since is not null or endpoint.state = 'disabled') and endpoint.deleted_at is null
  and endpoint.disabled_reason is distinct from 'operator' and endpoint.state <> 'paused'
  and (
    endpoint.state = 'disabled'
    -- What troubles it is over with the next that succeeds. Where none is to come nothing is retried, and nothing is wrong.
    or exists (
      select from app.deliveries waiting
      where waiting.organisation_id = endpoint.organisation_id
        and waiting.endpoint_id = endpoint.id
        and waiting.state = 'pending'
    )
  )
order by endpoint.state = 'disabled' desc, since desc
limit 100;

-- From endpoint to endpoint, as operator.delivery_queues, and as far as a hundred are late: where all are that is soon, and
-- where few are, those at which anything waits are as many as workers pass every few seconds.
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
select 'late_deliveries' as matter, case when queue.due_at < now() - interval '15 minutes' then 'critical' else 'warning' end as severity,
  queue.due_at as since, queue.organisation_id, 'endpoint' as page, queue.endpoint_id as subject_id,
  rows.host_of(endpoint.url) as subject, 'Deliveries are due and nobody makes them.' as what,
  'See whether workers live and what their log says; each of them looks for such deliveries every few seconds.' as todo
from queue
join app.webhook_endpoints endpoint
  on endpoint.organisation_id = queue.organisation_id and endpoint.id = queue.endpoint_id
where queue.due_at < now() - interval '5 minutes'
  and (endpoint.state <> 'paused' or endpoint.deleted_at is not null)
order by queue.due_at
limit 100;

create view operator.stuck_run_queues as
select 'stuck_queue' as matter, case when queue.executors = 0 then 'critical' else 'warning' end as severity,
  queue.waiting_since as since, run.organisation_id, 'queues' as page, queue.oldest_run_id as subject_id,
  queue.model as subject,
  case when queue.executors = 0
    then 'No executor that lives serves this model. Conversations that wait: ' || queue.waiting || '.'
    else 'Conversations that wait: ' || queue.waiting || '; executors that serve them: ' || queue.executors || '.'
  end as what,
  case when queue.executors = 0
    then 'Start an executor for the model, or see in the log why the one there was has gone.'
    else 'Start more executors, or see what those there are do.'
  end as todo
from operator.run_queues queue
join app.conversations conversation on conversation.next_model = queue.model and conversation.next_run_id = queue.oldest_run_id
join app.runs run on run.organisation_id = conversation.organisation_id and run.id = conversation.next_run_id
where queue.waiting_since < now() - case when queue.executors = 0 then interval '1 minute' else interval '5 minutes' end
order by queue.executors = 0 desc, queue.waiting_since
limit 100;

create view operator.silent_executors as
select 'silent_executor' as matter, 'warning' as severity, executor.last_seen_at as since, null::uuid as organisation_id,
  'processes' as page, executor.id as subject_id, executor.name as subject,
  'It has not said for a minute that it lives; its runs go back into their queues.' as what,
  'See whether its process runs and reaches the database. An hour later it is forgotten.' as todo
from app.executors executor
where executor.last_seen_at < now() - interval '1 minute'
order by executor.last_seen_at desc
limit 100;

create view operator.organisations_at_ceiling as
select 'ceiling' as matter, case when reached.used >= reached.ceiling then 'critical' else 'warning' end as severity,
  null::timestamptz as since, reached.organisation_id, 'organisation' as page, reached.organisation_id as subject_id,
  reached.name as subject, reached.used || ' of ' || reached.ceiling || ' are used.' as what,
  case when reached.used >= reached.ceiling then 'Further ones are refused. Raise it if that is warranted.'
    else 'Raise it if that is warranted, before further ones are refused.' end as todo
from operator.reached_ceilings reached
where reached.ceiling > 0
order by reached.share desc
limit 100;

create view operator.failing_mails as
select 'failing_mail' as matter, case when mail.created_at < now() - interval '1 hour' then 'critical' else 'warning' end as severity,
  mail.created_at as since, mail.organisation_id, 'mail' as page, mail.id as subject_id, mail.recipient as subject,
  'Not sent yet. Tries so far: ' || coalesce(mail.attempts, 0) || '.' as what,
  'See in the worker''s log by which code the mail server refused it, or that it was not reached.' as todo
from operator.waiting_mails mail
where mail.id < (select jobs.least_id(now() - interval '5 minutes')) -- by the index of what waits
order by mail.id
limit 100;

create view operator.failing_jobs as
select 'failing_jobs' as matter, case when job.given_up > 0 then 'critical' else 'warning' end as severity,
  job.due_since as since, null::uuid as organisation_id, 'processes' as page, null::uuid as subject_id, job.task as subject,
  'Jobs that failed and are tried again: ' || job.failing || '; given up: ' || job.given_up || '.' as what,
  'See in the worker''s log why. A mail server can be away; any other job that fails is a fault of ours.' as todo
from operator.jobs job
where job.failing > 0 or job.given_up > 0;

create view operator.expired_cards as
select 'expired_card' as matter, 'warning' as severity, card.expires_at as since, card.organisation_id, 'approval' as page,
  card.id as subject_id, card.kind::text as subject, 'Nobody answered in time, and what waits for it has not gone on.' as what,
  'Executors end these as they look for work: see whether any lives. Else answer for it.' as todo
from app.approvals card
where card.state = 'pending' and card.expires_at <= now() - interval '1 minute'
order by card.expires_at
limit 100;

create view operator.service_troubles as
select told.matter, 'critical' as severity, told.since, null::uuid as organisation_id, 'service' as page, null::uuid as subject_id,
  told.subject, told.what, told.todo
from operator.service service
cross join lateral (
  values
    ('no_worker', service.swept_at, 'worker', 'No worker has been at work for a minute.',
      'Start one, or see in its log why it stopped.', service.swept_at < now() - interval '1 minute'),
    ('foreign_definitions', service.definitions_since, service.definitions,
      'The definitions in the database are of another version than this console.',
      'Run botstead migrate of the version that is to serve, and start its processes.',
      service.definitions <> current_setting('console.definitions', true)),
    ('weeks_missing', null, 'partitions', 'There is no week to write events into within a week from now.',
      'Run botstead migrate; see in a worker''s log why it made none.', (
        select coalesce(max(substring(leaf.relname from '\d{8}$')), '') < to_char((now() + interval '7 days') at time zone 'UTC', 'YYYYMMDD')
        from pg_catalog.pg_class leaf
        where leaf.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = 'partitions')
          and leaf.relname ~ '^delivery_attempts_\d{8}$'
      ))
) as told (matter, since, subject, what, todo, holds)
where told.holds;

-- Twenty of each, so that all matters have room on one page: a hundred endpoints that stay disabled hide nothing that is new.
create view operator.troubles as
select row_number() over (order by told.severity, told.since desc nulls last, told.matter, told.subject_id, told.subject) as place,
  concat_ws(' ', told.matter, told.subject_id, told.subject) as id, told.matter, told.severity, told.since,
  told.organisation_id, told.page, told.subject_id, told.subject, told.what, told.todo, told.in_all,
  organisation.name as organisation_name
from (
  select found.*, count(*) over (partition by found.matter, found.severity)::integer as in_all,
    row_number() over (
      partition by found.matter order by found.severity, found.since desc nulls last, found.subject_id, found.subject
    ) as place_in_matter
  from (
    select * from operator.service_troubles
    union all select * from operator.stuck_run_queues
    union all select * from operator.late_deliveries
    union all select * from operator.silent_executors
    union all select * from operator.failing_endpoints
    union all select * from operator.organisations_at_ceiling
    union all select * from operator.failing_jobs
    union all select * from operator.failing_mails
    union all select * from operator.expired_cards
  ) found
) told
left join app.organisations organisation on organisation.id = told.organisation_id
where told.place_in_matter <= 20;
comment on view operator.troubles is $$
@primaryKey place
@behavior +query:resource:connection -query:resource:single
Something that is wrong now: since when, what to do, and the page that shows it. At most twenty of each matter.$$;
comment on column operator.troubles.in_all is 'How many there are of this matter and severity; 100 stands for more.';

do $$
declare
  part text;
begin
  foreach part in array array['service_troubles', 'stuck_run_queues', 'late_deliveries', 'silent_executors',
    'failing_endpoints', 'organisations_at_ceiling', 'failing_jobs', 'failing_mails', 'expired_cards'] loop
    execute format('comment on view operator.%I is %L', part, E'@behavior -*\nA matter of operator.troubles.');
  end loop;
end
$$;
