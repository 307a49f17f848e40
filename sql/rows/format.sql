/*
 * The format of times and of pages of rows. (docs/specification/conventions.md#lists)
 */
create function rows.time(at timestamptz) returns text
language sql stable parallel safe
as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
comment on function rows.time is 'ISO 8601 in UTC with three digits of milliseconds; null for null.';
grant execute on function rows.time to tenant, searcher;

-- A page ends early if its rows are large: it has at most 1 MB, or one row.
create function rows.fitting(page json[], wanted integer) returns integer
language sql stable parallel safe
as $$
  select case
    when coalesce(pg_column_size(page), 0) <= 1048576 then wanted
    else (
      select greatest(1, count(*) filter (where row_sizes.bytes <= 1048576))::integer
      from (
        select sum(octet_length(row::text) + 1) over (order by place) as bytes
        from unnest(page[1:wanted]) with ordinality each (row, place)
      ) row_sizes
    )
  end
$$;
comment on function rows.fitting is 'How many of these rows fit in a page, at most the wanted number.';
grant execute on function rows.fitting to tenant;

-- A list reads one row more than a page has, to know whether there is a next page. The cursor is 8 hex digits of the
-- list, so that it is valid for that list only, and 32 of the last id.
create function rows.page(page json[], input jsonb, ids uuid[] default null, places text[] default null) returns text
language sql stable parallel safe
as $$
  select '{"data":[' || coalesce(array_to_string(page[1:size], ','), '') || '],"nextCursor":'
    || case when cardinality(page) > size
        then '"' || (input ->> 'list') || replace(coalesce(ids[size]::text, page[size] ->> 'id'), '-', '')
          || coalesce(places[size], '') || '"'
        else 'null'
      end || '}'
  from (select rows.fitting(page, (input ->> 'limit')::integer) offset 0) as fitting (size) -- so that it is called once
$$;
comment on function rows.page is 'The response of a list from up to limit + 1 rows, newest first. Needs ids if the rows do not contain them, and places if the order is not by id.';
grant execute on function rows.page to tenant;

create function rows.before(input jsonb) returns uuid
language sql immutable parallel safe
as $$
  select case when input ->> 'after' is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else (input ->> 'after')::uuid end
$$;
comment on function rows.before is 'The id below which a page begins: the cursor''s, or above all ids. Never null, so that a generic plan keeps the index range. Not by coalesce, which is not leakproof: behind a policy PostgreSQL would read and drop all newer rows.';
grant execute on function rows.before to tenant;

create function rows.newest_before(input jsonb) returns uuid
language sql stable parallel safe
as $$ select least(rows.before(input), times.least_id((input ->> 'until')::timestamptz)) $$;
comment on function rows.newest_before is 'The same for a list with a filter by time: no row was created at or after `until`.';
grant execute on function rows.newest_before to tenant;

create function rows.oldest(input jsonb) returns uuid
language sql stable parallel safe
as $$
  select coalesce(times.least_id((input ->> 'since')::timestamptz), '00000000-0000-0000-0000-000000000000')
$$;
comment on function rows.oldest is 'The least id of a list with a filter by time: every row was created at or after `since`.';
grant execute on function rows.oldest to tenant;

create function rows.deleted(input jsonb) returns text
language sql immutable parallel safe
as $$ select '{"id":"' || lower(input ->> 'id') || '","deleted":true}' $$;
comment on function rows.deleted is 'The response to the deletion of a row.';
grant execute on function rows.deleted to tenant;

-- row_to_json writes no spaces, jsonb and the JSON builders do. A string is matched whole, so that its spaces stay.
create function rows.compact(spaced json) returns json
language sql immutable strict parallel safe
as $$ select regexp_replace(spaced::text, '("(?:[^"\\]|\\.)*")|\s+', '\1', 'g')::json $$;
comment on function rows.compact is 'The same JSON without white space between its values.';
grant execute on function rows.compact to tenant;
