/*
 * Runs. A run is the key's person sending a message to their own conversation with the bot.
 * (docs/specification/runs.md#starting)
 */
create function api.start_run(input jsonb) returns text
language plpgsql
as $$
declare
  bot app.bots := api_private.bot_for_conversation((input ->> 'botId')::uuid);
  conversation uuid := api_private.conversation_with(bot.id);
  run uuid;
  ignored text; -- unused: assigning the result avoids a separate SQL statement
begin
  ignored := limits.require_payment();
  if conversation is null then
    -- The first conversation with the bot. The organisation is locked first, as in the runs of hooks and routines.
    perform api_private.lock_organisation();
    insert into app.conversations (organisation_id, bot_id, person_id)
    values (caller.organisation_id(), bot.id, caller.person_id())
    on conflict do nothing;
    conversation := api_private.conversation_with(bot.id);
  end if;

  insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, taint, start_at, concurrency_key, traceparent)
  values (
    caller.organisation_id(), bot.id, conversation, caller.person_id(), 'api', (input ->> 'untrusted')::boolean,
    (input ->> 'startAt')::timestamptz, input ->> 'concurrencyKey',
    input ->> 'traceparent' -- set by the API for tracing; not a field of the contract
  )
  returning id into run;
  if input ->> 'ifBusy' = 'reject' then perform api_private.require_free_key(run); end if;
  ignored := api_private.require_current_membership(); -- a concurrent removal of the member could not cancel this run
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (caller.organisation_id(), conversation, run, 'person', input ->> 'message');
  if input ? 'metadata' then
    insert into app.run_metadata (organisation_id, run_id, key, value)
    select caller.organisation_id(), run, pair.key, pair.value from jsonb_each_text(input -> 'metadata') pair;
  end if;

  -- Last in the order of refusals. A refusal rolls back the inserts.
  ignored := models.require_executor(bot.model);
  return api.get_run(jsonb_build_object('id', run));
end
$$;
grant execute on function api.start_run to tenant;

-- Cancelling an ended run changes nothing and announces nothing.
create function api.cancel_run(input jsonb) returns text
language plpgsql
as $$
begin
  perform errors.require_row(runs.cancel(caller.organisation_id(), (input ->> 'id')::uuid), 'forbidden');
  return api.get_run(input);
end
$$;
grant execute on function api.cancel_run to tenant;

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
    perform errors.refuse('not_found');
  end if;
  if run.person_id <> caller.person_id() then
    perform errors.refuse('forbidden', reason => 'not_own_conversation');
  end if;
  if not runs.resume(run.id, (input ->> 'untrusted')::boolean) then
    perform errors.refuse('conflict', reason => 'run_not_blocked');
  end if;
  if input ->> 'message' is not null then
    insert into app.messages (organisation_id, conversation_id, run_id, author, text)
    values (caller.organisation_id(), run.conversation_id, run.id, 'person', input ->> 'message');
  end if;
  return api.get_run(input);
end
$$;
grant execute on function api.resume_run to tenant;

-- Only the person of the run retries it, because the new run has their message.
create function api.retry_run(input jsonb) returns text
language plpgsql
as $$
declare
  retry uuid;
begin
  if not exists (select from app.runs where runs.id = (input ->> 'id')::uuid) then
    perform errors.refuse('not_found');
  end if;
  retry := runs.retry_own((input ->> 'id')::uuid, (input ->> 'fromStep')::integer, input ->> 'traceparent');
  perform api_private.require_current_membership();
  return api.get_run(jsonb_build_object('id', retry));
end
$$;
grant execute on function api.retry_run to tenant;

create function api.list_run_messages(input jsonb) returns text
language plpgsql stable
as $$
declare
  run uuid := (input ->> 'id')::uuid;
begin
  if not exists (
    select from app.runs join app.conversations own on own.id = runs.conversation_id where runs.id = run
  ) then
    perform errors.refuse('not_found');
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
    perform errors.refuse('not_found');
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
