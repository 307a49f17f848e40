/*
 * The proof that nothing is left: a search through every column of every table, for the organisation's id and for ids and digests
 * of its rows. Names and addresses are no proof, since another organisation may have the same.
 */
-- PostgreSQL keeps frequent values of each column, and of each expression of an index, in pg_statistic. ANALYZE leaves them for a
-- table or a partial index that is empty now.
create function jobs.renew_statistics(deletion app.organisation_deletions) returns text
language plpgsql
as $$
declare
  next regclass;
begin
  select min(listed.relation) into next
  from (
    select to_regclass('app.' || quote_ident(counted.name))::oid -- null: an upgrade has dropped the table
    from jsonb_object_keys(deletion.deleted) counted (name)
    union all
    values ('app.people'::regclass::oid), ('app.refused_credentials'::regclass), ('app.locks'::regclass),
      ('app.operator_commands'::regclass), ('graphile_worker._private_jobs'::regclass)
  ) listed (relation)
  where listed.relation > coalesce(deletion.analyzed_relation, 0);
  if next is null then
    return null;
  end if;
  perform set_config('lock_timeout', '5s', true); -- longer than autovacuum needs to give way
  execute format('analyze %s', next);
  perform pg_clear_attribute_stats(class.relnamespace::regnamespace::text, class.relname::text, attribute.attname::text, class.relkind = 'p')
  from pg_catalog.pg_class class
  join pg_catalog.pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
  left join pg_catalog.pg_index indexes on indexes.indexrelid = class.oid
  where class.reltuples = 0 and class.relkind in ('r', 'p', 'i') and coalesce(indexes.indrelid, class.oid) in (
    select next union all select part.relid from pg_partition_tree(next) part
  );
  update app.organisation_deletions present set analyzed_relation = next where present.organisation_id = deletion.organisation_id;
  return 'more';
end
$$;
comment on function jobs.renew_statistics is 'Renews the statistics of the next table from which rows were deleted; null after the last one.';

create function jobs.pattern_of(organisation uuid) returns text
language plpgsql
as $$
declare
  ids text;
  pattern text;
begin
  select string_agg(format('(select id::text from app.%s where organisation_id = $1 limit 1)', tables.quoted), ' union all ') into ids
  from service.moved_tables tables
  join pg_catalog.pg_attribute attribute
    on attribute.attrelid = ('app.' || tables.quoted)::regclass and attribute.attname = 'id' and attribute.atttypid = 'uuid'::regtype
  where not tables.is_kept and tables.key = 'organisation_id';
  execute format(
    'select string_agg(sample, ''|'') from (
       select replace($1::text, ''-'', '''') union all select encode(digest, ''hex'')
       from (select unnest(service.credentials_of($1)) limit 20) credentials (digest) union all %s
     ) samples (sample)', ids
  ) into pattern using organisation;
  return pattern;
end
$$;
comment on function jobs.pattern_of is 'A regular expression beside the id of the organisation: an id of each of its tables, and digests of its credentials.';

create function jobs.search_part(deletion app.organisation_deletions, listed service.searched_tables) returns void
language plpgsql
as $$
declare
  own constant text := case
    when listed.name = 'app.organisation_deletions' then 'organisation_id = $1'
    when listed.key is not null then format('%s = $1', listed.key)
    else 'false' end;
  is_allowed constant boolean := listed.is_record or coalesce(listed.is_kept, false);
  rows_left bigint;
  mentions bigint;
  read bigint;
begin
  execute format(
    'select count(*), count(*) filter (where %1$s and not $3 or not (%1$s) and $4 and searched::text ~ $2),
       count(*) filter (where not (%1$s) and not $4 and searched::text ~ $2)
     from %2$s searched where ctid >= %3$L and ctid < %4$L',
    own, listed.name, format('(%s,0)', deletion.searched_blocks), format('(%s,0)', deletion.searched_blocks + listed.blocks_of_step)
  ) into read, rows_left, mentions
  using deletion.organisation_id,
    case when is_allowed then '' else deletion.organisation_id || '|' end || deletion.pattern,
    is_allowed, listed.key is null;
  update app.organisation_deletions present
  set searched_relation = listed.relation, searched_blocks = deletion.searched_blocks + listed.blocks_of_step,
    searched = jobs.plus(present.searched, listed.name, read), places_left = jobs.plus(present.places_left, listed.name, rows_left),
    mentioned_by_others = jobs.plus(present.mentioned_by_others, listed.name, mentions)
  where present.organisation_id = deletion.organisation_id;
end
$$;
comment on function jobs.search_part is 'Searches some blocks of a table.';

create function jobs.plus(counts jsonb, name text, more bigint) returns jsonb
language sql immutable
as $$
  select case more when 0 then counts else counts || jsonb_build_object(name, coalesce((counts ->> name)::bigint, 0) + more) end
$$;
comment on function jobs.plus is 'Counts by name, with one of them increased.';

create function jobs.search_what_is_left(deletion app.organisation_deletions) returns text
language plpgsql
as $$
declare
  listed service.searched_tables;
  work integer := 0;
begin
  if deletion.searched_relation is null then -- places of an earlier search were shown until now
    update app.organisation_deletions present
    set searched = '{}', places_left = '{}', mentioned_by_others = '{}'
    where present.organisation_id = deletion.organisation_id;
  end if;
  for listed in
    select tables.*
    from service.searched_tables tables
    where tables.relation > coalesce(deletion.searched_relation, 0)
      or tables.relation = deletion.searched_relation and tables.blocks > deletion.searched_blocks
    order by tables.relation
  loop
    if listed.relation is distinct from deletion.searched_relation then
      deletion.searched_blocks := 0;
    end if;
    perform jobs.search_part(deletion, listed);
    work := work + 1 + least(listed.blocks, listed.blocks_of_step) * 4096 / listed.blocks_of_step;
    exit when work > 4096 or listed.blocks > deletion.searched_blocks + listed.blocks_of_step;
  end loop;
  if work > 0 then
    return 'more';
  elsif deletion.places_left = '{}' then
    return null;
  end if;
  update app.organisation_deletions present
  set searched_relation = null, searched_blocks = 0
  where present.organisation_id = deletion.organisation_id;
  return 'left';
end
$$;
comment on function jobs.search_what_is_left is 'Searches the next part of the tables. Null if the search is complete and found nothing; left if it found rows, after which it begins again.';
