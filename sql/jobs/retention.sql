/*
 * Forgetting by the day. An Idempotency-Key is forgotten after 24 hours, and what a hook has taken as late; its signature was
 * good for five minutes. Whoever looks for either looks no further back, so it does not matter when the rows go, only that
 * they do. (Part 4, "Common conventions".)
 *
 * They lie in a ring of three days. Of the day before yesterday all has been forgotten, and its place is tomorrow's: it is
 * emptied whole. Were that missed, rows of both would lie there, and those that are looked for would be found as ever.
 */
create function jobs.ring_day(moment timestamptz) returns integer
language sql immutable parallel safe
as $$ select ((moment::timestamptz(3) at time zone 'UTC')::date - date '2000-01-01') % 3 $$;
comment on function jobs.ring_day is 'In which of three days a row of this moment lies.';

create function jobs.empty_day() returns text
language plpgsql
security definer
set search_path = ''
set lock_timeout = '500ms'
as $$
-- In place of row-level security: it empties what has expired, whosever it is, and shows none of it.
declare
  expired text;
begin
  select leaf.relname into expired
  from unnest(array['idempotency_records', 'hook_receipts']) parent
  join pg_catalog.pg_class leaf on leaf.relnamespace = 'partitions'::regnamespace
    and leaf.relname = parent || '_' || jobs.ring_day(now() + interval '1 day')
  where pg_catalog.pg_relation_size(leaf.oid) > 0
  order by leaf.relname
  limit 1;
  if expired is not null then
    execute format('truncate partitions.%I', expired);
  end if;
  return expired;
exception
  when lock_not_available then
    return null; -- somebody is at work in it; the next hour will do
end
$$;
comment on function jobs.empty_day is 'Instead of row-level security: empties what has expired and shows none of it. Empties one partition of the day before yesterday; answers which, or null when there is none to empty now.';
