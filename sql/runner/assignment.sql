/*
 * The assignment: the data that an executor receives with a leased run. Each part is a function or sub-select under its name in
 * the JSON.
 * (docs/specification/executors.md#leasing)
 */
create function runner.capabilities(run app.runs) returns text[]
language sql stable
as $$
  select array['recall', 'ask_approval', 'block']
    || case when run.taint then array['propose'] else array['remember', 'start_run'] end
$$;
comment on function runner.capabilities is 'The actions that a run may take besides recording steps and answering. A tainted run only proposes, and a person approves.';

/*
 * The conversation's latest messages, of this run and earlier ones. Messages of a tainted run are shown to no other
 * run: they would carry its taint without an approval. A tainted run sees only its own messages. Otherwise an outsider
 * who feeds it could learn from its answer what the person or another outsider has said to the bot.
 */
-- Reads backwards along the conversation's index: every other plan would read and sort all of a long conversation.
create function runner.messages(run app.runs, at_most integer default 50, characters integer default 100000)
returns json
language sql stable
set enable_sort = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select coalesce(json_agg(row_to_json(said) order by said.id), '[]')
  from (
    select latest.id, latest."runId", latest.author, latest.text, latest."createdAt"
    from (
      select message.id, message.run_id as "runId", message.author, message.text,
        rows.time(message.created_at) as "createdAt",
        sum(char_length(message.text)) over (order by message.id desc) as length
      from app.messages message
      join app.runs source on source.organisation_id = message.organisation_id and source.id = message.run_id
      where message.organisation_id = run.organisation_id
        and message.conversation_id = run.conversation_id
        and message.run_id <= run.id
        and message.erased_at is null
        and (message.run_id = run.id or not (run.taint or source.taint))
      order by message.id desc
      limit at_most
    ) latest
    where latest.length <= characters
  ) said
$$;
comment on function runner.messages is 'The latest messages of the conversation up to this run, oldest first.';

create function runner.memories_of_run(run app.runs) returns json
language sql stable
as $$
  select coalesce(json_agg(row_to_json(memory)), '[]')
  from (
    select written.kind, written.subject, written.value, 'landed' as state
    from app.memories written
    where written.organisation_id = run.organisation_id and written.run_id = run.id
    union all
    select approval.proposal ->> 'kind', approval.proposal ->> 'subject', approval.proposal ->> 'value',
      rows.approval_state(approval.state, approval.expires_at)::text
    from app.approvals approval
    where approval.organisation_id = run.organisation_id and approval.run_id = run.id
      and approval.kind = 'memory' and approval.state <> 'approved'
  ) memory
$$;
comment on function runner.memories_of_run is 'The run''s memories: written ones, and proposed ones that are not approved, with the state of the approval.';

create function runner.results(run app.runs) returns json
language plpgsql stable
as $$
begin
  if run.steps = 0 then
    return '{}'; -- nearly all leases
  end if;
  return (
    select coalesce(json_object_agg(stored.key, stored.result), '{}')
    from app.step_results stored
    where stored.organisation_id = run.organisation_id and stored.run_id = run.id
  );
end
$$;
comment on function runner.results is 'The results of the run''s keyed steps, by key; null for a step without a result.';

create function runner.note_reuse(run app.runs) returns void
language plpgsql
as $$
begin
  if run.steps > 0 then
    update app.steps step
    set reused_at = now()
    from app.step_results stored
    where stored.organisation_id = run.organisation_id and stored.run_id = run.id
      and step.organisation_id = run.organisation_id and step.run_id = run.id and step.number = stored.number;
  end if;
end
$$;
comment on function runner.note_reuse is 'Records that the results of a begun run are passed to its next executor.';

create function runner.assignment(run app.runs) returns json
language sql stable
as $$
  select json_build_object(
    'organisationId', run.organisation_id,
    'runId', run.id,
    'leaseId', run.lease_id,
    'leaseUntil', rows.time(run.lease_until),
    'conversationId', run.conversation_id,
    'trigger', run.trigger,
    'taint', run.taint,
    'capabilities', runner.capabilities(run),
    'steps', run.steps,
    'left', json_build_object(
      'steps', run.budget_steps - run.steps,
      'spendMicroCents', run.budget_micro_cents - run.spend_micro_cents,
      'workingMs', greatest(0, floor(extract(epoch from run.budget_working - run.working) * 1000))
    ),
    'model', bot.model,
    'instructions', bot.instructions,
    'message', (
      select message.text
      from app.messages message
      where message.organisation_id = run.organisation_id and message.run_id = run.id
      order by message.id
      limit 1
    ),
    'messages', runner.messages(run),
    'approvals', runner.approvals(run),
    'remembered', runner.memories_of_run(run),
    'results', runner.results(run)
  )
  from app.bots bot
  where bot.organisation_id = run.organisation_id and bot.id = run.bot_id
$$;
comment on function runner.assignment is 'The assignment of a leased run.';
