/*
 * Executors. One says every few seconds that it lives and which models it serves; silent for a minute, it counts as
 * gone. (decisions: 503 without an executor.)
 */
create function runner.beat(executor uuid, name text, models text[]) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: an executor writes of itself alone.
  insert into app.executors (id, name, models) values (executor, name, models)
  on conflict (id) do update set name = excluded.name, models = excluded.models, last_seen_at = now()
$$;
comment on function runner.beat is 'Instead of row-level security: an executor says of itself that it lives. Silent for a minute counts as gone.';

create function runner.leave(executor uuid) returns void
language sql
security definer
set search_path = ''
as $$
  -- In place of row-level security: an executor takes back its own word.
  delete from app.executors held where held.id = executor
$$;
comment on function runner.leave is 'Instead of row-level security: an executor that stops says so of itself.';
