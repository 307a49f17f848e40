/*
 * The clock, and what follows from a time: the least id, the daily partition. Ids are UUIDv7 and begin with their time.
 */
create function times.clock() returns timestamptz
language sql stable -- without settings of its own, so that it is inlined
as $$ select now() $$;
comment on function times.clock is 'The time by which attempts are due: the database''s clock. Test databases replace it by a movable one.';
grant execute on function times.clock to tenant;

create function times.least_id(moment timestamptz) returns uuid
language sql immutable strict -- strict, since greatest() would turn null into 1970
as $$
  select (lpad(to_hex((extract(epoch from greatest(moment, 'epoch')) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
comment on function times.least_id is 'The smallest UUIDv7 of an instant: later rows have greater ids. Times before 1970 count as 1970.';
grant execute on function times.least_id to tenant, operator;

create function times.hour(moment timestamptz) returns timestamptz
language sql immutable parallel safe
as $$ select date_trunc('hour', moment, 'UTC') $$;
comment on function times.hour is 'The start of the hour, UTC.';
grant execute on function times.hour to tenant;

create function times.week_id(id uuid) returns uuid
language sql immutable parallel safe
as $$ select times.least_id(date_trunc('week', uuid_extract_timestamp(id), 'UTC')) $$;
comment on function times.week_id is 'The least id of the week of this id: the start of its weekly partition.';

create function times.day_partition(moment timestamptz) returns integer
language sql immutable parallel safe
as $$ select ((moment::timestamptz(3) at time zone 'UTC')::date - date '2000-01-01') % 3 $$;
comment on function times.day_partition is 'The daily partition (0 to 2) of rows of this moment.';
grant execute on function times.day_partition to tenant;
