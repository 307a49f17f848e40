/*
 * A run started by a run belongs to the same person and meets the same checks as if they had sent the message. It has
 * its parent's trigger, so both count against the same limit.
 */
create function runner.write_run(parent app.runs, proposed jsonb) returns uuid
language plpgsql
as $$
declare
  bot uuid;
  conversation uuid;
  started uuid;
begin
  select bots.id into bot
  from app.bots
  join app.memberships member
    on member.organisation_id = bots.organisation_id and member.person_id = parent.person_id
  where bots.organisation_id = parent.organisation_id
    and bots.id = (proposed ->> 'botId')::uuid
    and runs.is_open_to(bots, parent.person_id);
  if bot is null then
    perform errors.refuse('not_found');
  end if;
  perform limits.require_payment();
  conversation := runs.ensure_conversation(parent.organisation_id, bot, parent.person_id);
  insert into app.runs (
    organisation_id, bot_id, conversation_id, person_id, routine_id, trigger, parent_run_id
  )
  values (
    parent.organisation_id, bot, conversation, parent.person_id, parent.routine_id, parent.trigger, parent.id
  )
  returning id into started;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (parent.organisation_id, conversation, started, 'bot', proposed ->> 'message');
  perform models.require_executor((
    select bots.model from app.bots where bots.organisation_id = parent.organisation_id and bots.id = bot
  ));
  return started;
exception when data_exception or integrity_constraint_violation then
  perform errors.refuse('invalid_request');
end
$$;
comment on function runner.write_run is 'Starts a child run in the conversation of the parent''s person with the bot. Refuses as POST /runs does.';

create function runner.started_before(run app.runs, proposed jsonb) returns json
language sql stable
as $$
  select coalesce(
    (
      select json_build_object('runId', child.id)
      from app.conversations direct
      join app.messages first
        on first.organisation_id = direct.organisation_id
        and first.conversation_id = direct.id
        and first.id > run.id
        and first.author = 'bot'
        and first.text = proposed ->> 'message'
      join app.runs child
        on child.organisation_id = first.organisation_id and child.id = first.run_id and child.parent_run_id = run.id
      where direct.organisation_id = run.organisation_id
        and direct.bot_id = (proposed ->> 'botId')::uuid
        and direct.person_id = run.person_id
        and not exists (
          select from app.messages earlier
          where earlier.organisation_id = first.organisation_id
            and earlier.run_id = first.run_id
            and earlier.id < first.id
        )
      order by child.id
      limit 1
    ),
    (
      select json_build_object('approvalId', approval.id)
      from app.approvals approval
      where approval.organisation_id = run.organisation_id
        and approval.run_id = run.id
        and approval.kind = 'run'
        and approval.proposal = proposed
      order by approval.id
      limit 1
    )
  )
$$;
comment on function runner.started_before is 'The result of the same start by the same run: same bot and message. Null if there is none.';

create function runner.start_run(organisation uuid, run uuid, lease uuid, bot uuid, message text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs;
  proposed constant jsonb := jsonb_build_object('botId', bot, 'message', message);
  before json;
begin
  -- Locks the organisation before the parent run: the lock order of deleting a bot and of answering an approval.
  perform limits.lock_organisation(organisation);
  working := runner.leased_run(organisation, run, lease);
  before := runner.started_before(working, proposed);
  if before is not null then
    return before;
  end if;
  if not working.taint then
    return json_build_object('runId', runner.write_run(working, proposed));
  end if;
  begin
    perform runner.write_run(working, proposed);
    raise exception using errcode = 'OA003', message = 'undone'; -- it is valid: undo it, and ask the person
  exception when sqlstate 'OA003' then
    return json_build_object('approvalId', runner.raise_approval(
      working, 'run', null, null, proposed, interval '3 days'
    ));
  end;
end
$$;
comment on function runner.start_run is 'Instead of row-level security: runner.leased_run, for the lease of the run. Returns runId if the run was started, or approvalId if a person must approve it first.';
grant execute on function runner.start_run to executor;
