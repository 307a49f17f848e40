/*
 * Open runs of bots that are deleted, and what these were told, where it was more than their deletion had time for. It is
 * looked for by the sweep and not carried out by a job: so nothing is lost with the table of jobs.
 */
create function jobs.cancel_runs() returns boolean
language plpgsql
security definer
set search_path = ''
set lock_timeout = '500ms'
as $$
-- In place of row-level security: it cancels runs of deleted bots, whosever they were, and shows none of them.
declare
  at_most constant integer := 500;
  organisation uuid;
  bot uuid;
begin
  select held.organisation_id, held.id into organisation, bot
  from app.bots held
  where held.has_runs_left
  order by held.organisation_id, held.id
  limit 1
  for no key update skip locked;
  if bot is null then
    return false;
  end if;
  if triggers.cancel_runs(organisation, bot, at_most) < at_most then
    update app.bots held set has_runs_left = false where held.organisation_id = organisation and held.id = bot;
  end if;
  return true;
exception
  when lock_not_available then
    return false; -- somebody is at work in them; the next look of the sweep will do
end
$$;
comment on function jobs.cancel_runs is 'Instead of row-level security: cancels runs of deleted bots, and shows none of them. Some of one of them; answers whether there was one.';

create function jobs.forget_claims() returns boolean
language plpgsql
security definer
set search_path = ''
set lock_timeout = '500ms'
as $$
-- In place of row-level security: it erases what deleted bots were told, whosever they were, and shows none of it.
declare
  organisation uuid;
  bot uuid;
begin
  select held.organisation_id, held.id into organisation, bot
  from app.bots held
  where held.has_claims_left
  order by held.organisation_id, held.id
  limit 1
  for no key update skip locked;
  if bot is null then
    return false;
  end if;
  if not triggers.forget_claims(organisation, bot, 1000) then
    update app.bots held set has_claims_left = false where held.organisation_id = organisation and held.id = bot;
  end if;
  return true;
exception
  when lock_not_available then
    return false; -- somebody is at work in them; the next look of the sweep will do
end
$$;
comment on function jobs.forget_claims is 'Instead of row-level security: erases what deleted bots were told, and shows none of it. Some of one of them; answers whether there was one.';
