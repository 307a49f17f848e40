/* Lists in the input of endpoints. */
create function api_private.texts(list jsonb) returns text[]
language sql immutable
as $$
  select case when jsonb_typeof(list) = 'array' then array(select jsonb_array_elements_text(list)) end
$$;
comment on function api_private.texts is 'The texts of a JSON array; null for null.';
grant execute on function api_private.texts to tenant;
