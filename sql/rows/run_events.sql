/*
 * Event of a run: its name and its data. The last event of a run is `end`. (docs/specification/runs.md#event-stream)
 */
create function rows.is_end(state app.run_state) returns boolean
language sql immutable parallel safe
as $$ select state in ('completed', 'failed', 'cancelled') $$;
comment on function rows.is_end is 'Whether a run in this state has ended.';
grant execute on function rows.is_end to tenant;

create view rows.run_events with (security_invoker = true) as
select
  event.run_id as "runId",
  event.number,
  case
    when rows.is_end(event.state) then 'end'
    when event.state is not null then 'state'
    when event.step_number is not null then 'step'
    when event.message_id is not null then 'message'
    else 'approval'
  end as event,
  case
    -- The run as it was when it entered the state. The event stores all fields that change later, except for the
    -- outcome.
    when event.state is not null then (
      select row_to_json(jsonb_populate_record(run, jsonb_build_object(
        'state', event.state, 'taint', event.taint, 'steps', event.steps, 'spendMicroCents', event.spend_micro_cents
      ) || case when rows.is_end(event.state) then '{}' else '{"error": null, "finishedAt": null}'::jsonb end))
      from rows.runs run
      where run.id = event.run_id
    )
    when event.step_number is not null then (
      select row_to_json(step) from rows.steps step where step."runId" = event.run_id and step.number = event.step_number
    )
    when event.message_id is not null then (
      select row_to_json(message) from rows.messages message where message.id = event.message_id
    )
    else (
      -- The approval as it was raised, with the fields of the event approval.needed.
      select row_to_json(raised)
      from (
        select approval.id as "approvalId", approval."runId", approval."botId", approval."conversationId",
          approval.kind, 'pending' as state, approval."createdAt", approval."expiresAt"
        from rows.approvals approval where approval.id = event.approval_id
      ) raised
    )
  end as data
from app.run_events event
-- Without events of erased approvals. Their rows remain, because a reader may have stopped at that number.
where num_nonnulls(event.state, event.step_number, event.message_id, event.approval_id) = 1;
grant select on rows.run_events to tenant;
