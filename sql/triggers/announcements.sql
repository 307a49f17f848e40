/*
 * Events and their deliveries. The transaction that ends a run writes the event and a delivery for each active endpoint that
 * subscribes to it, and queues a job for the endpoint. (docs/specification/events.md#kinds)
 */
create function triggers.tg_runs__announce_finished() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.events (organisation_id, kind, data)
  select new.organisation_id, 'run.finished', row_to_json(finished)
  from (
    select
      new.id as "runId", new.bot_id as "botId", new.conversation_id as "conversationId",
      new.routine_id as "routineId", new.state, new.trigger, new.steps,
      new.spend_micro_cents as "spendMicroCents", new.taint, rows.time(new.finished_at) as "finishedAt"
  ) finished;
  return null;
end
$$;
comment on function triggers.tg_runs__announce_finished is 'Instead of row-level security: inserts with new.organisation_id. Writes the event run.finished.';

create trigger _500_announce_finished after update on app.runs
  for each row
  when (old.state is distinct from new.state and new.state in ('completed', 'failed', 'cancelled'))
  execute function triggers.tg_runs__announce_finished();

create function triggers.tg_events__deliver() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into app.deliveries (organisation_id, endpoint_id, event_id, event, ordered_run_id)
  select endpoint.organisation_id, endpoint.id, new.id, new.kind,
    case when endpoint.order_per_run then new.run_id end
  from app.webhook_endpoints endpoint
  where endpoint.organisation_id = new.organisation_id
    and endpoint.deleted_at is null
    and endpoint.state = 'active'
    and new.kind = any (endpoint.events)
    and rows.passes_filters(endpoint.bot_ids, endpoint.run_states, new.kind, new.data);
  return null;
end
$$;
comment on function triggers.tg_events__deliver is 'Instead of row-level security: endpoint.organisation_id = new.organisation_id. Creates a delivery for each active endpoint that subscribes to the event.';

-- A test event goes to one endpoint only; api.test_webhook writes its delivery.
create trigger _500_deliver after insert on app.events
  for each row when (new.kind <> 'webhook.test')
  execute function triggers.tg_events__deliver();

create function triggers.tg_deliveries__begin_round() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.attempts_before_round := new.attempts;
  new.max_attempts := new.attempts + (select settings.delivery_max_attempts from app.service_settings settings);
  new.next_attempt_at := times.clock();
  return new;
end
$$;
comment on function triggers.tg_deliveries__begin_round is 'Instead of row-level security: reads app.service_settings only, which has no organisation. Gives the delivery a new round of attempts, the first due now.';

create trigger _100_begin_round before insert on app.deliveries
  for each row execute function triggers.tg_deliveries__begin_round();

create function triggers.tg_deliveries__redeliver() returns trigger
language plpgsql
as $$
begin
  new.trigger := 'manual';
  return new;
end
$$;
comment on function triggers.tg_deliveries__redeliver is 'Marks the delivery as redelivered by a person.';

create trigger _050_redeliver before update on app.deliveries
  for each row when (old.state = 'failed' and new.state = 'pending')
  execute function triggers.tg_deliveries__redeliver();

create trigger _100_begin_round_again before update on app.deliveries
  for each row when (old.state = 'failed' and new.state = 'pending')
  execute function triggers.tg_deliveries__begin_round();

create function triggers.tg_deliveries__queue_endpoint() returns trigger
language plpgsql
security definer set search_path = ''
-- As for jobs.lease_deliveries. Otherwise PostgreSQL plans this for every delivery, over all partitions, before the
-- commit.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  -- Endpoints queued by this transaction. xmin does not show it: a block with an exception handler has its own id.
  queued constant text := coalesce(current_setting('triggers.queued_endpoints', true), '');
  earlier bigint;
begin
  if position(new.endpoint_id::text in queued) > 0 then
    return null;
  end if;
  earlier := (
    select count(*)
    from (
      select
      from app.deliveries before
      where before.organisation_id = new.organisation_id
        and before.endpoint_id = new.endpoint_id
        and before.state = 'pending'
        and before.next_attempt_at <= new.next_attempt_at
        and (before.next_attempt_at, before.id) < (new.next_attempt_at, new.id)
      order by before.next_attempt_at
      limit 20
    ) waiting
  );
  if earlier < 20 then
    perform jobs.queue_endpoint(new.organisation_id, new.endpoint_id);
    perform set_config('triggers.queued_endpoints', queued || new.endpoint_id::text || ' ', true);
  end if;
  return null;
end
$$;
comment on function triggers.tg_deliveries__queue_endpoint is 'Instead of row-level security: before.organisation_id = new.organisation_id. Queues a job for the endpoint. Does nothing if twenty deliveries are due before this one, or if this transaction has queued the endpoint: the existing jobs reach it.';

-- Deferred to the commit: the jobs of earlier deliveries must not all end before this delivery is visible.
create constraint trigger _500_queue_endpoint after insert on app.deliveries
  deferrable initially deferred
  for each row execute function triggers.tg_deliveries__queue_endpoint();

create constraint trigger _500_queue_endpoint_again after update on app.deliveries
  deferrable initially deferred
  for each row when (old.state = 'failed' and new.state = 'pending')
  execute function triggers.tg_deliveries__queue_endpoint();
