/*
 * Run, its messages and its steps. (docs/specification/runs.md)
 */
create function rows.run_error(error app.run_error) returns json
language sql immutable parallel safe
as $$
  select row_to_json(code_and_message)
  from (
    select error as code, case error
      when 'budget_steps' then 'The run used up its steps.'
      when 'budget_spend' then 'The run used up what it may spend.'
      when 'budget_time' then 'The run used up its working time.'
      when 'executor_failed' then 'The executor could not finish the run.'
      when 'executor_lost' then 'The executors that took the run went silent.'
      when 'refused' then 'The model refused to answer, or is no longer served.'
      when 'internal' then 'An internal error occurred.'
    end as message
  ) code_and_message
  where error is not null
$$;
comment on function rows.run_error is 'Why a run failed: a code and its fixed message; null if it did not fail.';
grant execute on function rows.run_error to tenant;

create view rows.runs with (security_invoker = true) as
select
  run.id,
  run.bot_id as "botId",
  run.conversation_id as "conversationId",
  run.routine_id as "routineId",
  run.retry_of as "retryOf",
  run.state,
  run.trigger,
  run.taint,
  run.steps,
  run.spend_micro_cents as "spendMicroCents",
  rows.run_error(run.error) as error,
  rows.time(run.created_at) as "createdAt",
  rows.time(run.finished_at) as "finishedAt",
  rows.time(run.start_at) as "startAt",
  run.concurrency_key as "concurrencyKey",
  ( -- as text, because jsonb would write white space
    select ('{' || coalesce(string_agg(to_json(pair.key) || ':' || to_json(pair.value), ',' order by pair.key), '') || '}')::json
    from app.run_metadata pair
    where pair.organisation_id = run.organisation_id and pair.run_id = run.id
  ) as metadata
from app.runs run;
grant select on rows.runs to tenant;

create view rows.messages with (security_invoker = true) as
select
  message.id,
  message.run_id as "runId",
  message.conversation_id as "conversationId",
  message.author,
  message.text,
  message.memory_ids as "memoryIds",
  rows.time(message.created_at) as "createdAt",
  rows.time(message.erased_at) as "erasedAt"
from app.messages message;
grant select on rows.messages to tenant;

create view rows.steps with (security_invoker = true) as
select
  step.run_id as "runId",
  step.number,
  step.kind,
  step.input_tokens as "inputTokens",
  step.output_tokens as "outputTokens",
  step.spend_micro_cents as "spendMicroCents",
  rows.time(step.created_at) as "createdAt",
  step.key,
  rows.time(step.reused_at) as "reusedAt"
from app.steps step;
grant select on rows.steps to tenant;

create function rows.step_place(number integer) returns uuid
language sql immutable parallel safe
as $$ select lpad(to_hex(number), 32, '0')::uuid $$;
comment on function rows.step_place is 'The number of a step in the form of an id, for cursors: a step has no id of its own.';
grant execute on function rows.step_place to tenant;
