/*
 * What the console shows: read-only, without digests, secrets or words of conversations. Views belong to owner and so
 * read all organisations; only operator may select from them. Kinds of event are text here: GraphQL has no dots in names.
 */
create view operator.organisations as
select id, name, kind, billing_state, trial_ends_at, seats_bought, live_key_ceiling, live_endpoint_ceiling,
  hourly_run_ceiling, hourly_routine_ceiling, hourly_webhook_ceiling, monthly_spend_limit_micro_cents, created_at
from app.organisations;

create view operator.members as
select member.organisation_id, member.person_id, person.email, person.display_name, member.role, member.created_at
from app.memberships member
join app.people person on person.id = member.person_id;

create view operator.api_keys as
select key.organisation_id, key.id, key.name, key.prefix, key.scope, key.created_by, key.created_at, key.expires_at,
  use.last_used_at, key.revoked_at
from app.api_keys key
left join app.api_key_uses use on use.organisation_id = key.organisation_id and use.key_id = key.id;

create view operator.platform_keys as
select id, name, prefix, created_at, expires_at, revoked_at
from app.platform_keys;

create view operator.runs as
select organisation_id, id, bot_id, person_id, state, trigger, taint, steps, spend_micro_cents, error, executors_lost,
  created_at, finished_at
from app.runs;

create view operator.webhook_endpoints as
select organisation_id, id, url, events::text[], state, consecutive_failures, disabled_reason, disabled_at, last_delivery_at,
  created_at, deleted_at
from app.webhook_endpoints;

create view operator.deliveries as
select organisation_id, id, endpoint_id, event::text, state, attempts, max_attempts, last_status_code, last_failure,
  created_at, last_attempt_at, next_attempt_at, delivered_at
from app.deliveries;

create view operator.routines as
select organisation_id, id, bot_id, name, schedule, time_zone, state, pause_reason, next_firing_at, last_fired_at,
  last_run_id, last_skipped_at, last_skip_reason, created_by, created_at, deleted_at
from app.routines;

create view operator.hooks as
select organisation_id, id, bot_id, name, state, pause_reason, last_received_at, last_run_id, created_by, created_at,
  deleted_at
from app.hooks;

create view operator.executors as
select id, name, models, started_at, last_seen_at
from app.executors;

create view operator.queue as
select task_identifier as task, count(*) as waiting, count(*) filter (where locked_at is not null) as taken,
  min(run_at) as due_since
from graphile_worker.jobs
group by task_identifier;

create view operator.third_party_restrictions as
select organisation_id, kind
from app.third_party_restrictions;

create view operator.third_party_restriction_changes as
select organisation_id, id, kind, change, reason, changed_at
from app.third_party_restriction_changes;

create view operator.erasures as
select organisation_id, id, subject_kind, memories, history, proposals, erased_by, key_id, erased_at
from app.erasures;
