/* Endpoints, deliveries and attempts. */
-- Shows host and plain words of the URL only: the rest may contain secrets. Leaves out the sealed signing secret.
create view operator.webhook_endpoints as
select organisation_id, id, rows.host_of(url) as host, rows.words_of_path(url) as path, description, events::text[], state,
  case
    when deleted_at is not null then 'deleted'
    when state = 'active' and degraded_since is not null then 'failing'
    else state::text
  end as status, consecutive_failures, degraded_since, disabled_reason, disabled_at, last_delivery_at, created_at, deleted_at
from app.webhook_endpoints;
comment on view operator.webhook_endpoints is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName endpoints
@filters status
@orders host,description,status,consecutive_failures,degraded_since,last_delivery_at
@contains host,path,description
A webhook endpoint of an organisation. Of its URL only the host and plain segments of its path; status is its state, or failing or deleted.$$;
grant select on operator.webhook_endpoints to operator;

-- Shows only the ids of run and approval of the data. The approval is no foreign key, since no index serves a value extracted
-- from JSON behind a policy.
create view operator.events as
select organisation_id, id, kind::text, run_id, (data ->> 'approvalId')::uuid as approval_id, created_at
from app.events;
comment on view operator.events is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName events
@filters kind
@orders kind
An event for webhook endpoints, and the run or approval that it is about.$$;
grant select on operator.events to operator;

-- Leaves out the payload, which is about runs.
create view operator.deliveries as
select organisation_id, id, endpoint_id, event_id, event::text, state, trigger, attempts, max_attempts, lease_until,
  last_status_code, last_failure, created_at, last_attempt_at, next_attempt_at, delivered_at
from app.deliveries;
comment on view operator.deliveries is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName deliveries
@foreignKey (organisation_id, endpoint_id) references operator.webhook_endpoints (organisation_id, id)|@fieldName endpoint|@foreignFieldName deliveries
@foreignKey (organisation_id, event_id) references operator.events (organisation_id, id)|@fieldName announced|@foreignFieldName deliveries
@filters state,event,trigger,endpoint_id
@orders event,state,attempts,last_status_code,last_attempt_at,next_attempt_at
@contains event,last_failure
A delivery of an event to an endpoint.$$;
grant select on operator.deliveries to operator;

create view operator.delivery_attempts as
select organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure
from app.delivery_attempts;
comment on view operator.delivery_attempts is $$
@primaryKey organisation_id,delivery_id,number
@foreignKey (organisation_id, delivery_id) references operator.deliveries (organisation_id, id)|@fieldName delivery|@foreignFieldName attemptLog
An attempt of a delivery.$$;
grant select on operator.delivery_attempts to operator;
