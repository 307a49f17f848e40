/*
 * Memories. What is written here is written as the key's person, with provenance member and source api.
 * (Part 2, "Memory"; part 7, "Memories".)
 */
create function api.get_memory(input jsonb) returns text
language plpgsql stable
as $$
declare
  answer text;
begin
  select row_to_json(memory)::text into answer from rows.memories memory where memory.id = (input ->> 'id')::uuid;
  if answer is null then
    perform caller.refuse('not_found');
  end if;
  return answer;
end
$$;

create function api.create_memory(input jsonb) returns text
language plpgsql
as $$
declare
  -- Named beforehand: "returning" would ask the policies of reading again, at a third of the cost of the whole.
  created constant uuid := uuidv7();
begin
  if input ->> 'scope' = 'bot' then
    -- Shared with all who write claims of it, and with nobody who deletes it: no claim outlives its bot.
    perform from app.bots bot where bot.id = (input ->> 'botId')::uuid and bot.deleted_at is null for share;
    if not found then
      perform caller.refuse('not_found');
    end if;
  end if;
  insert into app.memories (
    organisation_id, id, scope, bot_id, kind, subject, subject_kind, value, confidence, valid_to, provenance, source,
    lawful_basis, created_by
  )
  values (
    caller.organisation_id(),
    created,
    (input ->> 'scope')::app.memory_scope,
    (input ->> 'botId')::uuid,
    input ->> 'kind',
    input ->> 'subject',
    (input ->> 'subjectKind')::app.subject_kind,
    input ->> 'value',
    (input ->> 'confidence')::double precision,
    (input ->> 'validTo')::timestamptz,
    'member',
    'api',
    (input ->> 'lawfulBasis')::app.lawful_basis,
    caller.person_id()
  );
  return (select row_to_json(memory)::text from rows.memories memory where memory.id = created);
end
$$;

-- A claim of a member is there to be read by that member and by nobody to be written here: 403. Any other person's
-- claim is not there at all: 404.
create function caller.writable_memory(input jsonb) returns uuid
language plpgsql stable
as $$
declare
  memory app.memories;
begin
  select held.* into memory from app.memories held where held.id = (input ->> 'id')::uuid;
  if memory.id is null then
    perform caller.refuse('not_found');
  end if;
  if memory.scope = 'member' then
    perform caller.refuse('forbidden');
  end if;
  return memory.id;
end
$$;

create function api.update_memory(input jsonb) returns text
language plpgsql
as $$
declare
  memory uuid := caller.writable_memory(input);
begin
  update app.memories
  set
    value = coalesce(input ->> 'value', value),
    confidence = coalesce((input ->> 'confidence')::double precision, confidence),
    valid_to = case when input ? 'validTo' then (input ->> 'validTo')::timestamptz else valid_to end,
    lawful_basis = coalesce((input ->> 'lawfulBasis')::app.lawful_basis, lawful_basis)
  where id = memory;
  return api.get_memory(input);
end
$$;

create function api.delete_memory(input jsonb) returns text
language plpgsql
as $$
declare
  memory uuid := caller.writable_memory(input);
begin
  delete from app.memories where id = memory;
  if not found then
    perform caller.refuse('not_found');
  end if;
  return rows.deleted(input);
end
$$;

-- Newest first: what the claim said until each change. Of a claim that is gone there is nothing to be read here.
create function api.list_memory_history(input jsonb) returns text
language plpgsql stable
as $$
begin
  if not exists (select from app.memories held where held.id = (input ->> 'id')::uuid) then
    perform caller.refuse('not_found');
  end if;
  return (
    select rows.page(array_agg(row_to_json(change) order by change.id desc), input)
    from (
      select shown.*
      from app.memory_history former join rows.memory_changes shown on shown.id = former.id
      where former.organisation_id = caller.organisation_id()
        and former.memory_id = (input ->> 'id')::uuid
        and former.id < rows.before(input)
      order by former.id desc
      limit (input ->> 'limit')::integer + 1
    ) change
  );
end
$$;
