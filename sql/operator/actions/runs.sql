/*
 * Acts on runs and the cards that they raise. (decisions: "Run transitions"; section 4.)
 */
create function operator.cancel_run(organisation uuid, run uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for a run of the organisation that it names.
begin
  perform operator.begin_act('cancel_run', organisation, run, null, reason);
  perform caller.cancel(organisation, run);
  return operator.run_as_it_is(organisation, run);
end
$$;
comment on function operator.cancel_run is 'Instead of row-level security: an operator''s token of scope act. Cancelling what has ended changes nothing.';

-- As when an executor was lost: the run goes to whoever asks next, and who worked on it until now writes nothing more.
create function operator.release_run(organisation uuid, run uuid, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for a run of the organisation that it names.
declare
  held app.run_state;
begin
  perform operator.begin_act('release_run', organisation, run, null, reason);
  select stuck.state into held
  from app.runs stuck
  where stuck.organisation_id = organisation and stuck.id = run
  for no key update;
  if held is null then
    perform caller.refuse('not_found');
  elsif held not in ('running', 'queued') then
    perform caller.refuse('conflict');
  end if;
  update app.runs stuck
  set state = 'queued'
  where stuck.organisation_id = organisation and stuck.id = run and stuck.state = 'running';
  return operator.run_as_it_is(organisation, run);
end
$$;
comment on function operator.release_run is 'Instead of row-level security: an operator''s token of scope act. Takes a run from an executor that holds it and does not go on; one that is queued is free already, any other is a conflict.';

create function operator.run_as_it_is(organisation uuid, run uuid) returns json
language plpgsql stable
set search_path = ''
as $$
declare
  found_run app.runs;
begin
  select held.* into found_run from app.runs held where held.organisation_id = organisation and held.id = run;
  if found_run.id is null then
    perform caller.refuse('not_found');
  end if;
  return json_build_object(
    'id', found_run.id, 'state', found_run.state, 'finishedAt', rows.time(found_run.finished_at)
  );
end
$$;

-- Nobody can answer a card any more once it has expired; an operator can, for the person whom it asked and under the same
-- conditions. A question goes to the run only while that still waits for it.
create function operator.answer_card(organisation uuid, card uuid, approve boolean, reason text) returns json
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an operator's token of scope act, for a card of the organisation that has expired.
declare
  asked app.approvals;
begin
  perform operator.begin_act('answer_card', organisation, card, jsonb_build_object('approve', approve), reason);
  if approve is null then
    perform caller.refuse('invalid_request', '[{"path":"approve","message":"must be given"}]');
  end if;
  perform set_config('caller.approval_id', held.id::text, true)
  from app.approvals held
  where held.organisation_id = organisation and held.id = card;
  if not found then
    perform caller.refuse('not_found');
  end if;
  asked := caller.approval_to_answer();
  perform caller.refuse_strangers(asked);
  if rows.approval_state(asked.state, asked.expires_at) <> 'expired'
    or (asked.kind = 'question' and asked.state <> 'pending')
  then
    perform caller.refuse('conflict');
  end if;
  perform caller.answer(asked, case when approve then 'approved' else 'refused' end::app.approval_state);
  return json_build_object('id', asked.id, 'state', case when approve then 'approved' else 'refused' end);
end
$$;
comment on function operator.answer_card is 'Instead of row-level security: an operator''s token of scope act. Answers a card that nobody answered in time, as its person would have; conflict while it is open, or when its run no longer waits.';
