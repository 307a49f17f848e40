/* The steps of a deletion in their order, and its receipt. */

create function jobs.end_deletion(ended app.organisation_deletions) returns text
language plpgsql
as $$
begin
  ended.ended_at := now();
  ended.receipt := service.deletion_receipt(ended);
  ended.hash := sha256(convert_to(ended.receipt, 'UTF8'));
  perform jobs.append_to_log(ended.organisation_id, 'organisation', json_build_object(
    'begunAt', rows.time(ended.begun_at), 'endedAt', rows.time(ended.ended_at), 'receiptHash', encode(ended.hash, 'hex')
  ));
  insert into app.operator_commands (operator, action, subject_id, arguments)
  select 'botstead', 'organisation_deleted', ended.organisation_id, jsonb_build_object(
    'begunAt', rows.time(ended.begun_at), 'endedAt', rows.time(ended.ended_at), 'rows', sum(counted.value::bigint),
    'receiptHash', encode(ended.hash, 'hex')
  )
  from jsonb_each_text(ended.deleted) counted;
  update app.organisation_deletions present
  set ended_at = ended.ended_at, receipt = ended.receipt, hash = ended.hash, pattern = null, people = null, failing_since = null,
    failure = null
  where present.organisation_id = ended.organisation_id;
  return 'more';
end
$$;
comment on function jobs.end_deletion is 'Ends a deletion: its receipt is in the audit log and in the operators'' log.';

create function jobs.delete_organisations(out state text, out organisation_id uuid, out failure text)
language plpgsql
security definer set search_path = ''
set lock_timeout = '500ms'
as $$
declare
  deletion app.organisation_deletions;
begin
  select present.* into deletion
  from app.organisation_deletions present
  where present.ended_at is null and present.next_step_at <= now()
  order by present.next_step_at
  limit 1
  for update skip locked;
  organisation_id := deletion.organisation_id;
  if organisation_id is null then
    state := case when jobs.begin_deletion() or service.reveal_next_table() then 'more' end;
    return;
  end if;
  perform jobs.begin_step(organisation_id);
  state := coalesce(
    jobs.prepare_deletion(deletion), jobs.delete_some_rows(deletion), jobs.remove_log(deletion), jobs.delete_people(deletion),
    jobs.renew_statistics(deletion), jobs.search_what_is_left(deletion), jobs.end_deletion(deletion)
  );
  update app.organisation_deletions present
  set next_step_at = now() + case state when 'left' then interval '1 hour' else interval '1 second' end
  where present.organisation_id = deletion.organisation_id and state in ('waiting', 'left');
  perform jobs.end_step(organisation_id, state is distinct from 'log');
exception
  when lock_not_available then
    state := null; -- locked by another transaction; maintenance retries
  when others then -- such as a table of the operator's own that refers to a row; other deletions continue
    if organisation_id is null then
      raise;
    end if;
    perform jobs.put_deletion_off(organisation_id, sqlstate, sqlerrm);
    select 'failed', sqlerrm into state, failure;
end
$$;
comment on function jobs.delete_organisations is 'Instead of row-level security: only worker may execute it, and it deletes rows only of organisations that an operator has scheduled. One step of a deletion. more: call again. log: call jobs.delete_log_entries next. failed: the step had no effect for the reason in failure, and is tried again after a minute. waiting, left, null: nothing to do now.';
grant execute on function jobs.delete_organisations to worker;
