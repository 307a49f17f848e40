/*
 * What happened to a run is seen by whoever sees the run; what was said and asked only by whoever may read that, so that
 * to others its number is missing. (decisions: "Beyond the specification", 1.)
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
  'What happened to runs that the caller sees; what was said and asked in them only where the caller reads that.';

grant select on app.run_events to tenant;
-- No write: what happened is told by triggers.
