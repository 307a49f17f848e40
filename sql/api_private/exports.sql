/*
 * Exports of organisations. The rows are read as tenant, so policies decide what an export has. The key of a row is an array of
 * JSON, with the columns of the primary key except the organisation. (docs/specification/exports.md)
 */
-- Generated from service.exported_columns. The placeholders <after> and <until> of a range are keys, or null. A column that was
-- added by hand is left out: tenant may not read it, and it can be dropped.
do $$
declare
  queries jsonb;
  counts text;
  left_out json;
begin
  with columns as (
    -- The key of a table with one row for each organisation is the organisation.
    select listed.*, listed.place_in_key is not null and (listed.name <> 'organisation_id' or not listed.has_own_key) as is_key,
      row_number() over (partition by listed.table_name order by listed.place_in_key)
        - case when listed.has_own_key and listed.key = 'organisation_id' then 2 else 1 end as place_in_array
    from (
      select *, max(place_in_key) over (partition by table_name) > 1 as has_own_key from service.exported_columns
    ) listed
    where not current_setting('botstead.added_columns')::jsonb ? format('column app.%I.%I', listed.table_name, listed.name)
  ), tables as (
    select columns.table_name as name, quote_ident(columns.table_name) as quoted,
      string_agg(format(
        case columns.type when 'timestamptz'::regtype then 'rows.time(row.%I) as %I' when 'bytea'::regtype then 'encode(row.%I, ''hex'') as %I'
          else 'row.%I as %I' end,
        columns.name, rows.in_camel_case(columns.name)
      ), ', ' order by columns.place) as picked,
      string_agg(format('row.%I', columns.name), ', ' order by columns.place_in_key) filter (where columns.is_key) as key,
      string_agg(format('(<key> ->> %s)::%s', columns.place_in_array, columns.type), ', ' order by columns.place_in_key)
        filter (where columns.is_key) as given,
      case when columns.key is null
        then 'exists (select from app.memberships member where member.organisation_id = caller.organisation_id() and member.person_id = row.id)'
        else format('row.%I = caller.organisation_id()', columns.key) end as of_organisation
    from columns
    group by columns.table_name, columns.key
  ), ranged as (
    select *, format(
      'from app.%s row where %s and (<after> is null or (%s) > (%s)) and (<until> is null or (%3$s) <= (%5$s)) order by %3$s',
      quoted, of_organisation, key, replace(given, '<key>', '<after>'), replace(given, '<key>', '<until>')
    ) as range
    from tables
  )
  select
    jsonb_object_agg(ranged.name, format(
      $query$select jsonb_build_array(%s) as key, '{"table":"%s","row":' || (select row_to_json(picked) from (select %s) picked) || '}' as line %s limit $3$query$,
      ranged.key, ranged.name, ranged.picked, replace(replace(ranged.range, '<after>', '$1'), '<until>', '$2')
    )),
    string_agg(format(
      $branch$    when %L then
      select count(*), (array_agg(scanned.key order by scanned.place desc))[1] into rows, last
      from (select jsonb_build_array(%s) as key, row_number() over () as place from (select row.* %s limit at_most) row) scanned;$branch$,
      ranged.name, ranged.key, replace(replace(ranged.range, '<after>', 'count_exported.after'), '<until>', 'count_exported.until')
    ), E'\n' order by ranged.name collate "C")
  into queries, counts
  from ranged;
  select json_agg(json_build_object('table', listed.table_name, 'column', nullif(listed.column_name, ''), 'reason', listed.reason)
    order by listed.table_name collate "C", listed.column_name collate "C")
  into left_out
  from service.unexported listed;

  execute format(
    $function$
      create function api_private.export_queries() returns jsonb
      language sql immutable parallel safe
      as $body$ select %L::jsonb $body$;
      comment on function api_private.export_queries is 'The query of each table of an export, by its name. $1 is the key after which it begins, $2 the key with which it ends, $3 the number of rows.';
      grant execute on function api_private.export_queries to tenant;

      create function api_private.left_out_of_exports() returns json
      language sql immutable parallel safe
      as $body$ select %L::json $body$;
      comment on function api_private.left_out_of_exports is 'Tables and columns that an export leaves out, with reasons.';
      grant execute on function api_private.left_out_of_exports to tenant;

      create function api_private.count_exported(of_table text, after jsonb, until jsonb, at_most integer, out rows bigint, out last jsonb)
      language plpgsql stable
      security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' -- a range without a beginning has another plan
      as $body$
      begin
        if caller.role() is distinct from 'owner' or caller.scope() is distinct from 'admin' then
          return;
        end if;
        case of_table
      %s
        end case;
      end
      $body$;
      comment on function api_private.count_exported is 'Instead of row-level security: row.organisation_id = caller.organisation_id(), for owners. Counts rows of a range, also rows that the caller may not read, and returns the key of the last one.';
      grant execute on function api_private.count_exported to tenant;
    $function$,
    queries, left_out, counts
  );
end
$$;

create function api_private.export_tables() returns text[]
language sql immutable parallel safe
as $$ select array_agg(name order by name collate "C") from jsonb_object_keys(api_private.export_queries()) name $$;
comment on function api_private.export_tables is 'The tables of an export, in its order.';
grant execute on function api_private.export_tables to tenant;

create function api_private.export_tables_hash() returns text
language sql immutable parallel safe
as $$ select encode(sha256(convert_to(api_private.export_queries()::text, 'UTF8')), 'hex') $$;
comment on function api_private.export_tables_hash is 'Digest of the list of tables and columns of exports.';
grant execute on function api_private.export_tables_hash to tenant;

create function api_private.require_exporter() returns void
language plpgsql stable
as $$
begin
  if caller.role() <> 'owner' then
    perform errors.refuse('forbidden', reason => 'owners_only');
  elsif caller.portal_session_id() is not null and not exists (
    select from app.portal_sessions session
    where session.id = caller.portal_session_id() and session.sections is null and session.created_by = caller.person_id()
  ) then
    perform errors.refuse('forbidden', reason => 'outside_portal_session');
  end if;
end
$$;
comment on function api_private.require_exporter is 'Refuses all but owners. A session of some sections would export others, and a session that an operator or another member opened reads as another person.';
grant execute on function api_private.require_exporter to tenant;

create function api_private.has_expired(export app.exports) returns boolean
language sql stable
return export.finished_at is null and (export.expires_at <= now() or export.tables_hash <> api_private.export_tables_hash());
comment on function api_private.has_expired is 'Whether an export can never be finished: its day is over, or an upgrade has changed the list of tables.';
grant execute on function api_private.has_expired to tenant;

-- expires_at is a day after the last new part.
create function api_private.is_under_way(export app.exports) returns boolean
language sql stable
return export.finished_at is null and export.expires_at > now() + interval '1 day' - interval '10 minutes'
  and not api_private.has_expired(export);
comment on function api_private.is_under_way is 'Whether an export began or got a part in the last 10 minutes. Others may continue, and count for no limit.';
grant execute on function api_private.is_under_way to tenant;

create function api_private.open_export(export uuid) returns app.exports
language plpgsql
as $$
declare
  own app.exports;
begin
  perform api_private.require_exporter();
  select * into own from app.exports stored where stored.id = export and stored.person_id = caller.private_person_id() for update;
  perform errors.require_row(own.id is not null);
  if api_private.has_expired(own) then
    perform errors.refuse('conflict', reason => 'export_expired');
  end if;
  return own;
end
$$;
comment on function api_private.open_export is 'Locks an export that the caller began. Refuses it if it has expired.';
grant execute on function api_private.open_export to tenant;

/*
 * Rows of a table after a key, at most up to another key. `rows` counts rows up to the last key, also rows that the caller may not
 * read. A line that is larger than all others is a part of its own.
 */
create function api_private.read_table_of_export(
  of_table text, after jsonb, until jsonb, max_rows integer, max_lines integer, max_bytes integer,
  out lines text[], out bytes integer, out rows bigint, out last jsonb, out is_full boolean
)
language plpgsql stable
as $$
declare
  exported record;
  read jsonb := after;
begin
  lines := '{}';
  bytes := 0;
  is_full := false;
  select counted.rows, counted.last into rows, last from api_private.count_exported(of_table, after, until, max_rows) counted;
  for exported in execute api_private.export_queries() ->> of_table using after, last, case when rows > 0 then max_lines + 1 else 0 end loop
    is_full := cardinality(lines) = max_lines
      or bytes + octet_length(exported.line) + 1 > max_bytes and (lines <> '{}' or max_lines < 1000);
    exit when is_full;
    lines := lines || (exported.line || E'\n');
    bytes := bytes + octet_length(exported.line) + 1;
    read := exported.key;
  end loop;
  if is_full then
    last := read;
    rows := case when lines = '{}' then 0 else (api_private.count_exported(of_table, after, last, max_rows)).rows end;
  end if;
end
$$;
comment on function api_private.read_table_of_export is 'The lines of a table in a part of an export. is_full: the next line belongs into the next part.';
grant execute on function api_private.read_table_of_export to tenant;

/*
 * Rows from a position, table by table, up to another position, 1,000 lines, 1 MB, or 10,000 rows with the rows that the caller may not
 * read. Stable, so that counts and rows are of one snapshot. In content, a position names a table and the key of its last row.
 */
create function api_private.read_export(
  first_position jsonb, until jsonb, out content text, out lines integer, out counts jsonb, out next_position jsonb
)
language plpgsql stable
as $$
declare
  place jsonb := first_position;
  read record;
  bytes integer := 0;
  total integer := 0;
begin
  content := '';
  lines := 0;
  counts := '{}';
  loop
    select * into read from api_private.read_table_of_export(
      place ->> 'table', nullif(place -> 'after', 'null'),
      case when until ->> 'table' = place ->> 'table' then nullif(until -> 'after', 'null') end,
      10000 - total, 1000 - lines, 1048576 - bytes
    );
    content := content || array_to_string(read.lines, '');
    lines := lines + cardinality(read.lines);
    bytes := bytes + read.bytes;
    total := total + read.rows;
    counts := counts || jsonb_build_object(place ->> 'table', jsonb_build_array(cardinality(read.lines), read.rows - cardinality(read.lines)));
    if read.is_full or total >= 10000 then
      next_position := jsonb_build_object('table', place -> 'table', 'after', read.last);
      return;
    end if;
    place := jsonb_build_object('table', (
      select min(name collate "C") from unnest(api_private.export_tables()) name where name > (place ->> 'table') collate "C"
    ), 'after', null);
    exit when place ->> 'table' is null or place ->> 'table' > (until ->> 'table') collate "C";
  end loop;
end
$$;
comment on function api_private.read_export is 'A part of an export: JSON lines, and by table the numbers of lines and of withheld rows. next_position is null after the last table.';
grant execute on function api_private.read_export to tenant;

create function api_private.chain_of_part(previous text, number integer, lines integer, hash text) returns text
language sql immutable parallel safe
as $$ select encode(sha256(convert_to(format(E'%s\n%s\n%s\n%s\n', previous, number, lines, hash), 'UTF8')), 'hex') $$;
comment on function api_private.chain_of_part is 'The chain of an export after a part (src/transparency/verification/exports.ts).';
grant execute on function api_private.chain_of_part to tenant;

create function api_private.start_of_chain(organisation uuid, export uuid) returns text
language sql immutable parallel safe
as $$ select encode(sha256(convert_to(format(E'botstead export v1\n%s\n%s\n', organisation, export), 'UTF8')), 'hex') $$;
comment on function api_private.start_of_chain is 'The chain of an export before its first part.';
grant execute on function api_private.start_of_chain to tenant;

create function api_private.manifest_of_export(export app.exports) returns text
language sql stable
as $$
  select json_build_object(
    'format', 'botstead export v1',
    'organisationId', export.organisation_id, 'exportId', export.id, 'personId', export.person_id,
    'createdAt', rows.time(export.created_at), 'finishedAt', rows.time(now()),
    'createdEntry', (
      select json_build_object('id', entry.id, 'sequence', entry.sequence, 'hash', encode(entry.hash, 'hex'))
      from app.audit_log entry
      where entry.organisation_id = export.organisation_id and entry.resource_id = export.id
        and entry.resource = 'export' and entry.action = 'created'
    ),
    'tablesHash', export.tables_hash,
    'parts', max(part.number), 'lines', sum(part.lines), 'chain', (array_agg(part.chain order by part.number desc))[1],
    'tables', (
      select json_object_agg(listed.name, json_build_object(
        'rows', coalesce(listed.lines, 0), 'withheld', coalesce(listed.withheld, 0)
      ) order by listed.place)
      from (
        select name.name, name.place, sum((each.counts -> name.name ->> 0)::bigint) as lines, sum((each.counts -> name.name ->> 1)::bigint) as withheld
        from unnest(api_private.export_tables()) with ordinality name (name, place)
        cross join app.export_parts each
        where each.organisation_id = export.organisation_id and each.export_id = export.id
        group by name.name, name.place
      ) listed
    ),
    'leftOut', api_private.left_out_of_exports()
  )::text
  from app.export_parts part
  where part.organisation_id = export.organisation_id and part.export_id = export.id
$$;
comment on function api_private.manifest_of_export is 'The manifest of an export whose last part was read. Its hash goes into the audit log.';
grant execute on function api_private.manifest_of_export to tenant;

create function api_private.store_part(
  export app.exports, number integer, previous text, next_position jsonb, counts jsonb, lines integer, hash text
) returns app.export_parts
language sql
as $$
  update app.exports set expires_at = now() + interval '1 day' where exports.id = export.id;

  insert into app.export_parts as part (organisation_id, export_id, number, next_position, counts, lines, hash, chain)
  values (
    export.organisation_id, export.id, store_part.number, store_part.next_position, store_part.counts, store_part.lines, store_part.hash,
    api_private.chain_of_part(previous, store_part.number, store_part.lines, store_part.hash)
  )
  on conflict (organisation_id, export_id, number) do update
  set next_position = excluded.next_position, counts = excluded.counts, lines = excluded.lines, hash = excluded.hash,
    chain = excluded.chain
  returning part.*
$$;
comment on function api_private.store_part is 'Records a part that was read, in place of an earlier reading of it, and postpones the end of the export.';
grant execute on function api_private.store_part to tenant;
