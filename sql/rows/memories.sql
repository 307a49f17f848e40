/*
 * Memory, without its source. rows.memory, generated from rows.memory_fields(), turns a present or former row into the
 * fields of its JSON. PostgreSQL inlines it. (docs/specification/memories.md#fields)
 */
do $$
begin
  execute (
    select format(
      $function$
        create function rows.memory(memory app.memories) returns table (%s)
        language sql stable parallel safe
        as $body$ select %s $body$
      $function$,
      string_agg(format('%I %s', label, case when is_time then 'text' else type::text end), ', ' order by place),
      string_agg(format(case when is_time then 'rows.time(memory.%I)' else 'memory.%I' end, name), ', ' order by place)
    )
    from (select *, type = 'timestamptz'::regtype as is_time from rows.memory_fields()) field
  );
end
$$;
grant execute on function rows.memory to tenant;

create view rows.memories with (security_invoker = true) as
select fields.* from app.memories memory cross join lateral rows.memory(memory) fields;
grant select on rows.memories to tenant;

-- A former row, from its image in app.memory_history. PostgreSQL inlines it and converts the fields in use only.
do $$
begin
  execute (
    select format(
      $function$
        create function rows.former_memory(image jsonb) returns app.memories
        language sql stable parallel safe
        as $body$ select row(%s)::app.memories $body$
      $function$,
      string_agg(format('(image ->> %L)::%s', attname, atttypid::regtype), ', ' order by attnum)
    )
    from pg_catalog.pg_attribute
    where attrelid = 'app.memories'::regclass and attnum > 0 and not attisdropped
  );
end
$$;
grant execute on function rows.former_memory to tenant;

-- The contents of a memory until a change.
do $$
begin
  execute (
    select format(
      $view$
        create view rows.memory_changes with (security_invoker = true) as
        select change.id, rows.time(change.changed_at) as "changedAt", change.changed_by as "changedBy", %s
        from app.memory_history change
        cross join lateral rows.memory(rows.former_memory(change.former)) memory
      $view$,
      string_agg(format('memory.%I', label), ', ' order by place)
    )
    from rows.memory_fields()
    where in_history
  );
end
$$;
grant select on rows.memory_changes to tenant;

create function rows.admits(
  filters jsonb, scope app.memory_scope, bot uuid, kind text, subject_kind app.subject_kind, provenance app.provenance,
  valid_from text, valid_to text, at text
) returns boolean
language sql stable parallel safe
as $$
  select (filters ->> 'scope' is null or scope = (filters ->> 'scope')::app.memory_scope)
    and (filters ->> 'botId' is null or bot = (filters ->> 'botId')::uuid)
    and (filters ->> 'kind' is null or kind = filters ->> 'kind')
    and (filters ->> 'subjectKind' is null or subject_kind = (filters ->> 'subjectKind')::app.subject_kind)
    and (filters ->> 'provenance' is null or provenance = (filters ->> 'provenance')::app.provenance)
    and (
      filters ->> 'current' is distinct from 'true'
      or ((valid_from is null or valid_from <= at) and (valid_to is null or valid_to > at))
    )
$$;
comment on function rows.admits is 'Whether a memory passes the filters of a list at that instant, except for the subject, which an index finds. PostgreSQL inlines it.';
grant execute on function rows.admits to tenant, searcher;

-- The end of a search page in a cursor: the rank, then the number of matching memories for each term, in hex. rows.page
-- puts the id before it.
create function rows.place(rank bigint, matches integer[]) returns text
language sql immutable parallel safe
as $$
  select lpad(to_hex(rank), 16, '0') || coalesce(string_agg(lpad(to_hex(term_matches), 4, '0'), '' order by number), '')
  from unnest(matches) with ordinality each (term_matches, number)
$$;
grant execute on function rows.place(bigint, integer[]) to tenant;

create function rows.place(input jsonb) returns search.place
language sql immutable parallel safe
as $$
  select row(
    (input ->> 'rank')::bigint,
    (input ->> 'after')::uuid,
    array(select term_matches::integer from jsonb_array_elements_text(input -> 'matches') term_matches)
  )::search.place
$$;
grant execute on function rows.place(jsonb) to tenant;
