/*
 * What an executor is told of a run that it has claimed. Each part is a function or a sub-select of its own under the
 * name that it has in the answer, so that one more is one more line. (docs/executors.md.)
 */
create function runner.capabilities(run app.runs) returns text[]
language sql stable
set search_path = ''
as $$
  select array['recall', 'ask_approval', 'block']
    || case when run.taint then array['propose'] else array['remember', 'start_run'] end
$$;
comment on function runner.capabilities is 'What the run may do beside making steps and answering. What a tainted run would write is a proposal, until a person has approved it.';

/*
 * The words before: of this run and of earlier ones in its conversation, as many as an engine can use. The words of a
 * tainted run, and what a bot made of them, are shown to no other: they would reach it by a way that no card stands on. And
 * a tainted run is shown its own alone: whoever fed it may be given its answer, and must not learn from it what the person,
 * or another stranger, has said to the bot.
 */
-- From the latest on, along the index of the conversation: by any other way the whole of a long one would be read and put in order.
create function runner.messages(run app.runs, at_most integer default 50, characters integer default 100000)
returns json
language sql stable
set search_path = ''
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
        and (message.run_id = run.id or not (run.taint or source.taint))
      order by message.id desc
      limit at_most
    ) latest
    where latest.length <= characters
  ) said
$$;
comment on function runner.messages is 'The latest words of the conversation up to this run, oldest first.';

create function runner.remembered(run app.runs) returns json
language sql stable
set search_path = ''
as $$
  select coalesce(json_agg(row_to_json(claim)), '[]')
  from (
    select memory.kind, memory.subject, memory.value, 'landed' as state
    from app.memories memory
    where memory.organisation_id = run.organisation_id and memory.run_id = run.id
    union all
    select card.proposal ->> 'kind', card.proposal ->> 'subject', card.proposal ->> 'value',
      rows.approval_state(card.state, card.expires_at)::text
    from app.approvals card
    where card.organisation_id = run.organisation_id and card.run_id = run.id
      and card.kind = 'memory' and card.state <> 'approved'
  ) claim
$$;
comment on function runner.remembered is 'The claims of the run: those that have landed, and those that a person has not approved, with what became of the card.';

create function runner.assignment(run app.runs) returns json
language sql stable
set search_path = ''
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
    'remembered', runner.remembered(run)
  )
  from app.bots bot
  where bot.organisation_id = run.organisation_id and bot.id = run.bot_id
$$;
comment on function runner.assignment is 'What an executor is told of the run it has claimed.';
