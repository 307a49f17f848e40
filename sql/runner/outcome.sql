/*
 * How an executor ends its work on a run: with an answer, without one, or blocked with a question. Each ends the lease.
 * (docs/specification/executors.md#ending)
 */
create function runner.fail_over_time(working app.runs) returns boolean
language plpgsql
as $$
begin
  if not runner.over_time(working) then
    return false;
  end if;
  update app.runs run
  set state = 'failed', error = 'budget_time'
  where run.organisation_id = working.organisation_id and run.id = working.id;
  return true;
end
$$;
comment on function runner.fail_over_time is 'Fails the run if it exceeded its working time; returns whether it did.';

create function runner.finish(organisation uuid, run uuid, lease uuid, answer text, memories uuid[] default '{}')
returns app.run_state
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
begin
  perform runner.require_citable(working, memories, 'an answer');
  if runner.fail_over_time(working) then
    return 'failed';
  end if;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text, memory_ids)
  values (organisation, working.conversation_id, run, 'bot', answer, memories);
  update app.runs set state = 'completed' where runs.organisation_id = organisation and runs.id = run;
  return 'completed';
end
$$;
comment on function runner.finish is 'Instead of row-level security: runner.leased_run, for the lease of the run. Ends it with the bot''s answer.';
grant execute on function runner.finish to executor;

create function runner.fail(organisation uuid, run uuid, lease uuid, code app.run_error)
returns app.run_state
language plpgsql
security definer set search_path = ''
as $$
begin
  perform runner.leased_run(organisation, run, lease);
  if code is null or code not in ('executor_failed', 'refused', 'internal') then
    raise exception using errcode = '22023', message = 'an executor fails a run with executor_failed, refused or internal';
  end if;
  update app.runs set state = 'failed', error = code where runs.organisation_id = organisation and runs.id = run;
  return 'failed';
end
$$;
comment on function runner.fail is 'Instead of row-level security: runner.leased_run, for the lease of the run. Ends it without an answer, for one of the fixed reasons.';
grant execute on function runner.fail to executor;

create function runner.block(organisation uuid, run uuid, lease uuid, reason text) returns app.run_state
language plpgsql
security definer set search_path = ''
as $$
declare
  working app.runs := runner.leased_run(organisation, run, lease);
begin
  if runner.fail_over_time(working) then
    return 'failed';
  end if;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (organisation, working.conversation_id, run, 'bot', reason);
  update app.runs set state = 'blocked' where runs.organisation_id = organisation and runs.id = run;
  return 'blocked';
end
$$;
comment on function runner.block is 'Instead of row-level security: runner.leased_run, for the lease of the run. Blocks it, with the bot''s reason as message, until its person resumes it.';
grant execute on function runner.block to executor;
