/*
 * Endpoints, deliveries and their attempts.
 */
-- Of the address only the host: a path or a query may hold what lets one in, a user name and password anyway. Not the
-- sealed signing secret. The description is what the organisation calls the endpoint.
create view operator.webhook_endpoints as
select organisation_id, id, rows.host_of(url) as host, description, events::text[], state, consecutive_failures,
  troubled_since, disabled_reason, disabled_at, last_delivery_at, created_at, deleted_at
from app.webhook_endpoints;
comment on view operator.webhook_endpoints is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName endpoints
Where an organisation is told of what happens. Of its address the host alone.$$;

-- Of what happened only to what: the ids of the run and the card. They lead nowhere by themselves: what is read out of JSON is not
-- looked up by an index behind a policy.
create view operator.events as
select organisation_id, id, kind::text, (data ->> 'runId')::uuid as run_id, (data ->> 'approvalId')::uuid as approval_id, created_at
from app.events;
comment on view operator.events is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName events|@backwardBehavior -*
Something that endpoints are told of, and the run or card that it is about.$$;

-- Not what was sent: it tells of runs.
create view operator.deliveries as
select organisation_id, id, endpoint_id, event_id, event::text, state, trigger, attempts, max_attempts, claimed_until,
  last_status_code, last_failure, created_at, last_attempt_at, next_attempt_at, delivered_at
from app.deliveries;
comment on view operator.deliveries is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName deliveries
@foreignKey (organisation_id, endpoint_id) references operator.webhook_endpoints (organisation_id, id)|@fieldName endpoint|@foreignFieldName deliveries
@foreignKey (organisation_id, event_id) references operator.events (organisation_id, id)|@fieldName announced|@foreignFieldName deliveries
An event on its way to an endpoint.$$;

create view operator.delivery_attempts as
select organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure
from app.delivery_attempts;
comment on view operator.delivery_attempts is $$
@primaryKey organisation_id,delivery_id,number
@foreignKey (organisation_id, delivery_id) references operator.deliveries (organisation_id, id)|@fieldName delivery|@foreignFieldName attemptLog
An attempt at a delivery.$$;
