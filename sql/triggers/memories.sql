/*
 * Claims about outsiders: some kinds may not be held. Spelling does not help: case, spaces and hyphens are the same.
 * (Part 4, "Memories"; decisions: "Third-party limits".)
 */
create function triggers.tg_memories__spare_outsiders() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at the restrictions of the organisation of the row being written.
begin
  if exists (
    select from app.third_party_restrictions restriction
    where restriction.organisation_id = new.organisation_id
      and restriction.kind = translate(lower(btrim(new.kind)), ' -', '__')
  ) then
    perform caller.refuse('forbidden');
  end if;
  return new;
end
$$;
comment on function triggers.tg_memories__spare_outsiders is 'Instead of row-level security: looks at the restrictions of the row''s organisation alone.';

create trigger _100_spare_outsiders before insert or update on app.memories
  for each row when (new.subject_kind = 'third_party')
  execute function triggers.tg_memories__spare_outsiders();
