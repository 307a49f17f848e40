/*
 * Starts of runs in a rolling hour. Each run stores how many starts of its organisation came before it. The starts of an hour
 * are the difference between its first and its last run: two look-ups for any number of starts.
 * (docs/decisions/0016-limits-and-spending.md)
 */
create function limits.limit_of_start(trigger app.run_trigger) returns text
language sql immutable
return case
  when trigger in ('api', 'message') then 'runStartsPerHour'
  when trigger = 'routine' then 'routineStartsPerHour'
  when trigger = 'webhook' then 'webhookStartsPerHour'
end;
comment on function limits.limit_of_start is 'The limit that counts a run with this trigger; null for a run that another run starts.';
grant execute on function limits.limit_of_start to tenant, operator; -- for conditions of triggers, and views

create function limits.starts_through(run app.runs) returns table (scripts integer, routines integer, webhooks integer)
language sql immutable -- without settings of its own, so that it is inlined
begin atomic -- bound at creation, since operator may not enter this schema
  select
    run.scripts_before + (limits.limit_of_start(run.trigger) is not distinct from 'runStartsPerHour')::integer,
    run.routines_before + (limits.limit_of_start(run.trigger) is not distinct from 'routineStartsPerHour')::integer,
    run.webhooks_before + (limits.limit_of_start(run.trigger) is not distinct from 'webhookStartsPerHour')::integer;
end;
comment on function limits.starts_through is 'How many runs of its organisation were started up to a run, itself included.';
grant execute on function limits.starts_through to operator;

-- Ids carry their time, and follow the order of commits within an organisation (sql/triggers/starts.sql).
create view limits.starts_before_hour (organisation_id, scripts, routines, webhooks) as
select organisation.id, first.scripts_before, first.routines_before, first.webhooks_before
from app.organisations organisation
cross join lateral (
  select run.scripts_before, run.routines_before, run.webhooks_before
  from app.runs run
  where run.organisation_id = organisation.id and run.id > (select times.least_id(now() - interval '1 hour'))
  order by run.id
  limit 1
) first;
comment on view limits.starts_before_hour is 'How many runs of an organisation were started before the first one of the last hour. No row without one.';

-- After the clock was set back, runs with later ids do not count yet.
create view limits.starts (organisation_id, scripts, routines, webhooks) as
select
  before.organisation_id, last.scripts - before.scripts, last.routines - before.routines, last.webhooks - before.webhooks
from limits.starts_before_hour before
cross join lateral (
  select through.scripts, through.routines, through.webhooks
  from app.runs run
  cross join lateral limits.starts_through(run) through
  where run.organisation_id = before.organisation_id and run.id < (select times.least_id(clock_timestamp() + interval '1 second'))
  order by run.id desc
  limit 1
) last;
comment on view limits.starts is 'How many runs of an organisation scripts, routines and hooks started in the last hour.';
