/*
 * Models. A model is served if an executor has served it within a day and no operator has withdrawn its price.
 * Executors restart and model services fail. So only a day without an executor for the model, while other executors are
 * alive, counts as a withdrawal. (docs/specification/models.md#served-models; docs/models.md)
 */
create function caller.served_since() returns timestamptz
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: models belong to no tenant. A day before the latest last_served_at, and not a day
  -- before now: while no executor is alive, no model is withdrawn.
  select max(known.last_served_at) - interval '1 day' from app.models known
$$;
comment on function caller.served_since is 'Instead of row-level security: models belong to no tenant. A model that was last served before this time is withdrawn.';
grant execute on function caller.served_since to tenant;

create function caller.served_models(wanted text default null) returns table (id text, available boolean)
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: models belong to no tenant, and the result has no other data of executors and
  -- prices.
  with alive as materialized (
    select distinct served.model
    from app.executors executor, unnest(executor.models) as served (model)
    where executor.last_seen_at > now() - interval '1 minute'
  )
  select known.name, known.name in (select alive.model from alive)
  from (
    select 'recall' as name
    union
    select model.name from app.models model where model.last_served_at >= caller.served_since()
  ) known
  where (wanted is null or known.name = wanted)
    and (runner.latest_price(known.name)).served is not false
$$;
comment on function caller.served_models is 'Instead of row-level security: models belong to no tenant. Models that bots may be given, and whether an executor is alive for them.';
grant execute on function caller.served_models to tenant;

create function caller.executor_alive(model text default null) returns boolean
language sql stable
as $$
  select exists (
    select from app.executors executor
    where executor.last_seen_at > now() - interval '1 minute'
      and (executor_alive.model is null or executor_alive.model = any (executor.models))
  )
$$;
comment on function caller.executor_alive is 'Whether an executor has been alive within the last minute, for this model or for any.';
grant execute on function caller.executor_alive to tenant;

create function caller.is_withdrawn(model text) returns boolean
language sql stable
security definer
set search_path = ''
as $$
  -- In place of row-level security: models belong to no tenant. A model never served is not withdrawn: its bots wait.
  select (runner.latest_price(is_withdrawn.model)).served is false
    or exists (
      select from app.models known
      where known.name = is_withdrawn.model and known.name <> 'recall' and known.last_served_at < caller.served_since()
    ) and not caller.executor_alive(is_withdrawn.model)
$$;
comment on function caller.is_withdrawn is 'Instead of row-level security: models belong to no tenant. Whether the model was served before and is not any more, so that runs of its bots fail.';
grant execute on function caller.is_withdrawn to tenant;

-- A run of a withdrawn model is accepted, and fails with `refused` within seconds. (jobs.fail_runs_of_withdrawn_models)
create function caller.require_executor(model text) returns void
language plpgsql stable
as $$
begin
  if not caller.executor_alive(model) and not (caller.executor_alive() and caller.is_withdrawn(model)) then
    perform caller.refuse('unavailable');
  end if;
end
$$;
comment on function caller.require_executor is 'Refuses unless an executor has been alive within the last minute: for this model, or for any if the model is withdrawn.';
grant execute on function caller.require_executor to tenant;

create function caller.require_served(model text) returns void
language plpgsql stable
as $$
begin
  if not exists (select from caller.served_models(model)) then
    perform caller.refuse('invalid_request', '[{"path":"body.model","message":"must be a model that GET /models lists"}]');
  end if;
end
$$;
comment on function caller.require_served is 'Refuses with invalid_request unless the model is served.';
grant execute on function caller.require_served to tenant;

create function api.list_models(input jsonb) returns text
language sql stable
as $$
  select '{"data":[' || coalesce(string_agg(row_to_json(model)::text, ',' order by model.id), '') || '],"nextCursor":null}'
  from caller.served_models() model
$$;
grant execute on function api.list_models to tenant;
