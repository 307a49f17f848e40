/*
 * Runs at the monthly spending limit.
 * (docs/specification/organisation-and-me.md#spending)
 */
create function triggers.at_limit(organisation uuid) returns boolean
language sql stable
as $$
  select organisations.suspended_at is not null or exists (
    select
    from limits.maximums
    left join limits.used on used.organisation_id = organisation and used.name = 'monthlySpendMicroCents'
    where maximums.organisation_id = organisation and maximums.name = 'monthlySpendMicroCents'
      and coalesce(used.used, 0) >= maximums.maximum
  )
  from app.organisations
  where organisations.id = organisation
$$;
comment on function triggers.at_limit is 'Whether the organisation has reached its monthly limit; a suspended organisation always has.';

-- A higher limit or the end of a suspension ends the pause of up to runs.max_changed() runs at once, which wakes executors.
-- Executors resume the rest, as they do at the start of a month (runner.resume_paused).
create function triggers.resume_paused(organisation uuid) returns void
language plpgsql
as $$
begin
  if not triggers.at_limit(organisation) then
    update app.runs run
    set state = 'queued'
    where run.organisation_id = organisation
      and run.state = 'paused_limit'
      and run.id = any (array(
        select runs.id from app.runs
        where runs.organisation_id = organisation and runs.state = 'paused_limit'
        order by runs.id
        limit runs.max_changed()
      ));
    update app.runs run
    set paused_until = now()
    where run.organisation_id = organisation and run.state = 'paused_limit' and run.paused_until > now();
  end if;
end
$$;
comment on function triggers.resume_paused is 'Ends the pause of runs, unless the organisation is at its limit. For definer functions of triggers only.';

create function triggers.tg_organisations__resume_paused() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.resume_paused(new.id);
  return null;
end
$$;
comment on function triggers.tg_organisations__resume_paused is 'Instead of row-level security: resumes runs of the organisation being written only.';

create trigger _500_resume_paused after update on app.organisations
  for each row when (old.suspended_at is distinct from new.suspended_at)
  execute function triggers.tg_organisations__resume_paused();

create function triggers.tg_organisation_limits__resume_paused() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform triggers.resume_paused(new.organisation_id);
  return null;
end
$$;
comment on function triggers.tg_organisation_limits__resume_paused is 'Instead of row-level security: resumes runs of the row''s organisation only.';

create trigger _500_resume_paused after insert or update on app.organisation_limits
  for each row when (new.name = 'monthlySpendMicroCents')
  execute function triggers.tg_organisation_limits__resume_paused();
