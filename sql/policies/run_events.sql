/*
 * Events of a run are visible with the run. An event of a message or an approval is visible only with that row; for
 * other callers its number is missing. (docs/specification/runs.md#event-stream)
 */
create policy select_of_visible on app.run_events
  for select to tenant
  using (
    organisation_id = (select caller.organisation_id())
    and exists (
      select from app.runs run
      where run.organisation_id = run_events.organisation_id and run.id = run_events.run_id -- runs' own policy decides
    )
    and (message_id is null or exists (
      select from app.messages message -- messages' own policy decides
      where message.organisation_id = run_events.organisation_id and message.id = run_events.message_id
    ))
    and (approval_id is null or exists (
      select from app.approvals approval -- approvals' own policy decides
      where approval.organisation_id = run_events.organisation_id and approval.id = run_events.approval_id
    ))
  );
comment on policy select_of_visible on app.run_events is
  'Events of runs that the caller sees. Events of messages and approvals only if the caller reads these.';

grant select on app.run_events to tenant;
-- Not granted: any write. Triggers write run events.
