/*
 * Cards. An executor raises one and never answers it: the way to its answer is mailed to the person whose conversation
 * the run belongs to. (Part 3, "waiting_approval"; decisions: section 4.)
 */
create function runner.raise_approval(
  run app.runs, kind app.approval_kind, question text, reason text, proposal jsonb, expires_in interval
) returns uuid
language sql
set search_path = ''
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
comment on function runner.raise_approval is 'Raises a card for the person of the run. Answers its id.';

create function runner.ask_approval(
  organisation uuid, run uuid, lease uuid, question text, reason text, expires_in interval default interval '3 days'
) returns uuid
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
  raised uuid;
begin
  if char_length(question) between 1 and 2000 is not true or char_length(reason) between 1 and 2000 is not true then
    raise exception using errcode = '22023', message = 'a question and its reason have 1 to 2000 characters each';
  end if;
  if expires_in between interval '1 minute' and interval '30 days' is not true then
    raise exception using errcode = '22023', message = 'a card expires in 1 minute to 30 days';
  end if;
  if runner.fail_over_time(working) then
    return null;
  end if;
  raised := runner.raise_approval(working, 'question', question, reason, null, expires_in);
  update app.runs held
  set state = 'waiting_approval'
  where held.organisation_id = organisation and held.id = run;
  return raised;
end
$$;
comment on function runner.ask_approval is 'Instead of row-level security: the lease of the run. The run waits, and its lease ends, until the person has answered or the card expires; answers the id of the card, or null when the run had worked longer than it may and has failed.';

-- Cards expire by the clock alone: whoever reads one sees it, whoever answers one too late is refused. This is what lets
-- the runs go on that waited for them, and it is done by those who would take them: where no executor lives, nothing could.
create function runner.expire_approvals() returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: only its owner may call it; it ends what time has decided.
  with late as (
    select approval.organisation_id, approval.id
    from app.approvals approval
    join app.runs run on run.organisation_id = approval.organisation_id and run.id = approval.run_id
    where approval.state = 'pending' and approval.expires_at <= now()
    for no key update of run skip locked
  )
  update app.approvals approval
  set state = 'expired'
  from late
  where approval.organisation_id = late.organisation_id and approval.id = late.id and approval.state = 'pending'
$$;
comment on function runner.expire_approvals is 'Instead of row-level security: only its owner may call it.';

create function runner.approvals(run app.runs) returns json
language sql stable
set search_path = ''
as $$
  select coalesce(json_agg(row_to_json(card) order by card.id), '[]')
  from (
    select approval.id, approval.kind, approval.question,
      rows.approval_state(approval.state, approval.expires_at) as state,
      rows.time(approval.answered_at) as "answeredAt"
    from app.approvals approval
    where approval.organisation_id = run.organisation_id and approval.run_id = run.id
  ) card
$$;
comment on function runner.approvals is 'The cards that the run has raised, oldest first, so that whoever goes on with it knows the answers.';
