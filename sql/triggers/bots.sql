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
 * it was told is erased: so much at once as there is time for. The rest, which nobody reads any more, the worker erases
 * (jobs.forget_claims).
 */
create function triggers.forget_claims(organisation uuid, bot uuid, at_most integer) returns boolean
language plpgsql
as $$
begin
  delete from app.memories memory
  where memory.organisation_id = organisation and memory.id = any (array(
    select held.id from app.memories held
    where held.organisation_id = organisation and held.bot_id = bot
    order by held.id
    limit at_most
  ));
  -- Twice as much: what the deletion above has just put there is among it.
  delete from app.memory_history former
  where former.organisation_id = organisation and former.id = any (array(
    select held.id from app.memory_history held
    where held.organisation_id = organisation and held.bot_id = bot
    order by held.id
    limit 2 * at_most
  ));
  return exists (select from app.memories held where held.organisation_id = organisation and held.bot_id = bot)
    or exists (select from app.memory_history held where held.organisation_id = organisation and held.bot_id = bot);
end
$$;
comment on function triggers.forget_claims is 'Erases some of what a bot was told. Answers whether there is more. For definer functions alone.';

create function triggers.tg_bots__leave_nothing_open() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: it touches runs and claims of the bot being deleted alone.
begin
  update app.runs
  set state = 'cancelled'
  where organisation_id = new.organisation_id
    and id = any (array(select triggers.open_runs(new.organisation_id, new.id, null)))
    and state not in ('completed', 'failed', 'cancelled');
  if triggers.forget_claims(new.organisation_id, new.id, 5000) then
    update app.bots set has_claims_left = true where organisation_id = new.organisation_id and id = new.id;
  end if;
  return null;
end
$$;
comment on function triggers.tg_bots__leave_nothing_open is 'Instead of row-level security: touches what belongs to the deleted bot alone.';

create trigger _500_leave_nothing_open after update on app.bots
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function triggers.tg_bots__leave_nothing_open();
