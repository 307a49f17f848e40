/*
 * Taint marks a run that has read text of outsiders, and cannot be removed. A memory that a run wrote gets its
 * provenance from the run's taint, and a run started by a tainted run is tainted. (docs/specification/runs.md#taint)
 */
create function triggers.tg_runs__inherit_taint() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.taint := new.taint or exists (
    select from app.runs parent
    where parent.organisation_id = new.organisation_id and parent.id = new.parent_run_id and parent.taint
  );
  return new;
end
$$;
comment on function triggers.tg_runs__inherit_taint is 'Instead of row-level security: parent.organisation_id = new.organisation_id. Taints a run whose parent run is tainted.';

create trigger _050_inherit_taint before insert on app.runs
  for each row when (new.parent_run_id is not null)
  execute function triggers.tg_runs__inherit_taint();

-- A message to a hook is text of an outsider, also with a valid signature.
create function triggers.tg_runs__taint_from_outside() returns trigger
language plpgsql
as $$
begin
  new.taint := true;
  return new;
end
$$;
comment on function triggers.tg_runs__taint_from_outside is 'Taints a run that a hook starts.';

create trigger _050_taint_from_outside before insert on app.runs
  for each row when (new.trigger = 'webhook')
  execute function triggers.tg_runs__taint_from_outside();

-- Results may draw on messages of the conversation, which a tainted run does not see.
create function triggers.tg_runs__forget_results() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  delete from app.step_results stored where stored.organisation_id = new.organisation_id and stored.run_id = new.id;
  return null;
end
$$;
comment on function triggers.tg_runs__forget_results is 'Instead of row-level security: stored.organisation_id = new.organisation_id. Deletes the results of the steps of a run that becomes tainted.';

create trigger _300_forget_results after update of taint on app.runs
  for each row when (new.taint and not old.taint)
  execute function triggers.tg_runs__forget_results();

create function triggers.tg_memories__set_provenance() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  new.source := 'run';
  new.provenance := case when exists (
    select from app.runs run
    where run.organisation_id = new.organisation_id and run.id = new.run_id and not run.taint
  ) then 'run' else 'run-tainted' end;
  return new;
end
$$;
comment on function triggers.tg_memories__set_provenance is 'Instead of row-level security: run.organisation_id = new.organisation_id. Sets the provenance of a run''s memory by the taint of the run.';

create trigger _050_set_provenance before insert on app.memories
  for each row when (new.run_id is not null)
  execute function triggers.tg_memories__set_provenance();

create function triggers.refuse_to_change_origin() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  if triggers.is_deletion_step(old.organisation_id) then
    return new; -- the run that it refers to is deleted
  end if;
  raise restrict_violation using message = 'taint, parent run, retried run, provenance and source stay as they were written';
end
$$;
comment on function triggers.refuse_to_change_origin is 'Instead of row-level security: triggers.is_deletion_step, with old.organisation_id. Refuses to remove taint, or to change parent run, retried run, provenance or source.';

create trigger _050_refuse_to_change_origin before update on app.runs
  for each row
  when (
    (old.taint and not new.taint)
    or old.parent_run_id is distinct from new.parent_run_id
    or old.retry_of is distinct from new.retry_of
  )
  execute function triggers.refuse_to_change_origin();

create trigger _050_refuse_to_change_origin before update on app.memories
  for each row
  when (
    old.provenance <> new.provenance
    or old.source <> new.source
    or old.run_id is distinct from new.run_id
  )
  execute function triggers.refuse_to_change_origin();
