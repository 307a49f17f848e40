/*
 * The month's spending and its limit. Months are calendar months in UTC. (decisions: "Seats and payment".)
 */
create function triggers.this_month() returns date
language sql stable
set search_path = ''
as $$ select date_trunc('month', now() at time zone 'UTC')::date $$;

create function triggers.next_month() returns timestamptz
language sql stable
set search_path = ''
as $$ select (triggers.this_month() + interval '1 month') at time zone 'UTC' $$;
comment on function triggers.next_month is 'When the limit counts anew.';

create function triggers.spent_this_month(organisation uuid) returns bigint
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: a sum alone, and within a request of the caller's own organisation.
  select coalesce((
    select usage.spend_micro_cents
    from app.monthly_usage usage
    where usage.organisation_id = organisation and usage.month = triggers.this_month()
  ), 0)
$$;
comment on function triggers.spent_this_month is 'Instead of row-level security: answers a sum, within a request of the caller''s organisation alone.';

create function triggers.at_limit(organisation app.organisations) returns boolean
language sql stable
set search_path = ''
as $$
  select organisation.suspended_at is not null or coalesce(
    triggers.spent_this_month(organisation.id) >= organisation.monthly_spend_limit_micro_cents,
    false
  )
$$;
comment on function triggers.at_limit is 'Whether the organisation has spent what it may this month; one that is suspended may spend nothing.';

-- A limit that is raised or lifted, or a suspension that is lifted, ends the pause at once: of so many runs as there is time for, which
-- wakes executors; these end what is left of it, as they do when a new month begins (runner.resume_paused).
create function triggers.tg_organisations__resume_paused() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it moves runs of the organisation being written alone.
begin
  if not triggers.at_limit(new) then
    update app.runs run
    set state = 'queued'
    where run.organisation_id = new.id
      and run.state = 'paused_limit'
      and run.id = any (array(
        select held.id from app.runs held
        where held.organisation_id = new.id and held.state = 'paused_limit'
        order by held.id
        limit 1000
      ));
    update app.runs run
    set paused_until = now()
    where run.organisation_id = new.id and run.state = 'paused_limit' and run.paused_until > now();
  end if;
  return null;
end
$$;
comment on function triggers.tg_organisations__resume_paused is 'Instead of row-level security: moves runs of the organisation being written alone.';

create trigger _500_resume_paused after update on app.organisations
  for each row
  when (
    old.monthly_spend_limit_micro_cents is distinct from new.monthly_spend_limit_micro_cents
    or old.suspended_at is distinct from new.suspended_at
  )
  execute function triggers.tg_organisations__resume_paused();
