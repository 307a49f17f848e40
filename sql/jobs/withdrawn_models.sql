/* Queued runs of bots whose model was withdrawn. No executor ever leases them, so maintenance fails them. */
-- Skips from model to model along the index of waiting conversations: one probe each, however many runs wait.
create function jobs.withdrawn_model_with_runs() returns text
language plpgsql stable
as $$
declare
  waiting text := '';
begin
  loop
    select conversation.next_model into waiting
    from app.conversations conversation
    where conversation.next_run_id is not null and conversation.next_model > waiting
    order by conversation.next_model
    limit 1;
    if not found or models.is_withdrawn(waiting) then
      return waiting;
    end if;
  end loop;
end
$$;
comment on function jobs.withdrawn_model_with_runs is 'A withdrawn model for which runs are queued; null if there is none.';

create function jobs.fail_runs_of_withdrawn_models() returns boolean
language plpgsql
security definer set search_path = ''
set lock_timeout = '500ms'
set enable_sort = off
set enable_bitmapscan = off
as $$
declare
  batch_size constant integer := runs.max_changed();
  wanted text;
begin
  wanted := jobs.withdrawn_model_with_runs();
  update app.runs run
  set state = 'failed', error = 'refused'
  from (
    select waiting.organisation_id, waiting.id
    from app.conversations conversation
    join app.runs waiting
      on waiting.organisation_id = conversation.organisation_id and waiting.conversation_id = conversation.id
    where conversation.next_model = wanted and conversation.next_run_id is not null and waiting.state = 'queued' and not waiting.postponed
    limit batch_size
    for no key update of waiting skip locked
  ) withdrawn
  where run.organisation_id = withdrawn.organisation_id and run.id = withdrawn.id;
  return found;
exception
  when lock_not_available or sqlstate 'OA002' then
    return false; -- locked by another transaction, or the organisation departs; maintenance retries
end
$$;
comment on function jobs.fail_runs_of_withdrawn_models is 'Instead of row-level security: only worker may execute it. Fails queued runs of withdrawn models, and returns no row. At most 500 of one model; returns whether there were any.';
grant execute on function jobs.fail_runs_of_withdrawn_models to worker;
