/*
 * Operator actions on runs and their approvals. (docs/specification/runs.md#states)
 */
create function operator.cancel_run(organisation uuid, run uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
begin
  perform operator.begin_action('cancel_run', organisation, run, null, reason);
  perform runs.cancel(organisation, run);
  return operator.run_summary(organisation, run);
end
$$;
comment on function operator.cancel_run is 'Instead of row-level security: operator.begin_action, for a token of scope act. Cancelling a finished run changes nothing.';
grant execute on function operator.cancel_run to operator;

-- As after the loss of an executor: another executor leases the run, and the previous executor cannot write any more.
create function operator.release_run(organisation uuid, run uuid, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  run_state app.run_state;
begin
  perform operator.begin_action('release_run', organisation, run, null, reason);
  select stuck.state into run_state
  from app.runs stuck
  where stuck.organisation_id = organisation and stuck.id = run
  for no key update;
  if run_state is null then
    perform errors.refuse('not_found');
  elsif run_state not in ('running', 'queued') then
    perform errors.refuse('conflict');
  end if;
  update app.runs stuck
  set state = 'queued'
  where stuck.organisation_id = organisation and stuck.id = run and stuck.state = 'running';
  return operator.run_summary(organisation, run);
end
$$;
comment on function operator.release_run is 'Instead of row-level security: operator.begin_action, for a token of scope act. Ends the lease of a running run whose executor makes no progress. No effect on a queued run; conflict in other states.';
grant execute on function operator.release_run to operator;

create function operator.run_summary(organisation uuid, run uuid) returns json
language plpgsql stable
as $$
declare
  run_row app.runs;
begin
  select runs.* into run_row from app.runs where runs.organisation_id = organisation and runs.id = run;
  if run_row.id is null then
    perform errors.refuse('not_found');
  end if;
  return json_build_object(
    'id', run_row.id, 'state', run_row.state, 'finishedAt', rows.time(run_row.finished_at)
  );
end
$$;

-- An operator can answer an expired approval, for its person and under the same conditions. A question can be answered
-- only while its run still waits.
create function operator.answer_approval(organisation uuid, approval uuid, approve boolean, reason text) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  answered app.approvals;
begin
  perform operator.begin_action('answer_approval', organisation, approval, jsonb_build_object('approve', approve), reason);
  if approve is null then
    perform errors.refuse('invalid_request', '[{"path":"approve","message":"must be given"}]');
  end if;
  perform set_config('caller.credential', 'approval ' || expired.id, true)
  from app.approvals expired
  where expired.organisation_id = organisation and expired.id = approval;
  if not found then
    perform errors.refuse('not_found');
  end if;
  answered := api_private.approval_to_answer();
  perform api_private.require_approver(answered);
  if rows.approval_state(answered.state, answered.expires_at) <> 'expired'
    or (answered.kind = 'question' and answered.state <> 'pending')
  then
    perform errors.refuse('conflict');
  end if;
  perform api_private.answer(answered, case when approve then 'approved' else 'refused' end::app.approval_state);
  return json_build_object('id', answered.id, 'state', case when approve then 'approved' else 'refused' end);
end
$$;
comment on function operator.answer_approval is 'Instead of row-level security: operator.begin_action, for a token of scope act. Answers an expired approval as its person would have; conflict while it is pending, or if its run no longer waits.';
grant execute on function operator.answer_approval to operator;
