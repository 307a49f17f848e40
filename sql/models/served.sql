/*
 * Models. A model is served if an executor has served it within a day and no operator has withdrawn its price.
 * Executors restart and model services fail. So only a day without an executor for the model, while other executors are
 * alive, counts as a withdrawal. (docs/specification/models.md#served-models; docs/models.md)
 */
create function models.served_since() returns timestamptz
language sql stable
security definer set search_path = ''
as $$
  select max(known.last_served_at) - interval '1 day' from app.models known
$$;
comment on function models.served_since is 'Instead of row-level security: reads app.models only, which has no organisation. A model that was last served before this time is withdrawn.';
grant execute on function models.served_since to tenant;

create function models.served_models(wanted text default null) returns table (id text, available boolean)
language sql stable
security definer set search_path = ''
as $$
  with alive as materialized (
    select distinct served.model
    from app.executors executor, unnest(executor.models) as served (model)
    where executor.last_seen_at > now() - interval '1 minute'
  )
  select known.name, known.name in (select alive.model from alive)
  from (
    select 'recall' as name
    union
    select model.name from app.models model where model.last_served_at >= models.served_since()
  ) known
  where (wanted is null or known.name = wanted)
    and (runner.latest_price(known.name)).served is not false
$$;
comment on function models.served_models is 'Instead of row-level security: reads app.models and app.executors only, which have no organisation. Models that bots may be given, and whether an executor is alive for them.';
grant execute on function models.served_models to tenant;

create function models.executor_alive(model text default null) returns boolean
language sql stable
as $$
  select exists (
    select from app.executors executor
    where executor.last_seen_at > now() - interval '1 minute'
      and (executor_alive.model is null or executor_alive.model = any (executor.models))
  )
$$;
comment on function models.executor_alive is 'Whether an executor has been alive within the last minute, for this model or for any.';
grant execute on function models.executor_alive to tenant;

create function models.is_withdrawn(model text) returns boolean
language sql stable
security definer set search_path = ''
as $$
  select (runner.latest_price(is_withdrawn.model)).served is false
    or exists (
      select from app.models known
      where known.name = is_withdrawn.model and known.name <> 'recall' and known.last_served_at < models.served_since()
    ) and not models.executor_alive(is_withdrawn.model)
$$;
comment on function models.is_withdrawn is 'Instead of row-level security: reads app.models only, which has no organisation. Whether the model was served before and is not any more, so that runs of its bots fail.';
grant execute on function models.is_withdrawn to tenant;

-- A run of a withdrawn model is accepted, and fails with `refused` within seconds. (jobs.fail_runs_of_withdrawn_models)
create function models.require_executor(model text) returns void
language plpgsql stable
as $$
begin
  if not models.executor_alive(model) and not (models.executor_alive() and models.is_withdrawn(model)) then
    perform errors.refuse('unavailable');
  end if;
end
$$;
comment on function models.require_executor is 'Refuses unless an executor has been alive within the last minute: for this model, or for any if the model is withdrawn.';
grant execute on function models.require_executor to tenant;

create function models.require_served(model text) returns void
language plpgsql stable
as $$
begin
  if not exists (select from models.served_models(model)) then
    perform errors.refuse('invalid_request', '[{"path":"body.model","message":"must be a model that GET /models lists"}]');
  end if;
end
$$;
comment on function models.require_served is 'Refuses with invalid_request unless the model is served.';
grant execute on function models.require_served to tenant;
