/** Counts of endpoints, and the rows that they count. (sql/triggers/endpoint_counts.sql) */

type Run = (text: string) => Promise<object[]>;

const kept = `
  select organisation_id, endpoint_id, hour, counted, duration_ms, week_id, total from app.endpoint_counts
  where total <> 0 and %s order by 1, 2, 3, 4, 5, 6`;

/** Its own way to count, beside jobs.count_endpoints. */
const expected = `
  with week as (
    select substring(relname from '\\d+$')::date::timestamp at time zone 'UTC' as monday from pg_class
    where relnamespace = 'partitions'::regnamespace and relkind = 'r' and relname ~ '^deliveries_\\d+$'
  ), ended as (
    select organisation_id, endpoint_id, created_at as at, state::text as counted, 0 as duration_ms, id from app.deliveries
    where state <> 'pending'
    union all
    select organisation_id, endpoint_id, started_at,
      case when failure is not null then failure::text when status_code < 300 then 'succeeded' else 'status' end,
      duration_ms, delivery_id
    from app.delivery_attempts
  )
  select organisation_id, endpoint_id, to_timestamp(floor(extract(epoch from at) / 3600) * 3600) as hour, counted, duration_ms,
    times.least_id(week.monday) as week_id, count(*) as total
  from ended join week on id >= times.least_id(monday) and id < times.least_id(monday + interval '7 days')
  where %s
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`;

/** The counts that are not 0, and what they should be. @param condition on organisation_id or endpoint_id */
export async function counted(run: Run, condition = "true"): Promise<[object[], object[]]> {
  return [await run(kept.replace("%s", condition)), await run(expected.replace("%s", condition))];
}
