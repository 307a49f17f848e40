create function api_private.events(ids uuid[]) returns json[]
language sql stable
as $$
  select array_agg(row_to_json(happened) order by listed.place)
  from unnest(ids) with ordinality listed (id, place)
  join rows.events happened on happened.id = listed.id
$$;
comment on function api_private.events is 'The rows of these events, in the order of the ids.';
grant execute on function api_private.events to tenant;
