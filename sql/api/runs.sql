/*
 * Runs. A run is the key's person sending a message to their own conversation with the bot.
 * (docs/specification/runs.md#starting)
 */
create function api.get_run(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select row_to_json(run)::text into answer from rows.runs run where run.id = (input ->> 'id')::uuid;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;
grant execute on function api.get_run to tenant;

create function api.start_run(input jsonb) returns text
language plpgsql
as $$
declare
  bot app.bots := caller.bot_to_talk_to((input ->> 'botId')::uuid);
  conversation uuid := caller.conversation_with(bot.id);
  run uuid;
begin
  perform caller.require_payment();
  if conversation is null then
    -- The first conversation with the bot. The organisation is locked first, as in the runs of hooks and routines.
    perform caller.lock_organisation();
    insert into app.conversations (organisation_id, bot_id, person_id)
    values (caller.organisation_id(), bot.id, caller.person_id())
    on conflict do nothing;
    conversation := caller.conversation_with(bot.id);
  end if;

  insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, taint, traceparent)
  values (
    caller.organisation_id(), bot.id, conversation, caller.person_id(), 'api', (input ->> 'untrusted')::boolean,
    input ->> 'traceparent' -- set by the API for tracing; not a field of the contract
  )
  returning id into run;
  perform caller.require_current_membership(); -- a removal meanwhile did not see this run to cancel it
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (caller.organisation_id(), conversation, run, 'person', input ->> 'message');

  -- Last, because of the order of refusals; the refusal undoes the inserts.
  perform caller.require_executor(bot.model);
  return api.get_run(jsonb_build_object('id', run));
end
$$;
grant execute on function api.start_run to tenant;

create function caller.conversation_with(bot uuid) returns uuid
language sql stable
as $$
  select direct.id from app.conversations direct where direct.bot_id = bot and direct.person_id = caller.person_id()
$$;
comment on function caller.conversation_with is 'The caller''s own conversation with the bot, or null.';
grant execute on function caller.conversation_with to tenant;

-- Cancelling an ended run changes nothing and announces nothing.
create function api.cancel_run(input jsonb) returns text
language plpgsql
as $$
begin
  perform caller.cancel(caller.organisation_id(), (input ->> 'id')::uuid);
  return api.get_run(input);
end
$$;
grant execute on function api.cancel_run to tenant;

create function caller.cancel(organisation uuid, wanted uuid) returns void
language sql
as $$
  update app.runs run
  set state = 'cancelled'
  where run.organisation_id = organisation
    and run.id = wanted
    and run.state not in ('completed', 'failed', 'cancelled')
$$;
comment on function caller.cancel is 'Cancels the run unless it has ended. Policies decide whether the caller may.';
grant execute on function caller.cancel to tenant;

-- Only the person of the run resumes it; others who see the run may only cancel it. (Beyond the specification;
-- docs/specification/runs.md#resuming)
create function api.resume_run(input jsonb) returns text
language plpgsql
as $$
declare
  run app.runs;
begin
  select runs.* into run from app.runs where runs.id = (input ->> 'id')::uuid;
  if run.id is null then
    perform caller.refuse('not_found');
  end if;
  if run.person_id <> caller.person_id() then
    perform caller.refuse('forbidden', reason => 'not_own_conversation');
  end if;
  if not caller.resume(run.id, (input ->> 'untrusted')::boolean) then
    perform caller.refuse('conflict', reason => 'run_not_blocked');
  end if;
  if input ->> 'message' is not null then
    insert into app.messages (organisation_id, conversation_id, run_id, author, text)
    values (caller.organisation_id(), run.conversation_id, run.id, 'person', input ->> 'message');
  end if;
  return api.get_run(input);
end
$$;
grant execute on function api.resume_run to tenant;

create function caller.resume(wanted uuid, untrusted boolean) returns boolean
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: a blocked run of the caller, with scope write. A policy cannot require the former
-- state.
begin
  update app.runs run
  set state = 'queued', taint = run.taint or untrusted
  where run.organisation_id = caller.organisation_id()
    and run.id = wanted
    and run.person_id = caller.person_id()
    and caller.scope() >= 'write'
    and run.state = 'blocked';
  return found;
end
$$;
comment on function caller.resume is 'Instead of row-level security: a blocked run of the caller. Queues it again, tainted if the new message is untrusted; false if it was not blocked.';
grant execute on function caller.resume to tenant;

create function api.list_run_messages(input jsonb) returns text
language plpgsql stable
as $$
declare
  run uuid := (input ->> 'id')::uuid;
begin
  if not exists (
    select from app.runs join app.conversations own on own.id = runs.conversation_id where runs.id = run
  ) then
    perform caller.refuse('not_found');
  end if;
  return (
    select rows.page(array_agg(row_to_json(message) order by message.id desc), input)
    from (
      select * from rows.messages
      where "runId" = run and id < rows.before(input)
      order by id desc
      limit (input ->> 'limit')::integer + 1
    ) message
  );
end
$$;
grant execute on function api.list_run_messages to tenant;

create function api.list_run_steps(input jsonb) returns text
language plpgsql stable
as $$
declare
  run uuid := (input ->> 'id')::uuid;
begin
  if not exists (select from app.runs where runs.id = run) then
    perform caller.refuse('not_found');
  end if;
  return (
    select rows.page(
      array_agg(row_to_json(step) order by step.number desc), input,
      array_agg(rows.step_place(step.number) order by step.number desc)
    )
    from (
      select * from rows.steps
      where "runId" = run and rows.step_place(number) < rows.before(input) -- a run has few steps
      order by number desc
      limit (input ->> 'limit')::integer + 1
    ) step
  );
end
$$;
grant execute on function api.list_run_steps to tenant;

create function caller.bot_to_talk_to(wanted uuid) returns app.bots
language plpgsql stable
as $$
declare
  bot app.bots;
begin
  select bots.* into bot
  from app.bots
  where bots.id = wanted
    and bots.deleted_at is null
    and (bots.direct_conversation = 'members' or bots.owner_id = caller.person_id());
  if bot.id is null then
    perform caller.refuse('not_found');
  end if;
  return bot;
end
$$;
comment on function caller.bot_to_talk_to is 'The bot, if the caller sees it and may have a direct conversation with it; else not_found.';
grant execute on function caller.bot_to_talk_to to tenant;

create function caller.require_payment() returns void
language plpgsql stable
as $$
begin
  if not exists (
    select from app.organisations organisation
    where organisation.id = caller.organisation_id()
      and (
        organisation.billing_state = 'active'
        or (organisation.billing_state = 'trial' and organisation.trial_ends_at > now())
      )
  ) then
    perform caller.refuse('payment_required', reason => 'billing_inactive');
  end if;
end
$$;
comment on function caller.require_payment is 'Refuses unless the organisation pays or its trial has not ended.';
grant execute on function caller.require_payment to tenant;
