-- A member reads their own member memories and cannot write them through the API: 403. Memories of another member are not
-- visible: 404.
create function api_private.writable_memory(input jsonb) returns uuid
language plpgsql stable
as $$
declare
  memory app.memories;
begin
  select memories.* into memory from app.memories where memories.id = (input ->> 'id')::uuid;
  if memory.id is null then
    perform errors.refuse('not_found');
  end if;
  if memory.scope = 'member' then
    perform errors.refuse('forbidden', reason => 'member_memory');
  end if;
  return memory.id;
end
$$;
grant execute on function api_private.writable_memory to tenant;

-- Generated from rows.memory_fields(): writes the fields of a request, or of several requests in their order.
do $$
declare
  columns text;
  expressions text;
begin
  select string_agg(quote_ident(name), ', ' order by place), string_agg(format('(input ->> %L)::%s', label, type), ', ' order by place)
  into columns, expressions
  from rows.memory_fields()
  where at_creation;
  execute format(
    $function$
      create function api_private.insert_memory(input jsonb) returns text
      language plpgsql
      as $body$
      declare
        memory app.memories;
      begin
        insert into app.memories (organisation_id, provenance, source, created_by, %1$s)
        values (caller.organisation_id(), 'member', 'api', caller.person_id(), %2$s)
        returning * into memory;
        return rows.memory_with_conflicts(memory);
      end
      $body$;
      grant execute on function api_private.insert_memory to tenant;

      create function api_private.insert_memories(inputs jsonb[]) returns text[]
      language plpgsql
      as $body$
      declare
        written app.memories[];
      begin
        with inserted as (
          insert into app.memories (organisation_id, provenance, source, created_by, %1$s)
          select caller.organisation_id(), 'member', 'api', caller.person_id(), %2$s from unnest(inputs) input
          returning memories
        )
        select array_agg(inserted.memories) into written from inserted;
        return ( -- the ids of one session are in the order of the rows; a memory is in conflict with memories before it
          select array_agg(rows.memory_with_conflicts(memory, memory.id) order by memory.id) from unnest(written) memory
        );
      end
      $body$;
      grant execute on function api_private.insert_memories to tenant;
    $function$,
    columns, expressions
  );
end
$$;
create function api_private.create_memories(inputs jsonb[]) returns text[]
language plpgsql
as $$
declare
  bots constant uuid[] := array(
    select distinct (input ->> 'botId')::uuid from unnest(inputs) input where input ->> 'scope' = 'bot'
  );
  locked integer;
begin
  if bots <> '{}' then
    perform from app.bots bot where bot.id = any (bots) and bot.deleted_at is null order by bot.id for share;
    get diagnostics locked = row_count;
    if locked < cardinality(bots) then
      perform errors.refuse('not_found');
    end if;
  end if;
  return api_private.insert_memories(inputs);
end
$$;
comment on function api_private.create_memories is 'Does the same as api.create_memory, for several requests in one statement.';
grant execute on function api_private.create_memories to tenant;

-- Sets every field that PATCH may set, to its present value unless the request names it.
do $$
begin
  execute (
    select format(
      $function$
        create function api_private.change_memory(memory uuid, input jsonb) returns void
        language plpgsql
        as $body$
        begin
          update app.memories set %s where id = memory;
          perform errors.require_row(found); -- unless deleted meanwhile
        end
        $body$
      $function$,
      string_agg(format('%1$I = case when input ? %2$L then (input ->> %2$L)::%3$s else %1$I end', name, label, type), ', ' order by place)
    )
    from rows.memory_fields()
    where by_patch
  );
end
$$;
grant execute on function api_private.change_memory to tenant;
