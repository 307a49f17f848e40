/*
 * Attempts. One job is one attempt: it is claimed, made outside the database, and recorded. The ladder, the end of a
 * round and the disabling of an endpoint are decided here. Endpoints are locked before deliveries, here as everywhere.
 * (Part 6, "Delivery rules".)
 */
create function jobs.claim_attempt(organisation uuid, delivery uuid) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the worker names one delivery, and from here on sees no other organisation.
declare
  claimed app.deliveries;
  endpoint app.webhook_endpoints;
begin
  perform set_config('caller.organisation_id', organisation::text, true);
  select held.* into endpoint
  from app.webhook_endpoints held
  where held.organisation_id = organisation
    and held.id = (select d.endpoint_id from app.deliveries d where d.organisation_id = organisation and d.id = delivery)
  for key share;
  select held.* into claimed
  from app.deliveries held
  where held.organisation_id = organisation and held.id = delivery and held.state = 'pending'
  for no key update;

  if claimed.id is null or endpoint.state = 'paused' and endpoint.deleted_at is null then
    return null; -- it ended meanwhile, or it is held until the endpoint is resumed
  end if;
  if greatest(claimed.next_attempt_at, claimed.claimed_until) > jobs.clock() then
    perform jobs.queue_delivery(organisation, delivery, greatest(claimed.next_attempt_at, claimed.claimed_until));
    return null; -- not yet due, or another worker may still be at it
  end if;
  if endpoint.state = 'disabled' or endpoint.deleted_at is not null then
    update app.deliveries held
    set state = 'failed', next_attempt_at = null
    where held.organisation_id = organisation and held.id = delivery;
    return null;
  end if;

  -- Two seconds more than an attempt may take (part 6, rule 3): a worker that has not recorded by then is lost.
  update app.deliveries held
  set claim_id = uuidv7(), claimed_until = jobs.clock() + interval '12 seconds'
  where held.organisation_id = organisation and held.id = delivery
  returning held.* into claimed;
  return json_build_object(
    'claimId', claimed.claim_id,
    'url', endpoint.url,
    'secretSealed', encode(endpoint.secret_sealed, 'hex'),
    'event', claimed.event,
    'body', (
      select jobs.payload(delivery, event)
      from app.events event
      where event.organisation_id = organisation and event.id = claimed.event_id
    )
  );
end
$$;
comment on function jobs.claim_attempt is 'Instead of row-level security: one delivery, by its organisation and id. Answers what to post, or null when there is nothing to do now.';

create function jobs.record_attempt(
  organisation uuid, delivery uuid, claim uuid,
  started timestamptz, duration_ms integer, status_code integer, failure app.attempt_failure
) returns app.delivery_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the claim that jobs.claim_attempt gave for this delivery, and gave nobody since.
declare
  recorded app.deliveries;
  endpoint app.webhook_endpoints;
  delivered boolean := failure is null and status_code between 200 and 299;
  rung_delay interval;
begin
  perform set_config('caller.organisation_id', organisation::text, true);
  select held.* into endpoint
  from app.webhook_endpoints held
  where held.organisation_id = organisation
    and held.id = (select d.endpoint_id from app.deliveries d where d.organisation_id = organisation and d.id = delivery)
  for no key update;
  select held.* into recorded
  from app.deliveries held
  where held.organisation_id = organisation and held.id = delivery and held.claim_id = claim
  for no key update;
  if recorded.id is null then
    return null;
  end if;

  recorded.attempts := recorded.attempts + 1;
  insert into app.delivery_attempts (
    organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code, failure
  )
  values (
    organisation, delivery, recorded.endpoint_id, recorded.attempts, recorded.trigger, started, duration_ms, status_code,
    failure
  );

  select ladder.delay into rung_delay
  from app.delivery_ladder ladder
  where ladder.rung = recorded.attempts - recorded.attempts_before_round
    and recorded.attempts < recorded.max_attempts
    and endpoint.state <> 'disabled'
    and endpoint.deleted_at is null;
  update app.deliveries held
  set
    attempts = recorded.attempts,
    claim_id = null,
    claimed_until = null,
    trigger = 'scheduled', -- what follows on the ladder is nobody's asking
    last_attempt_at = started,
    last_status_code = status_code,
    last_failure = failure,
    state = case when delivered then 'delivered' when rung_delay is null then 'failed' else 'pending' end::app.delivery_state,
    delivered_at = case when delivered then jobs.clock() end,
    -- Up to a tenth of jitter spreads the herd; it only ever adds.
    next_attempt_at = case when not delivered then jobs.clock() + rung_delay * (1 + random() * 0.1) end
  where held.organisation_id = organisation and held.id = delivery
  returning held.* into recorded;

  if recorded.state = 'pending' then
    perform jobs.queue_delivery(organisation, delivery, recorded.next_attempt_at);
  else
    perform jobs.count_outcome(endpoint, delivered);
  end if;
  return recorded.state;
end
$$;
comment on function jobs.record_attempt is 'Instead of row-level security: the claim under which the attempt was made. Answers the delivery''s state, or null when the attempt was overtaken.';

create function jobs.count_outcome(endpoint app.webhook_endpoints, delivered boolean) returns void
language sql
set search_path = ''
as $$
  update app.webhook_endpoints held
  set
    consecutive_failures = case when delivered then 0 else held.consecutive_failures + 1 end,
    last_delivery_at = case when delivered then jobs.clock() else held.last_delivery_at end,
    state = case when worn_out then 'disabled' else held.state end,
    disabled_reason = case when worn_out then 'consecutive_failures' else held.disabled_reason end,
    disabled_at = case when worn_out then jobs.clock() else held.disabled_at end
  from (select not delivered and endpoint.state = 'active' and endpoint.consecutive_failures + 1 >= 10) as verdict (worn_out)
  where held.organisation_id = endpoint.organisation_id and held.id = endpoint.id
$$;
comment on function jobs.count_outcome is 'Ten deliveries in a row that used up their attempts disable an active endpoint. The endpoint''s row is locked by the caller.';
