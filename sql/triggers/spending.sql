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

/*
 * The sum of the month. It is written as a step commits, so an executor that leaves its transaction open holds up no other
 * step. Usually the step itself has paused its run (runner.beyond_limit). The sum is capped at 90 million euros, the maximum
 * that a JSON number represents exactly, so that no step can make later ones fail.
 */
create function triggers.tg_runs__add_spending() returns trigger
language plpgsql
security definer set search_path = ''
as $$
declare
  former_organisation text := current_setting('caller.organisation_id', true);
  added constant bigint := new.spend_micro_cents - old.spend_micro_cents;
  spent bigint;
  maximum bigint;
begin
  perform set_config('caller.organisation_id', new.organisation_id::text, true);
  insert into app.monthly_usage as usage (organisation_id, month, spend_micro_cents)
  values (new.organisation_id, limits.this_month(), added)
  on conflict (organisation_id, month)
  do update set spend_micro_cents = least(usage.spend_micro_cents + excluded.spend_micro_cents, 9000000000000000)
  returning usage.spend_micro_cents into spent;
  select maximums.maximum into maximum
  from limits.maximums
  where maximums.organisation_id = new.organisation_id and maximums.name = 'monthlySpendMicroCents';
  if spent >= maximum and spent - added < maximum then
    perform limits.announce_reached(new.organisation_id, 'monthlySpendMicroCents', maximum, spent);
  end if;
  if spent > maximum then
    update app.runs
    set state = 'paused_limit'
    where runs.organisation_id = new.organisation_id and runs.id = new.id and runs.state = 'running';
  end if;
  perform set_config('caller.organisation_id', coalesce(former_organisation, ''), true);
  return null;
end
$$;
comment on function triggers.tg_runs__add_spending is 'Instead of row-level security: maximums.organisation_id = new.organisation_id. Adds the cost to the spending of the month, and announces a reached limit.';

create constraint trigger _650_add_spending after update on app.runs
  deferrable initially deferred
  for each row when (old.spend_micro_cents < new.spend_micro_cents)
  execute function triggers.tg_runs__add_spending();

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
comment on function triggers.tg_organisations__resume_paused is 'Instead of row-level security: triggers.resume_paused, for new.id. Resumes runs that the suspension paused.';

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
comment on function triggers.tg_organisation_limits__resume_paused is 'Instead of row-level security: triggers.resume_paused, for new.organisation_id. Resumes runs that a lower spending limit paused.';

create trigger _500_resume_paused after insert or update on app.organisation_limits
  for each row when (new.name = 'monthlySpendMicroCents')
  execute function triggers.tg_organisation_limits__resume_paused();
