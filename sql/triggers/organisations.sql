/*
 * The kinds of memory about third parties that are restricted in every new organisation.
 */
create function triggers.tg_organisations__restrict_kinds() returns trigger
language plpgsql
security definer set search_path = ''
as $$
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
comment on function triggers.tg_organisations__restrict_kinds is 'Instead of row-level security: inserts with new.id. Restricts the kinds that are restricted by default.';

create trigger _500_restrict_kinds after insert on app.organisations
  for each row execute function triggers.tg_organisations__restrict_kinds();

-- Executors try these locks without waiting, so they must exist before the first run.
create function triggers.make_locks(organisation uuid) returns void
language sql
as $$
  insert into app.locks (name)
  values ('runs of ' || organisation), ('spending of ' || organisation)
  on conflict do nothing
$$;
comment on function triggers.make_locks is 'Creates the locks of an organisation. For definer functions of triggers only.';

create function triggers.tg_organisations__make_locks() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.make_locks(new.id);
  return null;
end
$$;
comment on function triggers.tg_organisations__make_locks is 'Instead of row-level security: triggers.make_locks, for new.id. Creates the locks of the organisation.';

create trigger _500_make_locks after insert on app.organisations
  for each row execute function triggers.tg_organisations__make_locks();
select triggers.make_locks(id) from app.organisations;

/*
 * A new language needs new search vectors. Jobs rebuild them, because an organisation may have more memories than one
 * statement should write. A second job runs a minute later, for calls that were still writing in the former language.
 */
create function triggers.tg_organisations__rebuild_search_vectors() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform jobs.queue_search_vectors(new.id), jobs.queue_search_vectors(new.id, again => true);
  return null;
end
$$;
comment on function triggers.tg_organisations__rebuild_search_vectors is 'Instead of row-level security: jobs.queue_search_vectors, for new.id. Queues jobs that write all search vectors again.';

create trigger _500_rebuild_search_vectors after update on app.organisations
  for each row when (new.language <> old.language)
  execute function triggers.tg_organisations__rebuild_search_vectors();

/*
 * Suspension is copied to each key, so that a call reads it without reading the organisation. The creation of a key
 * locks the organisation's row (limits.enforce_live_keys): either this trigger sees the key, or the key is created
 * suspended.
 */
create function triggers.tg_organisations__suspend_keys() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  update app.api_keys key
  set suspended_at = new.suspended_at
  where key.organisation_id = new.id and key.revoked_at is null;
  return null;
end
$$;
comment on function triggers.tg_organisations__suspend_keys is 'Instead of row-level security: key.organisation_id = new.id. Suspends the live keys of the organisation, or lifts their suspension.';

create trigger _500_suspend_keys after update on app.organisations
  for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function triggers.tg_organisations__suspend_keys();
