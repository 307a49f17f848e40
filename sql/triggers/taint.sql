/*
 * Taint. It comes with a run's start, or later with words of outsiders; it goes with everything that the run brings about,
 * and nobody takes it off, whoever writes: a claim that came from a run has the provenance that the run's taint gives it,
 * and a run started by another is tainted if that one is. (Part 2, "Memory" and "Run".)
 */
create function triggers.tg_runs__inherit_taint() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the one run that started the run being written, in its organisation.
begin
  new.taint := new.taint or exists (
    select from app.runs parent
    where parent.organisation_id = new.organisation_id and parent.id = new.parent_run_id and parent.taint
  );
  return new;
end
$$;
comment on function triggers.tg_runs__inherit_taint is 'Instead of row-level security: looks at the one run that started the run being written.';

create trigger _050_inherit_taint before insert on app.runs
  for each row when (new.parent_run_id is not null)
  execute function triggers.tg_runs__inherit_taint();

-- What comes in by a hook is an outsider's, however it is signed.
create function triggers.tg_runs__taint_from_outside() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.taint := true;
  return new;
end
$$;

create trigger _050_taint_from_outside before insert on app.runs
  for each row when (new.trigger = 'webhook')
  execute function triggers.tg_runs__taint_from_outside();

create function triggers.tg_memories__tell_provenance() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the one run that the claim being written came from, in its organisation.
begin
  new.source := 'run';
  new.provenance := case when exists (
    select from app.runs run
    where run.organisation_id = new.organisation_id and run.id = new.run_id and not run.taint
  ) then 'run' else 'run-tainted' end;
  return new;
end
$$;
comment on function triggers.tg_memories__tell_provenance is 'Instead of row-level security: looks at the one run that the claim came from.';

create trigger _050_tell_provenance before insert on app.memories
  for each row when (new.run_id is not null)
  execute function triggers.tg_memories__tell_provenance();

create function triggers.refuse_to_change_origin() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  raise restrict_violation using message = 'where something came from stays as it was written';
end
$$;

create trigger _050_refuse_to_change_origin before update on app.runs
  for each row
  when ((old.taint and not new.taint) or old.parent_run_id is distinct from new.parent_run_id)
  execute function triggers.refuse_to_change_origin();

create trigger _050_refuse_to_change_origin before update on app.memories
  for each row
  when (
    old.provenance <> new.provenance
    or old.source <> new.source
    or old.run_id is distinct from new.run_id
  )
  execute function triggers.refuse_to_change_origin();
