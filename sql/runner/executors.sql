/*
 * Executors. Each sends a heartbeat with the models it serves every few seconds; after a minute of silence it counts as
 * gone. (docs/specification/executors.md#heartbeat)
 */
create function runner.heartbeat(executor uuid, name text, models text[]) returns void
language plpgsql
security definer set search_path = ''
as $$
begin
  perform runner.limit_open_transaction();
  perform runner.require(char_length(name) between 1 and 120, 'an executor''s name has 1 to 120 characters');
  perform runner.require(
    cardinality(models) <= 1000
      and not exists (select from unnest(models) given (model) where char_length(given.model) between 1 and 100 is not true),
    'an executor serves at most 1,000 models, each with a name of 1 to 100 characters'
  );
  perform runner.require_capacity(executor);
  insert into app.executors (id, name, models) values (executor, name, models)
  on conflict (id) do update set name = excluded.name, models = excluded.models, last_seen_at = now();
  perform runner.note_served(models);
  -- A killed executor cannot deregister. The living ones delete its row, so the table needs no clean-up job.
  delete from app.executors gone
  using (
    select silent.id
    from app.executors silent
    where silent.last_seen_at < now() - interval '1 hour'
    for update skip locked
  ) silent
  where gone.id = silent.id;
end
$$;
comment on function runner.heartbeat is 'Instead of row-level security: only executor may execute it. An executor reports itself alive. It counts as gone after a minute of silence; its row is deleted after an hour.';
grant execute on function runner.heartbeat to executor;

-- Another executor may have left a transaction open that adds the same model. Then the next heartbeat adds it.
create function runner.add_models(models text[]) returns void
language plpgsql
set lock_timeout = '100ms'
as $$
begin
  insert into app.models (name)
  select distinct served.name from unnest(models) served (name)
  where not exists (select from app.models known where known.name = served.name)
  order by served.name -- one lock order for executors that start together
  on conflict do nothing;
  if found then
    delete from app.models known
    where known.name in (
      select old.name from app.models old
      where old.name in (
        select surplus.name from app.models surplus order by surplus.last_served_at desc, surplus.name offset 2000
      )
      for update skip locked
    );
  end if;
exception when lock_not_available then null;
end
$$;
comment on function runner.add_models is 'Records models that were never served before. Keeps the 2,000 models served last.';

-- Accurate to the minute, so that a heartbeat rarely writes. Time without any living executor, as in an outage or after
-- the clock was set forward, does not count against a model.
create function runner.note_served(models text[]) returns void
language plpgsql
as $$
declare
  outage interval := now() - (select max(known.last_served_at) from app.models known);
begin
  if outage > interval '2 minutes' then
    update app.models known
    set last_served_at = least(now(), known.last_served_at + outage)
    where known.name in (select every.name from app.models every for no key update skip locked);
  end if;
  perform runner.add_models(models);
  update app.models known
  set last_served_at = now()
  where known.name in (
    select stale.name from app.models stale
    where stale.name = any (models) and stale.last_served_at not between now() - interval '1 minute' and now()
    for no key update skip locked
  );
end
$$;
comment on function runner.note_served is 'Records the models of an executor as served now.';

-- Every start of a run reads the living executors, so a program that registers under ever new ids must not slow it
-- down.
create function runner.free_executors() returns integer
language sql volatile
as $$ select 500 - count(*)::integer from app.executors $$;
comment on function runner.free_executors is 'How many more executors may register.';

create function runner.require_capacity(executor uuid) returns void
language plpgsql
as $$
declare
  alone constant boolean := pg_current_xact_id_if_assigned() is null;
begin
  if exists (select from app.executors where executors.id = executor) then
    return;
  end if;
  -- As for runner.within_share: far from the maximum no executor waits.
  if alone and runner.free_executors() > runner.other_sessions() then
    begin
      if service.try_lock_shared('executors') and runner.free_executors() > runner.other_sessions() then
        return;
      end if;
      raise exception using errcode = 'OA003', message = 'undone'; -- releases the shared lock
    exception when sqlstate 'OA003' then null;
    end;
  end if;
  if not runner.lock_of_busy('executors') then
    raise exception using errcode = '55P03', message = 'other executors register at this moment';
  end if;
  perform runner.require(runner.free_executors() > 0, 'there are 500 executors already');
end
$$;
comment on function runner.require_capacity is 'Refuses a new executor if 500 exist, including those silent for up to an hour. Raises 55P03 if it cannot be known yet, because others register.';

create function runner.deregister(executor uuid) returns void
language sql
security definer set search_path = ''
as $$
  select runner.limit_open_transaction();
  delete from app.executors where executors.id = executor
$$;
comment on function runner.deregister is 'Instead of row-level security: only executor may execute it. An executor that stops deletes its own row.';
grant execute on function runner.deregister to executor;
