/*
 * Writes of an organisation that is about to depart (src/cells/moves/switch.ts). The triggers are created for that organisation
 * alone and dropped afterwards. Each write shares a lock until its transaction ends. The move takes the lock alone: it
 * waits for writes under way, and writes that follow wait for it.
 */
create function triggers.tg_stop_writes() returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(move.lock_number)
  from app.organisation_moves move
  where move.organisation_id = tg_argv[0]::uuid;
  -- Read after the wait: a query of its own sees what was committed meanwhile.
  if exists (
    select from app.organisation_moves move where move.organisation_id = tg_argv[0]::uuid and move.state <> 'leaving'
  ) then
    raise sqlstate 'OA002' using message = 'the organisation has moved to another cell';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
comment on function triggers.tg_stop_writes is 'Instead of row-level security: move.organisation_id = tg_argv[0]. Refuses writes of an organisation that has departed.';
