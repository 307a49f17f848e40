/*
 * Operator action that retries the failed runs of a model, of one organisation or of all.
 * (docs/specification/runs.md#retrying)
 */
create type operator.retry_mode as enum ('preview', 'retry');

-- A concurrent retry has committed once the organisation is locked. The query after the lock leaves its runs out.
create function operator.retry_in(
  organisation uuid, model text, since timestamptz, until timestamptz, max_runs integer
) returns jsonb
language plpgsql
as $$
declare
  failed app.runs;
  retried integer := 0;
  code text;
  reason text;
begin
  perform limits.lock_organisation(organisation);
  for failed in
    select * from runs.failed_of_model(organisation, model, since, until) run order by run.id limit max_runs
  loop
    begin
      perform runs.retry(failed);
      retried := retried + 1;
    exception when sqlstate 'OA001' then
      get stacked diagnostics code = message_text, reason = pg_exception_hint;
      exit; -- payment, a limit, no executor: the others would be refused as well
    end;
  end loop;
  return jsonb_build_object('organisation', organisation, 'retried', retried, 'code', code, 'reason', nullif(reason, ''));
end
$$;
comment on function operator.retry_in is 'Retries failed runs of an organisation, oldest first, until one is refused. For definer functions, in an action of the organisation.';

create function operator.oldest_failed(
  model text, since timestamptz, until timestamptz, tried uuid[], max_runs integer
) returns jsonb
language sql stable
as $$
  select jsonb_agg(jsonb_build_object('organisation', next.organisation_id, 'runs', next.runs) order by next.oldest)
  from (
    select due.organisation_id, count(*) as runs, min(due.place) as oldest
    from (
      select run.organisation_id, row_number() over (order by run.id) as place
      from runs.failed_of_organisations(null, model, since, until) run
      where run.organisation_id <> all (tried)
      order by run.id
      limit max_runs
    ) due
    group by due.organisation_id
  ) next
$$;
comment on function operator.oldest_failed is 'How many of the oldest failed runs each organisation has, except of organisations that were tried. For operator.retry_in_all only.';

-- The lock by name comes first: organisations are locked in the order of their runs, and two operators would deadlock.
-- An organisation is tried once a call, so that its refusal does not stop the others.
create function operator.retry_in_all(
  model text, since timestamptz, until timestamptz, max_runs integer, given jsonb, reason text
) returns jsonb
language plpgsql
as $$
declare
  max_organisations constant integer := 200; -- they stay locked until the end
  remaining integer := max_runs;
  tried uuid[] := '{}';
  outcome jsonb;
  outcomes jsonb := '[]';
  batch jsonb;
  next record;
begin
  perform service.lock('retry_runs');
  while remaining > 0 and cardinality(tried) < max_organisations loop
    batch := operator.oldest_failed(model, since, until, tried, remaining);
    exit when batch is null;
    for next in select * from jsonb_to_recordset(batch) each (organisation uuid, runs integer) loop
      perform operator.begin_action('retry_runs', next.organisation, null, given, reason);
      outcome := operator.retry_in(next.organisation, model, since, until, next.runs);
      tried := tried || next.organisation;
      outcomes := outcomes || outcome;
      remaining := remaining - (outcome ->> 'retried')::integer;
    end loop;
    perform caller.clear_identity(); -- what follows concerns all of them, also the deferred triggers
  end loop;
  return outcomes;
end
$$;
comment on function operator.retry_in_all is 'Retries failed runs of all organisations, oldest first, as one action for each. For operator.retry_runs only.';

create function operator.retry_result(organisation uuid, model text, since timestamptz, until timestamptz, outcomes jsonb)
returns json
language sql stable
as $$
  with left_over as (
    select run.organisation_id as id, count(*) as runs, max(run.created_at) as newest
    from runs.failed_of_organisations(organisation, model, since, until) run
    group by run.organisation_id
  ), listed as (
    select left_over.*, named.name
    from left_over
    join app.organisations named on named.id = left_over.id
    order by left_over.newest desc, left_over.id
    limit 50
  ), outcome as (
    select each ->> 'organisation' as id, named.name, (each ->> 'retried')::integer as retried, each ->> 'code' as code,
      each ->> 'reason' as reason, place
    from jsonb_array_elements(outcomes) with ordinality entries (each, place)
    join app.organisations named on named.id = (each ->> 'organisation')::uuid
  )
  select json_build_object(
    'retried', (select coalesce(sum(retried), 0) from outcome),
    'left', (select coalesce(sum(runs), 0) from left_over),
    'organisationsLeft', (select count(*) from left_over),
    'organisations', (
      select coalesce(json_agg(json_build_object('id', id, 'name', name, 'left', runs) order by newest desc, id), '[]') from listed
    ),
    'done', (
      select coalesce(json_agg(json_build_object('id', id, 'name', name, 'retried', retried) order by place), '[]')
      from outcome where retried > 0
    ),
    'refused', (
      select coalesce(json_agg(json_build_object('id', id, 'name', name, 'code', code, 'reason', reason) order by place), '[]')
      from outcome where code is not null
    )
  )
$$;
comment on function operator.retry_result is 'What a retry did, and the runs that are left: of at most 50 organisations, ordered by their newest run. For operator.retry_runs only.';

create function operator.retry_runs(
  organisation uuid, model text, since timestamptz, until timestamptz, mode operator.retry_mode, reason text
) returns json
language plpgsql
security definer set search_path = ''
as $$
declare
  max_runs constant integer := 100; -- organisations stay locked until the end
  given constant jsonb := jsonb_build_object('model', model, 'since', since, 'until', until, 'mode', mode);
  outcomes jsonb := '[]';
begin
  if organisation is null then
    perform operator.begin_command('retry_runs', given, reason);
  else
    perform operator.begin_action('retry_runs', organisation, null, given, reason);
  end if;
  if model is null or since is null or mode is null then
    perform errors.refuse('invalid_request', '[{"path":"since","message":"must be given, with a model and a mode"}]');
  end if;
  if mode = 'retry' then
    outcomes := case
      when organisation is null then operator.retry_in_all(model, since, until, max_runs, given, reason)
      else jsonb_build_array(operator.retry_in(organisation, model, since, until, max_runs))
    end;
  end if;
  return operator.retry_result(organisation, model, since, until, outcomes);
end
$$;
comment on function operator.retry_runs is 'Instead of row-level security: operator.begin_action, for a token of scope act. Retries failed runs from their start, each as its person would: at most 100, oldest first. Without an organisation, it concerns all organisations. The result has what was retried and refused, and the runs that are left. Mode preview retries none.';
grant execute on function operator.retry_runs to operator;
