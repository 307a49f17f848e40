/*
 * Allowances of a minute that all processes of the API share (RATE_LIMITS=shared; docs/decisions.md, "HTTP"). A request is
 * counted in a transaction of its own, which ends before the request's begins (api/handle_counted.sql): a count is a row
 * that all who call with one key write to, and must not be held while somebody waits for anything else.
 */
create function caller.clock() returns timestamptz
language sql
as $$ select clock_timestamp() $$;
comment on function caller.clock is 'What time allowances go by: the database''s, which is the same for all processes.';

-- Whoever waited for the row at the turn of the minute finds one of the next: it counts there. A clock that was set back
-- finds one of later than that, which is begun anew.
create function caller.is_of(counted_minute timestamptz, minute timestamptz) returns boolean
language sql immutable
as $$ select counted_minute - minute in (interval '0', interval '1 minute') $$;
comment on function caller.is_of is 'Whether a count is of this minute, or of the next one already.';

create function caller.take(organisation uuid, counted uuid, cost integer, most integer, minute timestamptz) returns integer
language plpgsql
as $$
declare
  used integer;
begin
  loop
    update app.request_counts held
    set requests = case when caller.is_of(held.minute, take.minute) then held.requests else 0 end + cost,
      minute = case when caller.is_of(held.minute, take.minute) then held.minute else take.minute end
    where held.organisation_id = organisation and held.counted_id = counted
      and not (caller.is_of(held.minute, take.minute) and held.requests + cost > most)
    returning held.requests into used;
    exit when found;
    insert into app.request_counts as held (organisation_id, counted_id, minute, requests)
    values (organisation, counted, take.minute, cost)
    on conflict do nothing
    returning held.requests into used;
    exit when found;
    exit when exists ( -- full; or else somebody began the row between the two statements
      select from app.request_counts held
      where held.organisation_id = organisation and held.counted_id = counted
        and caller.is_of(held.minute, take.minute) and held.requests + cost > most
    );
  end loop;
  return used;
end
$$;
comment on function caller.take is 'Counts, and answers what is used now; null where there is no room, and then nothing is counted.';

/*
 * Takes the cost from every allowance, or from none where one of them has no room. The first is that of what was shown (a
 * key, a hook, a link), the second its organisation's; everybody locks them in this order.
 */
create function caller.spend(
  organisation uuid, counted uuid, cost integer, limits integer[], minute timestamptz,
  out admitted boolean, out used integer[]
)
language plpgsql
security definer
set search_path = ''
as $$
-- In place of row-level security: api.count_request alone may call it, for the credential that was just accepted, and
-- owner's policy holds it to the organisation of that one.
declare
  ids constant uuid[] := array[counted, organisation];
begin
  admitted := true;
  if cost > 0 then
    used[1] := caller.take(organisation, counted, cost, limits[1], minute);
    admitted := used[1] is not null;
    if admitted and cardinality(limits) = 2 then
      used[2] := caller.take(organisation, organisation, cost, limits[2], minute);
      admitted := used[2] is not null;
      if not admitted then
        update app.request_counts held
        set requests = held.requests - cost
        where held.organisation_id = organisation and held.counted_id = counted;
      end if;
    end if;
    if admitted then
      return;
    end if;
  end if;
  used := array(
    select coalesce(held.requests, 0)
    from generate_series(1, cardinality(limits)) place
    left join app.request_counts held
      on held.organisation_id = organisation and held.counted_id = ids[place] and caller.is_of(held.minute, spend.minute)
    order by place
  );
end
$$;
comment on function caller.spend is 'Instead of row-level security: api.count_request alone may call it, for the credential just accepted. Answers whether there was room, and what is used of each allowance.';
