/*
 * Waiting runs and deliveries. Each view skips through an index, one probe per model or endpoint, so that its cost does
 * not depend on how many wait.
 */
create view operator.run_queues as
with recursive head as (
  (
    select conversation.next_model as model
    from app.conversations conversation
    where conversation.next_run_id is not null
    order by conversation.next_model
    limit 1
  )
  union all
  select (
    select conversation.next_model
    from app.conversations conversation
    where conversation.next_run_id is not null and conversation.next_model > head.model
    order by conversation.next_model
    limit 1
  )
  from head
  where head.model is not null
)
select head.model, queue.waiting, queue.waiting_since, queue.oldest_run_id,
  (
    select count(*) from app.executors executor
    where head.model = any (executor.models) and executor.last_seen_at >= now() - interval '1 minute'
  ) as executors
from head
cross join lateral (
  select count(*) as waiting, min(waiting.next_since) as waiting_since,
    (array_agg(waiting.next_run_id order by waiting.next_since, waiting.next_run_id))[1] as oldest_run_id
  from (
    select conversation.next_since, conversation.next_run_id
    from app.conversations conversation
    where conversation.next_model = head.model and conversation.next_run_id is not null
    order by conversation.next_since, conversation.next_run_id
    limit 1000
  ) waiting
) queue
where head.model is not null;
comment on view operator.run_queues is $$
@primaryKey model
@behavior +query:resource:connection -query:resource:single
Conversations whose next run waits for an executor, by model: how many (up to 1,000), since when the oldest waits, and how many live executors serve the model.$$;
grant select on operator.run_queues to operator;

create view operator.delivery_queues as
with recursive head as (
  (
    select delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at, 1 as place
    from app.deliveries delivery
    where delivery.state = 'pending'
    order by delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at
    limit 1
  )
  union all
  select further.organisation_id, further.endpoint_id, further.next_attempt_at, head.place + 1
  from head
  cross join lateral (
    select delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at
    from app.deliveries delivery
    where delivery.state = 'pending'
      and (delivery.organisation_id, delivery.endpoint_id) > (head.organisation_id, head.endpoint_id)
    order by delivery.organisation_id, delivery.endpoint_id, delivery.next_attempt_at
    limit 1
  ) further
  where head.place < 1000
)
select organisation_id, endpoint_id, next_attempt_at as due_at, next_attempt_at < now() as overdue
from head;
comment on view operator.delivery_queues is $$
@primaryKey endpoint_id
@behavior +query:resource:connection -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName deliveryQueues|@backwardBehavior -*
@foreignKey (organisation_id, endpoint_id) references operator.webhook_endpoints (organisation_id, id)|@fieldName endpoint|@foreignFieldName queues|@backwardBehavior -*
@orders due_at
Endpoints with a waiting delivery, and when the first one is due; up to 1,000 endpoints.$$;
grant select on operator.delivery_queues to operator;

create view operator.failed_deliveries as
select organisation_id, id, endpoint_id, event::text, attempts, max_attempts, last_status_code, last_failure, created_at,
  last_attempt_at
from app.deliveries
where state = 'failed';
comment on view operator.failed_deliveries is $$
@primaryKey id
@behavior -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName failedDeliveries
@foreignKey (organisation_id, endpoint_id) references operator.webhook_endpoints (organisation_id, id)|@fieldName endpoint|@foreignFieldName failedDeliveries
A failed delivery.$$;
grant select on operator.failed_deliveries to operator;

create view operator.halted_runs as
select organisation_id, id, bot_id, state, trigger, taint, steps, spend_micro_cents, error, executors_lost, created_at,
  finished_at
from app.runs
where state in ('failed', 'blocked');
comment on view operator.halted_runs is $$
@primaryKey id
@behavior -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName haltedRuns
@foreignKey (organisation_id, bot_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName haltedRuns|@backwardBehavior -*
A run that failed or is blocked.$$;
grant select on operator.halted_runs to operator;

-- Three parts, each served by its own index.
create view operator.open_runs as
select organisation_id, id, bot_id, state, trigger, taint, steps, spend_micro_cents, working_since, lease_until, paused_until,
  created_at
from app.runs where state = 'queued'
union all
select organisation_id, id, bot_id, state, trigger, taint, steps, spend_micro_cents, working_since, lease_until, paused_until,
  created_at
from app.runs where state in ('running', 'waiting_approval')
union all
select organisation_id, id, bot_id, state, trigger, taint, steps, spend_micro_cents, working_since, lease_until, paused_until,
  created_at
from app.runs where state = 'paused_limit';
comment on view operator.open_runs is $$
@primaryKey id
@behavior -query:resource:single
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName openRuns
@foreignKey (organisation_id, bot_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName openRuns|@backwardBehavior -*
A run that is queued, running, waiting for a person, or paused by its organisation's limit.$$;
grant select on operator.open_runs to operator;
