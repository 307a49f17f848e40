/*
 * Import and export of memories. (docs/specification/memories.md#import)
 */
create function api.import_memories(input jsonb) returns text
language plpgsql
as $$
declare
  lines constant jsonb := input -> 'memories';
  -- A shared lock, as in api.create_memory: no memory remains without its bot.
  bots constant uuid[] := array(
    select bot.id
    from app.bots bot
    where bot.id in (select (line ->> 'botId')::uuid from jsonb_array_elements(lines) line) and bot.deleted_at is null
    order by bot.id
    for share
  );
  restricted constant text[] := array(select search.skeleton(restriction.kind) from app.third_party_restrictions restriction);
  -- Its own statement: the results are read from a snapshot that has the new memories.
  created constant uuid[] := api_private.insert_lines(lines, bots, restricted);
begin
  return api_private.results_of_lines(lines, bots, restricted, created);
end
$$;
grant execute on function api.import_memories to tenant;
