/*
 * How an executor's work on a run ends: with an answer, without one, or because the bot would rather ask than improvise.
 * Each ends the lease. (Part 3, "Run states".)
 */
create function runner.fail_over_time(working app.runs) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  if not runner.over_time(working) then
    return false;
  end if;
  update app.runs held
  set state = 'failed', error = 'budget_time'
  where held.organisation_id = working.organisation_id and held.id = working.id;
  return true;
end
$$;
comment on function runner.fail_over_time is 'Fails the run when it has worked longer than it may, and answers whether it had.';

create function runner.finish(organisation uuid, run uuid, lease uuid, answer text, memories uuid[] default '{}')
returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
begin
  if runner.fail_over_time(working) then
    return 'failed';
  end if;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text, memory_ids)
  values (organisation, working.conversation_id, run, 'bot', answer, memories);
  update app.runs held set state = 'completed' where held.organisation_id = organisation and held.id = run;
  return 'completed';
end
$$;
comment on function runner.finish is 'Instead of row-level security: the lease of the run. Ends it with the bot''s answer.';

create function runner.fail(organisation uuid, run uuid, lease uuid, code app.run_error)
returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
begin
  perform runner.held(organisation, run, lease);
  if code is null or code not in ('executor_failed', 'refused', 'internal') then
    raise exception using errcode = '22023', message = 'an executor fails a run with executor_failed, refused or internal';
  end if;
  update app.runs held set state = 'failed', error = code where held.organisation_id = organisation and held.id = run;
  return 'failed';
end
$$;
comment on function runner.fail is 'Instead of row-level security: the lease of the run. Ends it without an answer, for one of the fixed reasons.';

create function runner.block(organisation uuid, run uuid, lease uuid, reason text) returns app.run_state
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the lease of this run.
declare
  working app.runs := runner.held(organisation, run, lease);
begin
  if runner.fail_over_time(working) then
    return 'failed';
  end if;
  insert into app.messages (organisation_id, conversation_id, run_id, author, text)
  values (organisation, working.conversation_id, run, 'bot', reason);
  update app.runs held set state = 'blocked' where held.organisation_id = organisation and held.id = run;
  return 'blocked';
end
$$;
comment on function runner.block is 'Instead of row-level security: the lease of the run. Stops it, with what the bot has to say about why, until its person resumes it.';
