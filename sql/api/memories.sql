/*
 * Memories. Writes are in the name of the key's person, with provenance member and source api.
 * (docs/specification/memories.md#writing)
 */
create function api.create_memory(input jsonb) returns text
language plpgsql
as $$
begin
  if input ->> 'scope' = 'bot' then
    -- A shared lock: other writers of memories do not wait. A deletion of the bot waits, so no memory remains without its bot.
    perform from app.bots bot where bot.id = (input ->> 'botId')::uuid and bot.deleted_at is null for share;
    if not found then
      perform errors.refuse('not_found');
    end if;
  end if;
  return api_private.insert_memory(input);
end
$$;
grant execute on function api.create_memory to tenant;

create function api.get_memory(input jsonb) returns text
language plpgsql stable
as $$
begin
  return errors.found((
    select rows.memory_with_conflicts(memory) from app.memories memory where memory.id = (input ->> 'id')::uuid
  ));
end
$$;
grant execute on function api.get_memory to tenant;

create function api.update_memory(input jsonb) returns text
language plpgsql
as $$
declare
  memory uuid := api_private.writable_memory(input);
begin
  perform api_private.change_memory(memory, input);
  return api.get_memory(input);
end
$$;
grant execute on function api.update_memory to tenant;

create function api.delete_memory(input jsonb) returns text
language plpgsql
as $$
declare
  memory uuid := api_private.writable_memory(input);
begin
  -- The deletion changes the links of both neighbours. The order of ids keeps deletions of neighbours from a deadlock.
  perform from app.memories neighbour
  where neighbour.id in (
    select unnest(array[stored.id, stored.supersedes, stored.superseded_by]) from app.memories stored where stored.id = memory
  )
  order by neighbour.id
  for update;
  delete from app.memories where id = memory;
  perform errors.require_row(found);
  return rows.deleted(input);
end
$$;
grant execute on function api.delete_memory to tenant;

-- The former contents of a memory, newest first. A deleted memory has no readable history.
create function api.list_memory_history(input jsonb) returns text
language plpgsql stable
as $$
begin
  if not exists (select from app.memories memory where memory.id = (input ->> 'id')::uuid) then
    perform errors.refuse('not_found');
  end if;
  return (
    select rows.page(array_agg(row_to_json(change) order by change.id desc), input)
    from (
      select change.*
      from app.memory_history stored join rows.memory_changes change on change.id = stored.id
      where stored.organisation_id = caller.organisation_id()
        and stored.memory_id = (input ->> 'id')::uuid
        and stored.id < rows.before(input)
      order by stored.id desc
      limit (input ->> 'limit')::integer + 1
    ) change
  );
end
$$;
grant execute on function api.list_memory_history to tenant;
