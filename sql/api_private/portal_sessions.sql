/* The rights of a portal session. */
create function api_private.operations_of_session(sections app.portal_section[], read_only boolean) returns json
language sql stable
security definer set search_path = ''
as $$
  select json_object_agg(reached.section, reached.names)
  from (
    select op.section, json_agg(op.name order by op.name) as names
    from api.operations op
    where caller.is_in_session(caller.operation(op.name), sections, caller.role(), read_only, caller.is_for_another())
    group by op.section
  ) reached
$$;
comment on function api_private.operations_of_session is 'Instead of row-level security: reads api.operations only, which has no organisation. Names of the operations that the session of the request may call, by section.';
grant execute on function api_private.operations_of_session to tenant;
