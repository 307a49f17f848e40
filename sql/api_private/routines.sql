-- The API computes the first firing, the database has the time. If their clocks differ by more than 5 seconds, a worker
-- plans.
create function api_private.planned_firing(planned timestamptz, next timestamptz) returns timestamptz
language sql volatile
as $$
  select case
    when next > times.clock() and planned between times.clock() - interval '5 seconds' and times.clock() + interval '5 seconds'
      then next
    else '-infinity'
  end
$$;
comment on function api_private.planned_firing is 'The first firing of a new routine; -infinity if a worker must compute it.';
grant execute on function api_private.planned_firing to tenant;
