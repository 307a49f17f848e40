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
