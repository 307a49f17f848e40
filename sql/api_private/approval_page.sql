-- The locks keep members and bot unchanged until the answer is written. Other writers lock in this order too: a change
-- of members locks the organisation first, and the deletion of a bot locks the bot before its runs.
create function api_private.approval_to_answer() returns app.approvals
language plpgsql
as $$
declare
  approval app.approvals;
begin
  select approvals.* into approval from app.approvals where approvals.id = caller.approval_id();
  perform set_config('caller.organisation_id', approval.organisation_id::text, true),
    set_config('caller.person_id', approval.person_id::text, true);
  perform limits.lock_organisation(approval.organisation_id);
  perform from app.bots bot where bot.organisation_id = approval.organisation_id and bot.id = approval.bot_id for share;
  perform from app.runs run
  where run.organisation_id = approval.organisation_id and run.id = approval.run_id
  for no key update;
  select approvals.* into approval
  from app.approvals
  where approvals.organisation_id = approval.organisation_id and approvals.id = approval.id
  for no key update;
  return approval;
end
$$;
comment on function api_private.approval_to_answer is 'The approval of the presented token, locked together with the rows that its answer depends on.';
grant execute on function api_private.approval_to_answer to tenant;

create function api_private.require_approver(approval app.approvals) returns void
language plpgsql stable
as $$
begin
  if not exists (
    select from app.memberships member
    join app.bots bot
      on bot.organisation_id = member.organisation_id
      and bot.id = approval.bot_id
      and bot.deleted_at is null
      and (bot.visibility = 'team' or bot.owner_id = member.person_id)
    where member.organisation_id = approval.organisation_id and member.person_id = approval.person_id
  ) then
    perform errors.refuse('forbidden');
  end if;
end
$$;
comment on function api_private.require_approver is 'Refuses unless the person of the approval is still a member and still sees its bot.';
grant execute on function api_private.require_approver to tenant;

create function api_private.answer(approval app.approvals, answer app.approval_state, comment text default null) returns void
language plpgsql
as $$
declare
  run app.runs;
begin
  update app.approvals
  set state = answer.answer, answered_at = clock_timestamp(), comment = answer.comment
  where approvals.organisation_id = approval.organisation_id and approvals.id = approval.id;
  if answer = 'approved' and approval.kind <> 'question' then
    select runs.* into run
    from app.runs
    where runs.organisation_id = approval.organisation_id and runs.id = approval.run_id;
    perform case approval.kind
      when 'memory' then runner.write_memory(run, approval.proposal, approval.person_id)
      when 'run' then runner.write_run(run, approval.proposal)
    end;
  end if;
end
$$;
comment on function api_private.answer is 'Writes the answer to a locked approval, and what it proposed if approved. For definer functions that have checked the caller.';

create function api_private.shown_approval(approval app.approvals) returns text
language sql stable
as $$
  select row_to_json(page)::text
  from (
    select
      rows.approval_state(approval.state, approval.expires_at) as state,
      approval.kind,
      organisation.name as organisation,
      bot.name as bot,
      approval.question,
      approval.reason,
      rows.proposed_memory(approval.kind, approval.proposal) as memory,
      case approval.kind when 'run' then json_build_object(
        'bot', (
          select other.name
          from app.bots other
          where other.organisation_id = approval.organisation_id and other.id = (approval.proposal ->> 'botId')::uuid
        ),
        'message', approval.proposal ->> 'message'
      ) end as run,
      run.taint,
      rows.time(run.created_at) as "startedAt",
      (
        select left(message.text, 1000)
        from app.messages message
        where message.organisation_id = approval.organisation_id and message.run_id = approval.run_id
        order by message.id
        limit 1
      ) as began,
      rows.time(approval.expires_at) as "expiresAt",
      rows.time(approval.answered_at) as "answeredAt",
      approval.comment
    from app.organisations organisation
    join app.bots bot on bot.organisation_id = organisation.id and bot.id = approval.bot_id
    join app.runs run on run.organisation_id = organisation.id and run.id = approval.run_id
    where organisation.id = approval.organisation_id
  ) page
$$;
comment on function api_private.shown_approval is 'The body of the approval''s page.';
