-- A member reads their own member memories and cannot write them through the API: 403. Those of another member are not
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
