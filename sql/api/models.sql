/*
 * Models that bots may be given. (docs/specification/models.md#served-models)
 */
create function api.list_models(input jsonb) returns text
language sql stable
as $$
  select '{"data":[' || coalesce(string_agg(row_to_json(model)::text, ',' order by model.id), '') || '],"nextCursor":null}'
  from models.served_models() model
$$;
grant execute on function api.list_models to tenant;
