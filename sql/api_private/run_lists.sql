-- A custom plan for the filters, so that the partial indexes of the state and of the trigger are used. Behind a policy an
-- index condition on an enum is not possible, because its operator is not leakproof. The index of queued runs is ordered
-- by conversation, so queued runs are collected and then sorted.
create function api_private.filtered_runs(
  input jsonb, bot uuid, wanted app.run_state, started app.run_trigger, oldest uuid, before uuid, size integer
) returns text
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_sort = on
as $$
begin
  if input -> 'metadata' <> '{}' then
    return api_private.runs_with_metadata(input, bot, wanted, started, oldest, before, size);
  end if;
  if wanted = 'queued' then
    return (
      with queued as materialized (
        select id from rows.runs
        where state = 'queued' and id >= oldest and id < before
          and (bot is null or "botId" = bot) and (started is null or trigger = started)
      )
      select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
      from (
        select * from rows.runs where id = any (array(select id from queued order by id desc limit size))
      ) run
    );
  end if;
  return (
    select rows.page(array_agg(row_to_json(run) order by run.id desc), input)
    from (
      select * from rows.runs
      where (wanted is null or state = wanted) and (started is null or trigger = started) and id >= oldest and id < before
        and (bot is null or "botId" = bot)
      order by id desc
      limit size
    ) run
  );
end
$$;
comment on function api_private.filtered_runs is 'A page of the runs with metadata, of a bot, in a state, with a trigger. Each of the last three may be null.';
grant execute on function api_private.filtered_runs to tenant;

-- Reads along the index of the rarest pair. Pairs in more than 1,000 runs count as equally frequent.
create function api_private.rarest_pair(pairs jsonb, oldest uuid, before uuid, out key text, out value text)
language sql stable
as $$
  select wanted.key, wanted.value
  from jsonb_each_text(pairs) wanted
  cross join lateral (
    select count(*) as runs
    from (
      select from app.run_metadata pair
      where pair.organisation_id = (select caller.organisation_id())
        and pair.key = wanted.key and pair.value = wanted.value
        and pair.run_id >= oldest and pair.run_id < before
      limit 1000
    ) found
  ) counted
  order by counted.runs
  limit 1
$$;
comment on function api_private.rarest_pair is 'The pair of metadata that the fewest visible runs between the two ids have.';
grant execute on function api_private.rarest_pair to tenant;

create function api_private.has_pairs(run uuid, pairs jsonb) returns boolean
language sql stable
as $$
  select not exists (
    select from jsonb_each_text(pairs) wanted
    where not exists (
      select from app.run_metadata pair
      where pair.organisation_id = (select caller.organisation_id())
        and pair.run_id = run and pair.key = wanted.key and pair.value = wanted.value
    )
  )
$$;
comment on function api_private.has_pairs is 'Whether the run has all these pairs of metadata.';
grant execute on function api_private.has_pairs to tenant;

create function api_private.runs_with_metadata(
  input jsonb, bot uuid, wanted app.run_state, started app.run_trigger, oldest uuid, before uuid, size integer
) returns text
language plpgsql stable
set enable_sort = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  rarest constant record := api_private.rarest_pair(input -> 'metadata', oldest, before);
  others constant jsonb := (input -> 'metadata') - rarest.key;
begin
  return (
    select rows.page(array_agg(row_to_json(listed) order by listed.id desc), input)
    from (
      select run.*
      from app.run_metadata pair
      join rows.runs run on run.id = pair.run_id
      where pair.organisation_id = (select caller.organisation_id())
        and pair.key = rarest.key and pair.value = rarest.value
        and pair.run_id >= oldest and pair.run_id < before
        and (wanted is null or run.state = wanted)
        and (started is null or run.trigger = started)
        and (bot is null or run."botId" = bot)
        and (others = '{}' or api_private.has_pairs(run.id, others))
      order by pair.run_id desc
      limit size
    ) listed
  );
end
$$;
comment on function api_private.runs_with_metadata is 'A page of the runs with all pairs of metadata, of a bot, in a state, with a trigger. Each of the three may be null.';
grant execute on function api_private.runs_with_metadata to tenant;

create function api_private.with_messages(page text) returns text
language sql stable
as $$
  -- The text of each run as it is, since jsonb would write white space.
  select format('{"data":[%s],"nextCursor":%s}', string_agg(
    left(listed.run::text, -1) || ',"message":' || coalesce(to_json(opening.message)::text, 'null') || '}', ',' order by listed.place
  ), page::json -> 'nextCursor')
  from json_array_elements(page::json -> 'data') with ordinality listed (run, place)
  left join lateral (
    select left(message.text, 200) as message
    from rows.messages message
    where message."runId" = (listed.run ->> 'id')::uuid and message.author = 'person'
    order by message.id
    limit 1
  ) opening on true
$$;
comment on function api_private.with_messages is 'The page of runs with the start of each message that the caller may read.';
grant execute on function api_private.with_messages to tenant;
