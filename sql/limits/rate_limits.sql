/*
 * Rate limits per minute that all processes of the API share (RATE_LIMITS=shared; docs/decisions/0013-rate-limits.md).
 * A transaction of its own counts a request (api/count_requests.sql). All requests of a key write the same row, so its
 * lock must not last as long as a request.
 */
create function limits.clock() returns timestamptz
language sql
as $$ select clock_timestamp() $$;
comment on function limits.clock is 'The time that rate limits use: the database''s, which is the same for all processes.';
grant execute on function limits.clock to authenticator;

create function limits.seconds_left(at timestamptz) returns integer
language sql stable
as $$ select ceil(extract(epoch from date_trunc('minute', at, 'UTC') + interval '1 minute' - at))::integer $$;
comment on function limits.seconds_left is 'Seconds until the minute of this time ends. From 1 to 60.';
grant execute on function limits.seconds_left to authenticator;

-- A request that waited for the row's lock may find the next minute, and counts there. A row of an even later minute,
-- as after a clock was set back, starts again.
create function limits.is_of(counted_minute timestamptz, minute timestamptz) returns boolean
language sql immutable
as $$ select counted_minute - minute in (interval '0', interval '1 minute') $$;
comment on function limits.is_of is 'Whether a count belongs to this minute or the next.';

create function limits.consume_one(organisation uuid, counted uuid, cost integer, maximum integer, minute timestamptz)
returns integer
language plpgsql
as $$
declare
  used integer;
begin
  loop
    update app.request_counts request_count
    set
      requests = cost
        + case when limits.is_of(request_count.minute, consume_one.minute) then request_count.requests else 0 end,
      minute = case
        when limits.is_of(request_count.minute, consume_one.minute) then request_count.minute
        else consume_one.minute
      end
    where request_count.organisation_id = organisation and request_count.counted_id = counted
      and not (limits.is_of(request_count.minute, consume_one.minute) and request_count.requests + cost > maximum)
    returning request_count.requests into used;
    exit when found;
    insert into app.request_counts as request_count (organisation_id, counted_id, minute, requests)
    values (organisation, counted, consume_one.minute, cost)
    on conflict do nothing
    returning request_count.requests into used;
    exit when found;
    exit when exists ( -- the limit is reached; else another transaction has inserted the row: try again
      select from app.request_counts request_count
      where request_count.organisation_id = organisation and request_count.counted_id = counted
        and limits.is_of(request_count.minute, consume_one.minute) and request_count.requests + cost > maximum
    );
  end loop;
  return used;
end
$$;
comment on function limits.consume_one is 'Adds the cost and returns the total of the minute; null, without counting, if that would exceed the maximum.';

/*
 * Adds the cost to every rate limit, or to none if one of them would be exceeded. The first limit
 * belongs to the credential (a key, a hook, a link), the second to its organisation. All requests lock them in this order.
 */
create function limits.consume(
  organisation uuid, counted uuid, cost integer, limits integer[], minute timestamptz,
  out admitted boolean, out used integer[]
)
language plpgsql
security definer set search_path = ''
as $$
declare
  ids constant uuid[] := array[counted, organisation];
begin
  admitted := true;
  if cost > 0 then
    used[1] := limits.consume_one(organisation, counted, cost, limits[1], minute);
    admitted := used[1] is not null;
    if admitted and cardinality(limits) = 2 then
      used[2] := limits.consume_one(organisation, organisation, cost, limits[2], minute);
      admitted := used[2] is not null;
      if not admitted then
        update app.request_counts request_count
        set requests = request_count.requests - cost
        where request_count.organisation_id = organisation and request_count.counted_id = counted;
      end if;
    end if;
    if admitted then
      return;
    end if;
  end if;
  used := array(
    select coalesce(request_count.requests, 0)
    from generate_series(1, cardinality(limits)) place
    left join app.request_counts request_count
      on request_count.organisation_id = organisation
      and request_count.counted_id = ids[place]
      and limits.is_of(request_count.minute, consume.minute)
    order by place
  );
end
$$;
comment on function limits.consume is 'Instead of row-level security: only authenticator may execute it, in api.count_request for the credential just accepted. Returns whether the request is within the rate limits, and how much of each is used.';
grant execute on function limits.consume to authenticator;

/*
 * Adds the costs of requests with keys, if all are within the rate limits. Otherwise it refuses, and counts none. Rows are
 * locked in the order of limits.consume: keys before their organisation. It waits 50 ms for a lock, so that a locked row
 * of one organisation does not delay others.
 */
create function limits.consume_all(
  organisations uuid[], keys uuid[], -- null for an unknown credential
  costs integer[], rates integer[], -- rates: requests per minute of each key; null for the first of limits
  limits integer[], minute timestamptz
) returns json -- the total of each key and organisation, by id
language plpgsql
security definer set search_path = '' set lock_timeout = '50ms'
as $$
declare
  totals json;
  is_within boolean;
begin
  with total as (
    insert into app.request_counts as request_count (organisation_id, counted_id, minute, requests)
    select request.organisation_id, counted.id, consume_all.minute, sum(request.cost)
    from unnest(organisations, keys, costs) request (organisation_id, key_id, cost),
      lateral (values (request.key_id), (request.organisation_id)) counted (id)
    where request.key_id is not null
    group by request.organisation_id, counted.id
    order by request.organisation_id, counted.id = request.organisation_id, counted.id
    on conflict (organisation_id, counted_id) do update
    set
      requests = excluded.requests
        + case when limits.is_of(request_count.minute, excluded.minute) then request_count.requests else 0 end,
      minute = case
        when limits.is_of(request_count.minute, excluded.minute) then request_count.minute else excluded.minute
      end
    returning request_count.organisation_id, request_count.counted_id, request_count.requests
  )
  select json_object_agg(total.counted_id, total.requests),
    bool_and(total.requests <= case when total.counted_id = total.organisation_id then limits[2] else least(limits[1], own.rate) end)
  into totals, is_within
  from total
  left join (select distinct given.key_id, given.rate from unnest(keys, rates) given (key_id, rate)) own on own.key_id = total.counted_id;
  if not is_within then
    perform errors.refuse('rate_limited');
  end if;
  return totals;
end
$$;
comment on function limits.consume_all is 'Instead of row-level security: only authenticator may execute it, in api.count_requests for the credentials just accepted.';
grant execute on function limits.consume_all to authenticator;
