/*
 * A new organisation begins with the kinds of claim that may not be held about outsiders; a new key with an empty
 * record of its use.
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

create function triggers.tg_api_keys__open_use() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes the record of the key being made.
begin
  insert into app.api_key_uses (organisation_id, key_id) values (new.organisation_id, new.id);
  return null;
end
$$;
comment on function triggers.tg_api_keys__open_use is 'Instead of row-level security: writes the record of the key being made.';

create trigger _500_open_use after insert on app.api_keys
  for each row execute function triggers.tg_api_keys__open_use();
