/* The limits of the caller's organisation, as GET /me and a portal session show them. */
create function api_private.own_limits() returns json
language sql stable
as $$
  select rows.compact(json_object_agg(own.name, rows.use(own.maximum, own.used) order by own."position"))
  from limits.of_organisation(caller.organisation_id()) own
$$;
comment on function api_private.own_limits is 'Maximum and use of each limit, by its name.';
grant execute on function api_private.own_limits to tenant;
