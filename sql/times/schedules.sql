/*
 * The cron syntax of routines, as src/routines/cron.ts and croner accept it: five fields of lists of `*`, numbers, names,
 * ranges and steps. (docs/specification/routines.md#schedule)
 */
create function times.schedule_number(part text, field integer) returns integer
language sql immutable parallel safe
as $$
  select case
    when part ~ '^[0-9]' then part::integer
    when field = 4 then array_position('{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}'::text[], part)
    when field = 5 then array_position('{sun,mon,tue,wed,thu,fri,sat}'::text[], part) - 1
  end
$$;
comment on function times.schedule_number is 'The number of a month or weekday by its name or number; null for an unknown name.';
grant execute on function times.schedule_number to tenant;

create function times.schedule_numbers(part text, field integer) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
  lowest constant integer := case when field in (3, 4) then 1 else 0 end;
  highest constant integer := ('{59,23,31,12,7}'::integer[])[field];
  longest_step constant integer := ('{60,24,31,12,7}'::integer[])[field];
  found constant text[] := regexp_match(
    lower(part collate "C"), '^(?:(\*)|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:/([0-9]{1,2}))?$'
  );
  first constant integer := case when found[1] is null then times.schedule_number(found[2], field) else lowest end;
  last constant integer := case
    when found[1] is not null then highest
    when found[3] is null then first
    when field = 5 and found[3] = 'sun' then 7
    else times.schedule_number(found[3], field)
  end;
  step constant integer := coalesce(found[4], '1');
  numbers integer[];
begin
  -- A step needs `*` or a range. Numbers that a step skips may be too large.
  if first <= last and step between 1 and longest_step and (found[1] is not null or found[3] is not null or found[4] is null) then
    numbers := array(select generate_series(first, last, step));
    return case when first >= lowest and numbers[cardinality(numbers)] <= highest then numbers end;
  end if;
  return null;
end
$$;
comment on function times.schedule_numbers is 'The numbers that one part of a list in a field of a schedule names; null if the part is invalid. Fields: minute 1, hour 2, day 3, month 4, weekday 5.';
grant execute on function times.schedule_numbers to tenant;

create function times.is_schedule(schedule text) returns boolean
language sql immutable parallel safe
as $$
  with part as materialized (
    select field.place, field.text in ('*', '*/1', '*/01') as is_any, times.schedule_numbers(each, field.place::integer) as numbers
    from string_to_table(schedule, ' ') with ordinality field (text, place)
    cross join lateral string_to_table(case field.text when '' then '?' else field.text end, ',') each
  )
  select count(distinct place) = 5 and bool_and(numbers is not null)
    and (
      bool_or(place = 3 and is_any) or bool_or(place = 5 and not is_any)
      or min(numbers[1]) filter (where place = 3) <= (
        select max(('{31,29,31,30,31,30,31,31,30,31,30,31}'::integer[])[month])
        from part months cross join lateral unnest(months.numbers) month
        where months.place = 4
      )
    )
  from part
$$;
comment on function times.is_schedule is 'Whether the text is a schedule that occurs at some time: 30 February never does.';
grant execute on function times.is_schedule to tenant;
