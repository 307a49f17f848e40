/*
 * A new organisation begins with the kinds of claim that may not be held about outsiders.
 */
create function triggers.tg_organisations__restrict_kinds() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes rows of the new organisation alone.
begin
  insert into app.third_party_restrictions (organisation_id, kind)
  select new.id, kind
  from unnest(array[
    'health', 'religion', 'politics', 'ethnicity', 'sexuality', 'biometrics', 'genetics', 'trade_union',
    'criminal_record'
  ]) kind;
  return null;
end
$$;
comment on function triggers.tg_organisations__restrict_kinds is 'Instead of row-level security: writes rows of the new organisation alone.';

create trigger _500_restrict_kinds after insert on app.organisations
  for each row execute function triggers.tg_organisations__restrict_kinds();
