/*
 * Executors. One says every few seconds that it lives and which models it serves; silent for a minute, it counts as
 * gone. (decisions: 503 without an executor.)
 */
create function runner.beat(executor uuid, name text, models text[]) returns void
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: an executor writes of itself, and removes who has long been silent.
begin
  insert into app.executors (id, name, models) values (executor, name, models)
  on conflict (id) do update set name = excluded.name, models = excluded.models, last_seen_at = now();
  -- Who was killed can't say that it leaves. The living do it in their place: no table that only grows, and no clock of
  -- its own that somebody has to keep.
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
comment on function runner.beat is 'Instead of row-level security: an executor says of itself that it lives. Silent for a minute counts as gone; after an hour its row goes.';

create function runner.leave(executor uuid) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: an executor takes back its own word.
  delete from app.executors held where held.id = executor
$$;
comment on function runner.leave is 'Instead of row-level security: an executor that stops says so of itself.';
