/*
 * Steps with a key. A key is recorded once in its run, with a result for the next executor of the run, so that it repeats
 * neither the work nor the charge. (docs/specification/executors.md#keyed-steps)
 */
create function runner.max_result_octets() returns integer
language sql immutable
return 262144;
comment on function runner.max_result_octets is 'Maximum size of the result of a step, as text: an answer of 32,000 characters in any script.';

create function runner.max_octets_of_results() returns integer
language sql immutable
return 1048576;
comment on function runner.max_octets_of_results is 'Maximum size of all results of a run.';

create function runner.require_keepable(working app.runs, key text, memories uuid[]) returns void
language plpgsql
as $$
begin
  perform runner.require(char_length(key) between 1 and 200, 'the key of a step has 1 to 200 characters');
  perform runner.require_citable(working, memories, 'a result');
end
$$;
comment on function runner.require_keepable is 'Raises 22023 unless these values may be the key and the cited memories of a step.';

-- The lease locks the run, so the same key of two calls is recorded once, and the sum is exact.
create function runner.keep_result(working app.runs, key text, result jsonb, memories uuid[]) returns void
language plpgsql
as $$
begin
  if octet_length(result::text) > runner.max_result_octets() then
    perform errors.refuse('quota_exceeded');
  end if;
  insert into app.step_results (organisation_id, run_id, key, conversation_id, number, result, memory_ids)
  values (working.organisation_id, working.id, key, working.conversation_id, working.steps + 1, result, memories);
  if (
    select sum(stored.octets) from app.step_results stored
    where stored.organisation_id = working.organisation_id and stored.run_id = working.id
  ) > runner.max_octets_of_results() then
    perform errors.refuse('quota_exceeded');
  end if;
end
$$;
comment on function runner.keep_result is 'Stores the result of the run''s next step. Refuses with quota_exceeded if it is too large, or all results of the run are.';

create function runner.keyed_step(
  organisation uuid, run uuid, lease uuid,
  key text, kind text, input_tokens integer default 0, output_tokens integer default 0,
  spend_micro_cents bigint default 0, model text default null, result jsonb default null, memories uuid[] default '{}'
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
  earlier app.step_results;
  is_kept boolean;
  state app.run_state;
begin
  perform runner.require_keepable(working, key, memories);
  perform runner.require_countable(kind, input_tokens, output_tokens, spend_micro_cents);
  select stored.* into earlier
  from app.step_results stored
  where stored.organisation_id = organisation and stored.run_id = run and stored.key = keyed_step.key;
  if found then
    return json_build_object('state', working.state, 'repeated', true, 'kept', true, 'result', earlier.result);
  end if;
  is_kept := working.steps < working.budget_steps and not erasure.cites_erased(organisation, memories);
  if is_kept then
    perform runner.keep_result(working, key, result, memories);
  end if;
  state := runner.charge_step(
    working, kind, input_tokens, output_tokens, spend_micro_cents, model, case when is_kept then key end
  );
  return json_build_object('state', state, 'repeated', false, 'kept', is_kept, 'result', result);
end
$$;
comment on function runner.keyed_step is 'Instead of row-level security: runner.leased_run, for the lease of the run. Records a step with this key once. A repeated call records and charges nothing, and returns the stored result. A result that cites an erased memory is not kept.';
grant execute on function runner.keyed_step to executor;
