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

/*
 * Another language: the words of what is held are taken anew, by a job, since an organisation may hold more than one
 * statement should write. Asked for a second time a minute later: a call that was under way still wrote in the old one.
 */
create function triggers.tg_organisations__take_words_anew() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it queues jobs for the organisation of the row alone.
begin
  perform jobs.queue_words(new.id), jobs.queue_words(new.id, again => true);
  return null;
end
$$;
comment on function triggers.tg_organisations__take_words_anew is 'Instead of row-level security: queues jobs for the organisation of the row alone.';

create trigger _500_take_words_anew after update on app.organisations
  for each row when (new.language <> old.language)
  execute function triggers.tg_organisations__take_words_anew();

/*
 * Suspension is said on each key as well, where every call reads it without looking further. A key that is being made
 * holds the organisation's row until it is there (triggers/quotas.sql), and so is either seen here or has seen it itself.
 */
create function triggers.tg_organisations__tell_keys() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it writes keys of the organisation being written alone.
begin
  update app.api_keys key
  set suspended_at = new.suspended_at
  where key.organisation_id = new.id and key.revoked_at is null;
  return null;
end
$$;
comment on function triggers.tg_organisations__tell_keys is 'Instead of row-level security: writes keys of the organisation being written alone.';

create trigger _500_tell_keys after update on app.organisations
  for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function triggers.tg_organisations__tell_keys();
