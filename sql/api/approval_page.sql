/*
 * The page behind a card's mailed link. The token of the link is the credential: it reaches the one card it belongs to, as
 * long as the person it was mailed to may still answer it. (decisions: section 4.)
 */

-- The organisation's members and the bot stay as they are until the answer is written: an answer and the removal of a person
-- or a bot come one after the other. The organisation before all else, since a run that is approved needs it, and whoever
-- changes members has it first; the bot before the run, as whoever deletes a bot locks them.
create function caller.approval_to_answer() returns app.approvals
language plpgsql
set search_path = ''
as $$
declare
  asked app.approvals;
begin
  select held.* into asked from app.approvals held where held.id = caller.approval_id();
  perform set_config('caller.organisation_id', asked.organisation_id::text, true),
    set_config('caller.person_id', asked.person_id::text, true);
  perform triggers.lock_organisation(asked.organisation_id);
  perform from app.bots bot where bot.organisation_id = asked.organisation_id and bot.id = asked.bot_id for share;
  perform from app.runs run
  where run.organisation_id = asked.organisation_id and run.id = asked.run_id
  for no key update;
  select held.* into asked
  from app.approvals held
  where held.organisation_id = asked.organisation_id and held.id = asked.id
  for no key update;
  return asked;
end
$$;
comment on function caller.approval_to_answer is 'The card of the presented token, and what its answer depends on, locked.';

create function caller.refuse_strangers(asked app.approvals) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if not exists (
    select from app.memberships member
    join app.bots bot
      on bot.organisation_id = member.organisation_id
      and bot.id = asked.bot_id
      and bot.deleted_at is null
      and (bot.visibility = 'team' or bot.owner_id = member.person_id)
    where member.organisation_id = asked.organisation_id and member.person_id = asked.person_id
  ) then
    perform caller.refuse('forbidden');
  end if;
end
$$;
comment on function caller.refuse_strangers is 'Refuses unless the person of the card is still a member and still sees its bot.';

create function api.read_approval(input jsonb) returns text
language plpgsql stable
security definer
set search_path = ''
as $$
-- In place of row-level security: the card whose token was presented, and nothing where none was.
declare
  asked app.approvals;
begin
  select held.* into asked from app.approvals held where held.id = caller.approval_id();
  perform caller.refuse_strangers(asked);
  return (
    select row_to_json(shown)::text
    from (
      select
        rows.approval_state(asked.state, asked.expires_at) as state,
        asked.kind,
        organisation.name as organisation,
        bot.name as bot,
        asked.question,
        asked.reason,
        case asked.kind when 'memory' then asked.proposal end as memory,
        case asked.kind when 'run' then json_build_object(
          'bot', (
            select other.name
            from app.bots other
            where other.organisation_id = asked.organisation_id and other.id = (asked.proposal ->> 'botId')::uuid
          ),
          'message', asked.proposal ->> 'message'
        ) end as run,
        run.taint,
        rows.time(run.created_at) as "startedAt",
        (
          select left(message.text, 1000)
          from app.messages message
          where message.organisation_id = asked.organisation_id and message.run_id = asked.run_id
          order by message.id
          limit 1
        ) as began,
        rows.time(asked.expires_at) as "expiresAt",
        rows.time(asked.answered_at) as "answeredAt"
      from app.organisations organisation
      join app.bots bot on bot.organisation_id = organisation.id and bot.id = asked.bot_id
      join app.runs run on run.organisation_id = organisation.id and run.id = asked.run_id
      where organisation.id = asked.organisation_id
    ) shown
  );
end
$$;
comment on function api.read_approval is 'Instead of row-level security: the token of the card.';

create function api.answer_approval(input jsonb) returns text
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: the token of the card. It is locked, so that of two answers one counts.
declare
  asked app.approvals := caller.approval_to_answer();
begin
  perform caller.refuse_strangers(asked);
  if asked.state <> 'pending' or asked.expires_at <= clock_timestamp() then
    perform caller.refuse('conflict');
  end if;
  perform caller.answer(asked, (input ->> 'answer')::app.approval_state);
  return api.read_approval(input);
end
$$;
comment on function api.answer_approval is 'Instead of row-level security: the token of the card.';

create function caller.answer(asked app.approvals, answer app.approval_state) returns void
language plpgsql
set search_path = ''
as $$
declare
  run app.runs;
begin
  update app.approvals held
  set state = answer, answered_at = clock_timestamp()
  where held.organisation_id = asked.organisation_id and held.id = asked.id;
  if answer = 'approved' and asked.kind <> 'question' then
    select held.* into run
    from app.runs held
    where held.organisation_id = asked.organisation_id and held.id = asked.run_id;
    perform case asked.kind
      when 'memory' then runner.write_memory(run, asked.proposal, asked.person_id)
      when 'run' then runner.write_run(run, asked.proposal)
    end;
  end if;
end
$$;
comment on function caller.answer is 'Writes the answer of a card that was locked, and lands what it proposed. For definer functions that have checked who asks.';
