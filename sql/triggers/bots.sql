/*
 * A personal bot is a member's, who alone sees it. Of two at once who write one and remove its owner, either the bot is
 * refused, or it is there to be deleted with what else the owner leaves.
 */
create function triggers.tg_bots__belong_to_a_member() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it looks at whether the owner of the row being written is a member.
begin
  perform from app.memberships member
  where member.organisation_id = new.organisation_id and member.person_id = new.owner_id
  for key share;
  if not found then
    perform caller.refuse('unauthenticated');
  end if;
  return new;
end
$$;
comment on function triggers.tg_bots__belong_to_a_member is 'Instead of row-level security: looks at whether the owner of the row is a member.';

create trigger _100_belong_to_a_member before insert on app.bots
  for each row when (new.visibility = 'personal')
  execute function triggers.tg_bots__belong_to_a_member();
create trigger _100_belong_to_a_member_on_update before update of visibility on app.bots
  for each row when (new.visibility = 'personal' and old.visibility <> 'personal')
  execute function triggers.tg_bots__belong_to_a_member();

/*
 * A bot that is deleted works no more and keeps no claims: its open runs are cancelled, which announces them, and what
 * it was told is erased: so much at once as there is time for, of all bots that are deleted together. The rest, which nobody
 * works on or reads any more, the worker sees to (jobs.cancel_runs, jobs.forget_claims).
 */
create function triggers.allotted(purpose text, wanted integer, at_most integer) returns integer
language plpgsql
set search_path = ''
as $$
declare
  taken constant integer := coalesce(nullif(current_setting('triggers.' || purpose, true), '')::integer, 0);
  given constant integer := least(wanted, at_most - taken);
begin
  perform set_config('triggers.' || purpose, (taken + given)::text, true);
  return given;
end
$$;
comment on function triggers.allotted is 'How much of what is wanted may still be done in this transaction, which may do so much for this purpose.';

create function triggers.has_claims(organisation uuid, bot uuid) returns boolean
language sql stable
as $$
  select exists (select from app.memories held where held.organisation_id = organisation and held.bot_id = bot)
    or exists (select from app.memory_history held where held.organisation_id = organisation and held.bot_id = bot)
$$;
comment on function triggers.has_claims is 'Whether anything is held that a bot was told, or what that said before. For definer functions alone.';

-- The answers kept for replays that showed any of it are looked for among all that the organisation keeps: where these are many,
-- a deletion leaves all of it to the worker, who has the time.
create function triggers.forget_claims(organisation uuid, bot uuid, at_most integer) returns boolean
language plpgsql
as $$
declare
  claims uuid[];
  former uuid[];
begin
  if not triggers.has_claims(organisation, bot) then
    return false;
  end if;
  if pg_trigger_depth() > 0 and exists (
    select from app.idempotency_records record where record.organisation_id = organisation offset 2000
  ) then
    return true;
  end if;
  with gone as (
    delete from app.memories memory
    where memory.organisation_id = organisation and memory.id = any (array(
      select held.id from app.memories held
      where held.organisation_id = organisation and held.bot_id = bot
      order by held.id
      limit at_most
    ))
    returning memory.id
  )
  select array_agg(id) into claims from gone;
  -- Twice as much: what the deletion above has just put there is among it.
  with gone as (
    delete from app.memory_history change
    where change.organisation_id = organisation and change.id = any (array(
      select held.id from app.memory_history held
      where held.organisation_id = organisation and held.bot_id = bot
      order by held.id
      limit 2 * at_most
    ))
    returning change.id, change.memory_id
  )
  select array_agg(id) || array_agg(memory_id) into former from gone;
  perform caller.forget_answers(organisation, array(select unnest(claims) union select unnest(former)));
  return triggers.has_claims(organisation, bot);
end
$$;
comment on function triggers.forget_claims is 'Erases some of what a bot was told, and the kept answers that showed it. Answers whether there is more. For definer functions alone.';

create function triggers.tg_bots__leave_nothing_open() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it touches runs and claims of the bot being deleted alone.
declare
  most_runs constant integer := 1000;
  most_claims constant integer := 5000;
  runs integer;
  claims integer;
  runs_left boolean;
  claims_left boolean;
begin
  select count(*) into runs from (select triggers.open_runs(new.organisation_id, new.id, null) limit most_runs + 1) open;
  runs_left := triggers.cancel_runs(
    new.organisation_id, new.id, triggers.allotted('runs_cancelled', runs, most_runs)
  ) < runs;
  -- After the runs, of which one at work may have been waited for: what it remembered meanwhile is counted as well.
  select count(*) into claims from (
    select 1 from app.memories held where held.organisation_id = new.organisation_id and held.bot_id = new.id
    union all
    select 1 from app.memory_history held where held.organisation_id = new.organisation_id and held.bot_id = new.id
    limit most_claims
  ) told;
  claims_left := triggers.forget_claims(
    new.organisation_id, new.id, triggers.allotted('claims_forgotten', claims, most_claims)
  );
  if runs_left or claims_left then
    update app.bots set has_runs_left = runs_left, has_claims_left = claims_left
    where organisation_id = new.organisation_id and id = new.id;
  end if;
  return null;
end
$$;
comment on function triggers.tg_bots__leave_nothing_open is 'Instead of row-level security: touches what belongs to the deleted bot alone.';

create trigger _500_leave_nothing_open after update on app.bots
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function triggers.tg_bots__leave_nothing_open();
