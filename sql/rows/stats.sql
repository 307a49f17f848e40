/*
 * The format of statistics. (docs/specification/webhooks.md#statistics)
 */
create function rows.share(part bigint, whole bigint) returns numeric
language sql immutable parallel safe
as $$ select trim_scale(round(part::numeric / nullif(whole, 0), 4)) $$;
comment on function rows.share is 'From 0 to 1 with four digits; null if the whole is 0.';
grant execute on function rows.share to tenant, operator;

create function rows.outcome(status_code integer, failure app.attempt_failure) returns text
language sql stable parallel safe
as $$
  select case when failure is not null then failure::text when status_code between 200 and 299 then 'succeeded' else 'status' end
$$;
comment on function rows.outcome is 'The result of an attempt: succeeded, status, or the word of the failure.';

create function rows.percentiles(durations integer[]) returns json
language sql immutable parallel safe
as $$
  select row_to_json(p) from (select durations[1] as p50, durations[2] as p95, durations[3] as p99) p
$$;
grant execute on function rows.percentiles to tenant;
