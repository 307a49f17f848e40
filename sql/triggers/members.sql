/*
 * Members. An organisation keeps an owner, under any concurrency: whoever takes one away locks the organisation first
 * and counts second. (decisions: "Members".)
 */
create function triggers.tg_memberships__keep_an_owner() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the members of the organisation of the row being written.
begin
  perform triggers.lock_organisation(old.organisation_id);
  if not exists (
    select from app.memberships other
    where other.organisation_id = old.organisation_id and other.role = 'owner' and other.person_id <> old.person_id
  ) then
    perform caller.refuse('forbidden');
  end if;
  return coalesce(new, old);
end
$$;
comment on function triggers.tg_memberships__keep_an_owner is 'Instead of row-level security: looks at the members of the row''s organisation alone.';

create trigger _100_keep_an_owner before update on app.memberships
  for each row when (old.role = 'owner' and new.role <> 'owner')
  execute function triggers.tg_memberships__keep_an_owner();

create trigger _100_keep_an_owner_on_delete before delete on app.memberships
  for each row when (old.role = 'owner')
  execute function triggers.tg_memberships__keep_an_owner();

/*
 * Whoever is no member any more has nothing under way, and what they alone could see is not left to nobody: their personal bots are
 * deleted, with what hangs on these, and their runs that have not ended are cancelled. Routines and hooks that they gave to bots of
 * the team stay there to be seen, and pause when they are due. (docs/decisions.md, "People".)
 */
create function triggers.tg_memberships__leave_nothing_behind() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it touches bots and runs of the member who is going alone, in the organisation they leave.
begin
  perform triggers.lock_organisation(old.organisation_id);
  update app.bots
  set deleted_at = now()
  where organisation_id = old.organisation_id
    and owner_id = old.person_id
    and visibility = 'personal'
    and deleted_at is null;
  update app.runs
  set state = 'cancelled'
  where organisation_id = old.organisation_id
    and id = any (array(select triggers.open_runs(old.organisation_id, null, old.person_id)))
    and state not in ('completed', 'failed', 'cancelled');
  return null;
end
$$;
comment on function triggers.tg_memberships__leave_nothing_behind is 'Instead of row-level security: touches what belongs to the member who is going alone.';

create trigger _500_leave_nothing_behind after delete on app.memberships
  for each row execute function triggers.tg_memberships__leave_nothing_behind();
