/*
 * What all rows share: how a time is written, and how a page of rows is put together. (Part 2, conventions.)
 */
create function rows.time(at timestamptz) returns text
language sql stable parallel safe
as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
comment on function rows.time is 'ISO 8601 in UTC with three digits of milliseconds; null for null.';

-- A list reads one row more than it shows; whether that row came tells if there is a next page. The cursor names its
-- list, so that one list's cursor means nothing to another: 8 hex digits of the list, 32 of the last id shown.
create function rows.page(page json[], input jsonb, ids uuid[] default null, places text[] default null) returns text
language sql stable parallel safe
set search_path = ''
as $$
  select '{"data":[' || coalesce(array_to_string(page[1:size], ','), '') || '],"nextCursor":'
    || case when cardinality(page) > size
        then '"' || (input ->> 'list') || replace(coalesce(ids[size]::text, page[size] ->> 'id'), '-', '')
          || coalesce(places[size], '') || '"'
        else 'null'
      end || '}'
  from (select (input ->> 'limit')::integer) as wanted (size)
$$;
comment on function rows.page is 'A list''s answer from up to limit + 1 rows, newest first; with their ids where the rows do not show them, and with their places where they have another order.';

create function rows.before(input jsonb) returns uuid
language sql immutable parallel safe
as $$
  select case when input ->> 'after' is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else (input ->> 'after')::uuid end
$$;
comment on function rows.before is 'The id below which a page begins: the cursor''s, or above all ids. Never null, so that a generic plan keeps the index range; and not by coalesce, which PostgreSQL takes for something that might leak: behind a policy, it would read all newer rows and throw them away.';

create function rows.deleted(input jsonb) returns text
language sql immutable parallel safe
as $$ select '{"id":"' || lower(input ->> 'id') || '","deleted":true}' $$;
comment on function rows.deleted is 'What the deletion of a row answers.';
