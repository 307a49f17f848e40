/*
 * Retries of ended runs: a new run of the same message. It may continue with the results of the first steps.
 * (docs/specification/runs.md#retrying)
 */
create function runs.max_retries() returns integer
language sql immutable
return 20;
comment on function runs.max_retries is 'How often a run is retried at most, with retries of its retries.';

create function runs.count_retries(organisation uuid, retried uuid) returns integer
language sql stable
as $$
  with recursive ancestor as (
    select run.id, run.retry_of from app.runs run where run.organisation_id = organisation and run.id = retried
    union all
    select run.id, run.retry_of
    from ancestor
    join app.runs run on run.organisation_id = organisation and run.id = ancestor.retry_of
  ), family as (
    select ancestor.id from ancestor where ancestor.retry_of is null
    union all
    select run.id
    from family
    join app.runs run on run.organisation_id = organisation and run.retry_of = family.id and run.retry_of is not null
  )
  select count(*)::integer - 1 from family
$$;
comment on function runs.count_retries is 'How many retries the first of these runs has, with retries of its retries.';

create function runs.require_retryable(retried app.runs) returns void
language plpgsql
as $$
begin
  perform limits.lock_organisation(retried.organisation_id); -- the count below stays true
  if not exists (
    select
    from app.bots bot
    join app.memberships member on member.organisation_id = bot.organisation_id and member.person_id = retried.person_id
    where bot.organisation_id = retried.organisation_id
      and bot.id = retried.bot_id
      and runs.is_open_to(bot, retried.person_id)
  ) then
    perform errors.refuse('not_found');
  end if;
  perform limits.require_payment();
  if not rows.is_end(retried.state) then
    perform errors.refuse('conflict', reason => 'run_not_ended');
  end if;
  if runs.count_retries(retried.organisation_id, retried.id) >= runs.max_retries() then
    perform errors.refuse('conflict', reason => 'run_retried_too_often');
  end if;
end
$$;
comment on function runs.require_retryable is 'Refuses unless the run has ended and its person could start it now. Locks the organisation.';

-- An erasure either waits for the memories that it would erase, or has deleted the results already.
create function runs.copy_results(retried app.runs, retry app.runs) returns void
language plpgsql
as $$
declare
  copied integer := 0;
begin
  if not erasure.cites_erased(retry.organisation_id, array(
    select distinct unnest(stored.memory_ids)
    from app.step_results stored
    where stored.organisation_id = retried.organisation_id and stored.run_id = retried.id and stored.number <= retry.steps
  )) then
    insert into app.steps (organisation_id, run_id, number, kind, key, reused_at)
    select retry.organisation_id, retry.id, step.number, step.kind, step.key, now()
    from app.steps step
    where step.organisation_id = retried.organisation_id and step.run_id = retried.id and step.number <= retry.steps
    order by step.number;
    insert into app.step_results (organisation_id, run_id, conversation_id, key, number, result, memory_ids)
    select retry.organisation_id, retry.id, retry.conversation_id, stored.key, stored.number, stored.result, stored.memory_ids
    from app.step_results stored
    where stored.organisation_id = retried.organisation_id and stored.run_id = retried.id and stored.number <= retry.steps;
    get diagnostics copied = row_count;
  end if;
  if copied < retry.steps then
    perform errors.refuse('conflict', reason => 'step_without_result');
  end if;
end
$$;
comment on function runs.copy_results is 'Gives a retry the first steps of its run with their results, free of charge. Refuses with conflict if one of them has no result.';

create function runs.retry(retried app.runs, from_step integer default 1, traceparent text default null) returns uuid
language plpgsql
as $$
declare
  retry app.runs;
begin
  perform runs.require_retryable(retried);
  insert into app.runs (
    organisation_id, bot_id, conversation_id, person_id, trigger, taint, retry_of, steps, concurrency_key,
    traceparent
  )
  values (
    retried.organisation_id, retried.bot_id, retried.conversation_id, retried.person_id, 'api', retried.taint, retried.id,
    from_step - 1,
    -- An erasure has deleted the key already, or finds the run locked and is not complete.
    (select run.concurrency_key from app.runs run where run.organisation_id = retried.organisation_id and run.id = retried.id for share),
    traceparent
  )
  returning * into retry;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  select retry.organisation_id, retry.conversation_id, retry.id, message.author, message.text
  from app.messages message
  where message.organisation_id = retried.organisation_id and message.run_id = retried.id
  order by message.id
  limit 1;
  insert into app.run_metadata (organisation_id, run_id, key, value)
  select retry.organisation_id, retry.id, pair.key, pair.value
  from app.run_metadata pair
  where pair.organisation_id = retried.organisation_id and pair.run_id = retried.id
  for key share; -- as for the key: an erasure waits, then finds the copy
  if retry.steps > 0 then
    perform runs.copy_results(retried, retry);
  end if;
  perform models.require_executor((
    select bots.model from app.bots where bots.organisation_id = retry.organisation_id and bots.id = retry.bot_id
  ));
  return retry.id;
end
$$;
comment on function runs.retry is 'Starts a run with the message, the metadata and the concurrency key of an ended run, which continues at a step. Returns its id. Refuses as POST /runs does.';

create function runs.retry_own(wanted uuid, from_step integer, traceparent text) returns uuid
language plpgsql
security definer set search_path = ''
as $$
declare
  retried app.runs;
begin
  select run.* into retried
  from app.runs run
  where run.organisation_id = caller.organisation_id()
    and run.id = wanted
    and run.person_id = caller.person_id()
    and caller.scope() >= 'write';
  if retried.id is null then
    perform errors.refuse('forbidden', reason => 'not_own_conversation');
  end if;
  return runs.retry(retried, from_step, traceparent);
end
$$;
comment on function runs.retry_own is 'Instead of row-level security: run.person_id = caller.person_id() and caller.scope() >= ''write''. Retries a run of the caller.';
grant execute on function runs.retry_own to tenant;

-- Of bots that have this model now. Without runs that were retried since, and runs that their person could not start.
create function runs.failed_of_model(organisation uuid, model text, since timestamptz, until timestamptz)
returns setof app.runs
language sql stable
as $$
  select run.*
  from app.runs run
  join app.bots bot on bot.organisation_id = run.organisation_id and bot.id = run.bot_id
  join app.memberships member on member.organisation_id = run.organisation_id and member.person_id = run.person_id
  where run.organisation_id = organisation
    and run.state = 'failed'
    and run.id >= times.least_id(since)
    and run.created_at >= since
    and run.created_at < coalesce(until, 'infinity')
    and bot.model = failed_of_model.model
    and runs.is_open_to(bot, run.person_id)
    and not exists (
      select from app.runs retry where retry.organisation_id = run.organisation_id and retry.retry_of = run.id
    )
    and (run.retry_of is null or runs.count_retries(run.organisation_id, run.id) < runs.max_retries())
$$;
comment on function runs.failed_of_model is 'The failed runs that started in this time and can be retried. For definer functions only.';

create function runs.failed_of_organisations(organisation uuid, model text, since timestamptz, until timestamptz)
returns setof app.runs
language sql stable
as $$
  select run.*
  from app.organisations each
  cross join lateral runs.failed_of_model(each.id, model, since, until) run
  where organisation is null or each.id = organisation
$$;
comment on function runs.failed_of_organisations is 'As runs.failed_of_model, of one organisation, or of all if none is given. For definer functions only.';
