/*
 * Erasure of the memories of a deleted bot, and of the results of its runs' steps. The deletion erases the first part, the
 * worker the rest. (jobs.delete_memories_of_bots)
 */
create function erasure.max_rows() returns integer
language sql immutable
as $$ select 1000 $$;
comment on function erasure.max_rows is 'How many memories, changes and answers a statement erases at most: so it stays within a time-out of 3 s on a machine that takes 1 ms for each.';

create function erasure.results_of_bot(organisation uuid, bot uuid) returns setof app.step_results
language sql stable
as $$
  select stored.*
  from app.conversations conversation
  join app.step_results stored
    on stored.organisation_id = conversation.organisation_id and stored.conversation_id = conversation.id
  where conversation.organisation_id = organisation and conversation.bot_id = bot
$$;
comment on function erasure.results_of_bot is 'The results of the steps of a bot''s runs. For definer functions only.';

create function erasure.delete_results_of_bot(organisation uuid, bot uuid, at_most integer) returns void
language sql
as $$
  delete from app.step_results stored
  where stored.organisation_id = organisation and (stored.run_id, stored.key) in (
    select part.run_id, part.key from erasure.results_of_bot(organisation, bot) part limit at_most
  )
$$;
comment on function erasure.delete_results_of_bot is 'Deletes some results of the steps of a bot''s runs. For definer functions only.';

create function erasure.has_memories(organisation uuid, bot uuid) returns boolean
language sql stable
as $$
  select exists (select from app.memories memory where memory.organisation_id = organisation and memory.bot_id = bot)
    or exists (select from app.memory_history change where change.organisation_id = organisation and change.bot_id = bot)
    or exists (select from erasure.results_of_bot(organisation, bot))
$$;
comment on function erasure.has_memories is 'Whether the bot has memories, history of memories, or results of steps. For definer functions only.';

create function erasure.delete_memories_of_bot(organisation uuid, bot uuid, at_most integer) returns boolean
language plpgsql
as $$
declare
  memories uuid[];
  history uuid[];
begin
  if not erasure.has_memories(organisation, bot) then
    return false;
  end if;
  with gone as (
    delete from app.memories memory
    where memory.organisation_id = organisation and memory.id = any (array(
      select memory.id from app.memories memory
      where memory.organisation_id = organisation and memory.bot_id = bot
      order by memory.id
      limit at_most
    ))
    returning memory.id
  )
  select array_agg(id) into memories from gone;
  -- Twice as many: the deletion above has just added a row for each memory.
  with gone as (
    delete from app.memory_history change
    where change.organisation_id = organisation and change.id = any (array(
      select remaining.id from app.memory_history remaining
      where remaining.organisation_id = organisation and remaining.bot_id = bot
      order by remaining.id
      limit 2 * at_most
    ))
    returning change.id, change.memory_id
  )
  select array_agg(id) || array_agg(memory_id) into history from gone;
  perform erasure.delete_results_of_bot(organisation, bot, at_most);
  perform erasure.erase_responses(organisation, array(select unnest(memories) union select unnest(history)));
  return erasure.has_memories(organisation, bot);
end
$$;
comment on function erasure.delete_memories_of_bot is 'Erases some memories of a bot with the idempotent responses that showed them, and some results of its runs'' steps. Returns whether there are more. For definer functions only.';
