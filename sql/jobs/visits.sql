/*
 * Visits. All that the visits of a worker have to say at a moment is said in one statement: what came of the attempts
 * they made, and which deliveries they are given next. Who gets how many is decided here, by counting the claims that
 * are under way: some hundred rows at most, however many wait. (docs/deliveries.md, "Deliveries".)
 *
 * Endpoints are locked before their deliveries, in the order of their keys, here as everywhere; and whoever changes the
 * state of a delivery holds the lock of its endpoint.
 */
create function jobs.lease() returns interval
language sql immutable
return interval '12 seconds';
comment on function jobs.lease is 'How long a claim holds: two seconds more than an attempt may take, so that a worker that has not recorded by then is lost. (Part 6, rule 3.)';

create function jobs.attend(visits json, outcomes json)
returns table (
  endpoint_id uuid, delivery_id uuid, claim_id uuid, url text, secret_sealed bytea, event app.event_kind, body text
)
language plpgsql
security definer
set search_path = ''
-- It is asked all day, of tables that are now empty and now full: by a key, or in the order of one. Over partitions,
-- planning for the values of each call would take longer than what is planned.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
-- In place of row-level security: the worker names the endpoints it visits and, of each attempt, the claim it was given.
declare
  some_ended boolean;
  some_hand_over boolean;
begin
  select
    bool_or(visited.state = 'disabled' or visited.deleted_at is not null),
    bool_or(visited.hand_over)
  into some_ended, some_hand_over
  from (
    select held.state, held.deleted_at, visit."handOver" as hand_over
    from (
      select given."organisationId", given."endpointId", given."handOver"
      from json_to_recordset(visits) given ("organisationId" uuid, "endpointId" uuid, "handOver" boolean)
      order by given."organisationId", given."endpointId"
    ) visit
    cross join lateral (
      select endpoint.state, endpoint.deleted_at
      from app.webhook_endpoints endpoint
      where endpoint.organisation_id = visit."organisationId" and endpoint.id = visit."endpointId"
      for no key update
    ) held
  ) visited;

  if json_array_length(outcomes) > 0 then
    perform jobs.record_outcomes(outcomes);
  end if;
  if some_ended then
    perform jobs.fail_left_behind(visits);
  end if;
  return query select * from jobs.claim_due(visits);
  if some_hand_over then
    perform jobs.hand_over(visits);
  end if;
end
$$;
comment on function jobs.attend is 'Instead of row-level security: the endpoints visited, and the claims under which attempts were made. visits: [{ organisationId, endpointId, more, handOver }], each endpoint once; outcomes: see jobs.record_outcomes. Answers what to post next to the endpoints of visits that want more.';

create function jobs.claim_due(visits json)
returns table (
  endpoint_id uuid, delivery_id uuid, claim_id uuid, url text, secret_sealed bytea, event app.event_kind, body text
)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  present timestamptz := jobs.clock();
begin
  return query
  with
    -- Looked up one by one, however large the planner takes the table to be.
    visited as materialized (
      select
        endpoint.organisation_id, endpoint.id, endpoint.url, endpoint.secret_sealed,
        endpoint.troubled_since is not null as troubled
      from json_to_recordset(visits) visit ("organisationId" uuid, "endpointId" uuid, more boolean)
      cross join lateral (
        select held.*
        from app.webhook_endpoints held
        where held.organisation_id = visit."organisationId" and held.id = visit."endpointId"
        limit 1
      ) endpoint
      where visit.more and endpoint.state = 'active' and endpoint.deleted_at is null
    ),
    live as materialized (
      select held.organisation_id, held.endpoint_id, count(*) as claims
      from app.deliveries held
      where held.claim_id is not null and held.claimed_until > present
      group by held.organisation_id, held.endpoint_id
    ),
    -- The oldest that are due, as far as the endpoint's share goes: one alone while it is in trouble.
    candidate as (
      select
        visited.*, due.id as delivery_id,
        coalesce(live.claims, 0) + row_number() over (partition by visited.id order by due.next_attempt_at) as nth,
        settings.delivery_slots, settings.delivery_share_of_organisation
      from visited
      cross join app.service_settings settings
      left join live on live.organisation_id = visited.organisation_id and live.endpoint_id = visited.id
      cross join lateral (
        select waiting.id, waiting.next_attempt_at
        from app.deliveries waiting
        where waiting.organisation_id = visited.organisation_id
          and waiting.endpoint_id = visited.id
          and waiting.state = 'pending'
          and waiting.next_attempt_at <= present
          and (waiting.claimed_until is null or waiting.claimed_until <= present)
        order by waiting.next_attempt_at
        limit greatest(
          0,
          case when visited.troubled then 1 else settings.delivery_share_of_endpoint end - coalesce(live.claims, 0)
        )
      ) due
    ),
    ranked as (
      select
        candidate.*,
        row_number() over (order by candidate.nth) as in_service,
        row_number() over (partition by candidate.organisation_id order by candidate.nth) as in_organisation,
        row_number() over (partition by candidate.troubled order by candidate.nth) as in_trouble
      from candidate
    ),
    claimed as (
      update app.deliveries held
      set claim_id = uuidv7(), claimed_until = present + jobs.lease()
      from ranked
      where held.organisation_id = ranked.organisation_id
        and held.id = ranked.delivery_id
        -- The first at an endpoint is always granted: so nobody is starved by others of its organisation, and where
        -- something is refused another attempt is under way, whose visit asks again when it has ended.
        and (
          ranked.nth = 1
          or (
            ranked.in_organisation
              + (select coalesce(sum(live.claims), 0) from live where live.organisation_id = held.organisation_id)
              <= ranked.delivery_share_of_organisation
            -- The last quarter is kept for endpoints at which nothing is under way.
            and ranked.in_service + (select coalesce(sum(live.claims), 0) from live) <= ranked.delivery_slots * 3 / 4
          )
        )
        -- All that are in trouble have half of the service together: what is refused here is found by jobs.sweep.
        and (
          not ranked.troubled
          or ranked.in_trouble + (
            select coalesce(sum(live.claims), 0)
            from live
            join app.webhook_endpoints endpoint
              on endpoint.organisation_id = live.organisation_id and endpoint.id = live.endpoint_id
            where endpoint.troubled_since is not null
          ) <= ranked.delivery_slots / 2
        )
      returning
        held.organisation_id, held.endpoint_id, held.id, held.claim_id, held.event, held.event_id,
        ranked.url, ranked.secret_sealed
    )
  select
    claimed.endpoint_id, claimed.id, claimed.claim_id, claimed.url, claimed.secret_sealed, claimed.event,
    jobs.payload(claimed.id, announced)
  from claimed
  join app.events announced on announced.organisation_id = claimed.organisation_id and announced.id = claimed.event_id;
end
$$;
comment on function jobs.claim_due is 'Claims what is due at the endpoints of visits that want more, within everybody''s fair share. The endpoints'' rows are locked by the caller.';

create function jobs.hand_over(visits json) returns void
language sql
set search_path = ''
as $$
  select jobs.queue_visit(visit."organisationId", visit."endpointId", again => true)
  from json_to_recordset(visits) visit ("organisationId" uuid, "endpointId" uuid, "handOver" boolean)
  where visit."handOver"
    and exists (
      select
      from app.deliveries waiting
      where waiting.organisation_id = visit."organisationId"
        and waiting.endpoint_id = visit."endpointId"
        and waiting.state = 'pending'
        and waiting.next_attempt_at <= jobs.clock()
        and waiting.claim_id is null
    )
$$;
comment on function jobs.hand_over is 'Queues another visit where one ends its turn and leaves something that is due.';

create function jobs.fail_left_behind(visits json) returns void
language sql
set search_path = ''
as $$
  update app.deliveries held
  set state = 'failed', next_attempt_at = null, claim_id = null, claimed_until = null
  from json_to_recordset(visits) visit ("organisationId" uuid, "endpointId" uuid)
  join app.webhook_endpoints endpoint
    on endpoint.organisation_id = visit."organisationId" and endpoint.id = visit."endpointId"
  where (endpoint.state = 'disabled' or endpoint.deleted_at is not null)
    and held.organisation_id = endpoint.organisation_id
    and held.endpoint_id = endpoint.id
    and held.state = 'pending'
    and (held.claimed_until is null or held.claimed_until <= jobs.clock())
$$;
comment on function jobs.fail_left_behind is 'Ends what a lost worker had under way at an endpoint that was disabled or deleted meanwhile.';
