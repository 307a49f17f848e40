/* Lists in the input of endpoints. */
create function api_private.texts(list jsonb) returns text[]
language sql immutable
as $$
  select case when jsonb_typeof(list) = 'array' then array(
    select item from jsonb_array_elements_text(list) with ordinality listed (item, place) group by item order by min(place)
  ) end
$$;
comment on function api_private.texts is 'The texts of a JSON array, each once; null for null.';
grant execute on function api_private.texts to tenant;
