/*
 * What statistics are written with. (decisions: "Beyond the specification", 2.)
 */
create function rows.share(part bigint, whole bigint) returns numeric
language sql immutable parallel safe
as $$ select trim_scale(round(part::numeric / nullif(whole, 0), 4)) $$;
comment on function rows.share is 'From 0 to 1 with four digits; null of nothing.';

create function rows.percentiles(durations integer[]) returns json
language sql immutable parallel safe
as $$ select json_build_object('p50', durations[1], 'p95', durations[2], 'p99', durations[3]) $$;
