/*
 * Approvals. An executor raises an approval and never answers it: the link to answer is mailed to the run's person.
 * (docs/specification/approvals.md)
 */
create function runner.raise_approval(
  run app.runs, kind app.approval_kind, question text, reason text, proposal jsonb, expires_in interval
) returns uuid
language sql
as $$
  insert into app.approvals (
    organisation_id, run_id, bot_id, conversation_id, person_id, kind, question, reason, proposal, expires_at
  )
  values (
    run.organisation_id, run.id, run.bot_id, run.conversation_id, run.person_id, kind, question, reason, proposal,
    now() + expires_in
  )
  returning id
$$;
comment on function runner.raise_approval is 'Raises an approval for the run''s person. Returns its id.';

create function runner.ask_approval(
  organisation uuid, run uuid, lease uuid, question text, reason text, expires_in interval default interval '3 days'
) returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
  raised uuid;
begin
  perform runner.require(
    char_length(question) between 1 and 2000 and char_length(reason) between 1 and 2000,
    'a question and its reason have 1 to 2000 characters each'
  );
  perform runner.require(
    expires_in between interval '1 minute' and interval '30 days', 'an approval expires in 1 minute to 30 days'
  );
  if runner.fail_over_time(working) then
    return null;
  end if;
  raised := runner.raise_approval(working, 'question', question, reason, null, expires_in);
  update app.runs
  set state = 'waiting_approval'
  where runs.organisation_id = organisation and runs.id = run;
  return raised;
end
$$;
comment on function runner.ask_approval is 'Instead of row-level security: runner.leased_run, for the lease of the run. The run waits without a lease until the person answers or the approval expires. Returns the approval''s id, or null if the run exceeded its working time and has failed.';
grant execute on function runner.ask_approval to executor;

-- Approvals expire by the clock: readers and answers compare expires_at themselves. This function lets the waiting runs
-- continue. Executors call it when they lease a run: without an executor no run could continue.
create function runner.expire_approvals() returns setof app.runs
language sql
security definer set search_path = ''
as $$
  with late as (
    select approval.organisation_id, approval.id
    from app.approvals approval
    join app.runs run on run.organisation_id = approval.organisation_id and run.id = approval.run_id
    where approval.state = 'pending' and approval.expires_at <= now()
    for no key update of run skip locked
  ), expired as (
    update app.approvals approval
    set state = 'expired'
    from late
    where approval.organisation_id = late.organisation_id and approval.id = late.id and approval.state = 'pending'
    returning approval.organisation_id, approval.run_id
  )
  select run.*
  from expired
  join app.runs run on run.organisation_id = expired.organisation_id and run.id = expired.run_id
$$;
comment on function runner.expire_approvals is 'Instead of row-level security: only owner may execute it. Returns the runs of these approvals, as they were before.';

create function runner.approvals(run app.runs) returns json
language sql stable
as $$
  select coalesce(json_agg(row_to_json(raised) order by raised.id), '[]')
  from (
    select approval.id, approval.kind, approval.question,
      rows.approval_state(approval.state, approval.expires_at) as state,
      rows.time(approval.answered_at) as "answeredAt",
      approval.comment
    from app.approvals approval
    where approval.organisation_id = run.organisation_id and approval.run_id = run.id
  ) raised
$$;
comment on function runner.approvals is 'The approvals that the run has raised, oldest first, so that the executor that continues it knows the answers.';
