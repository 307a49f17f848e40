/*
 * The monthly spending and its limit. Months are calendar months in UTC.
 * (docs/specification/organisation-and-me.md#payment)
 */
create function triggers.this_month() returns date
language sql stable
set search_path = ''
as $$ select date_trunc('month', now() at time zone 'UTC')::date $$;
grant execute on function triggers.this_month to operator;

create function triggers.next_month() returns timestamptz
language sql stable
set search_path = ''
as $$ select (triggers.this_month() + interval '1 month') at time zone 'UTC' $$;
comment on function triggers.next_month is 'The start of the next month, when spending counts from 0.';

create function triggers.spent_this_month(organisation uuid) returns bigint
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a sum only, and within a request of the caller's own organisation.
  select coalesce((
    select usage.spend_micro_cents
    from app.monthly_usage usage
    where usage.organisation_id = organisation and usage.month = triggers.this_month()
  ), 0)
$$;
comment on function triggers.spent_this_month is 'Instead of row-level security: returns a sum, within a request of the caller''s organisation only.';
grant execute on function triggers.spent_this_month to tenant, operator;

create function triggers.at_limit(organisation app.organisations) returns boolean
language sql stable
set search_path = ''
as $$
  select organisation.suspended_at is not null or coalesce(
    triggers.spent_this_month(organisation.id) >= organisation.monthly_spend_limit_micro_cents,
    false
  )
$$;
comment on function triggers.at_limit is 'Whether the organisation has reached its monthly limit; a suspended organisation always has.';

-- A higher limit or the end of a suspension ends the pause of up to 1,000 runs at once, which wakes executors.
-- Executors resume the rest, as they do at the start of a month (runner.resume_paused).
create function triggers.tg_organisations__resume_paused() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it resumes runs of the organisation being written only.
begin
  if not triggers.at_limit(new) then
    update app.runs run
    set state = 'queued'
    where run.organisation_id = new.id
      and run.state = 'paused_limit'
      and run.id = any (array(
        select runs.id from app.runs
        where runs.organisation_id = new.id and runs.state = 'paused_limit'
        order by runs.id
        limit 1000
      ));
    update app.runs run
    set paused_until = now()
    where run.organisation_id = new.id and run.state = 'paused_limit' and run.paused_until > now();
  end if;
  return null;
end
$$;
comment on function triggers.tg_organisations__resume_paused is 'Instead of row-level security: resumes runs of the organisation being written only.';

create trigger _500_resume_paused after update on app.organisations
  for each row
  when (
    old.monthly_spend_limit_micro_cents is distinct from new.monthly_spend_limit_micro_cents
    or old.suspended_at is distinct from new.suspended_at
  )
  execute function triggers.tg_organisations__resume_paused();
