/*
 * Imports of memories. (docs/specification/memories.md#import)
 */
create function api_private.memory_of_line(line jsonb) returns setof app.memories
language sql stable -- without settings of its own, so that it is inlined
as $$
  select memory.*
  from app.memories memory
  where memory.organisation_id = caller.organisation_id()
    and memory.external_id = line ->> 'externalId'
    and memory.bot_id is not distinct from (line ->> 'botId')::uuid
  union all
  select memory.*
  from app.memories memory
  where memory.organisation_id = caller.organisation_id()
    and memory.id = case when pg_input_is_valid(line ->> 'externalId', 'uuid') then (line ->> 'externalId')::uuid end
    and memory.external_id is null
    and memory.scope::text = line ->> 'scope'
    and memory.bot_id is not distinct from (line ->> 'botId')::uuid
$$;
comment on function api_private.memory_of_line is 'The memory of the line''s owner with its external id. An export writes the id of a memory that has no external id.';
grant execute on function api_private.memory_of_line to tenant;

create function api_private.refusal_of_line(line jsonb, bots uuid[], restricted text[]) returns json
language sql stable -- without settings of its own, so that it is inlined
as $$
  select case
    when line ->> 'scope' = 'bot' and (line ->> 'botId')::uuid <> all (bots) then '{"code":"not_found","reason":null}'::json
    when line ->> 'subjectKind' = 'third_party' and restricted <> '{}'
      and search.skeleton(line ->> 'kind') = any (restricted) then '{"code":"forbidden","reason":"kind_restricted"}'
  end
$$;
comment on function api_private.refusal_of_line is 'Why a new memory of this line is refused; null if it is not. `bots` has the bots of the part that the caller sees.';
grant execute on function api_private.refusal_of_line to tenant;

-- Generated from rows.memory_fields(). A line that an earlier import has stored inserts nothing, so two imports of one
-- external id store one memory. Both insert in the order of external ids, so neither waits for the other twice.
do $$
declare
  columns text;
  expressions text;
  stored text;
  given text;
begin
  select
    string_agg(quote_ident(name), ', ' order by place) filter (where at_creation),
    string_agg(format('(line ->> %L)::%s', label, type), ', ' order by place) filter (where at_creation),
    string_agg(format('stored.%I', name), ', ' order by place) filter (where is_compared),
    string_agg(format('(line ->> %L)::%s', label, type), ', ' order by place) filter (where is_compared)
  into columns, expressions, stored, given
  from (
    select *, by_patch or name in ('kind', 'subject', 'subject_kind') as is_compared from rows.memory_fields()
    where name <> 'supersedes'
  ) field;
  execute format(
    $function$
      create function api_private.insert_lines(lines jsonb, bots uuid[], restricted text[]) returns uuid[]
      language sql
      as $body$
        with numbered as materialized ( -- the order of ids is the order of lines
          select uuidv7() as id, line from jsonb_array_elements(lines) line
        ), inserted as (
          insert into app.memories (organisation_id, id, provenance, source, created_by, external_id, %1$s)
          select
            caller.organisation_id(), numbered.id,
            case line ->> 'provenance' when 'run-tainted' then 'run-tainted' else 'import' end::app.provenance,
            'api', caller.person_id(), line ->> 'externalId', %2$s
          from numbered
          where api_private.refusal_of_line(line, bots, restricted) is null
            and not exists (select from api_private.memory_of_line(line))
          order by (line ->> 'externalId') collate "C", (line ->> 'botId')::uuid
          on conflict (organisation_id, external_id, bot_id) where external_id is not null do nothing
          returning id
        )
        select coalesce(array_agg(inserted.id), '{}') from inserted
      $body$;
      comment on function api_private.insert_lines is 'Inserts the memories of lines that are not refused and not stored already, and returns their ids.';
      grant execute on function api_private.insert_lines to tenant;

      create function api_private.results_of_lines(lines jsonb, bots uuid[], restricted text[], created uuid[]) returns text
      language sql stable
      as $body$
        select format(
          '{"created":%%s,"unchanged":%%s,"refused":%%s,"results":[%%s]}',
          count(*) filter (where result.outcome = 'created'),
          count(*) filter (where result.outcome = 'unchanged'),
          count(*) filter (where result.outcome = 'refused'),
          string_agg(row_to_json(result)::text, ',' order by result.line)
        )
        from (
          select
            listed.place as line,
            case when stored.id = any (created) then 'created' when checked.error is null then 'unchanged' else 'refused' end as outcome,
            stored.id,
            checked.error
          from jsonb_array_elements(lines) with ordinality listed (line, place)
          left join lateral api_private.memory_of_line(listed.line) stored on true,
          lateral (
            select case
              when stored.id is null then
                coalesce(api_private.refusal_of_line(line, bots, restricted), '{"code":"conflict","reason":null}')
              when (%3$s) is distinct from (%4$s) then '{"code":"conflict","reason":"external_id_taken"}'
            end as error
          ) checked
        ) result
      $body$;
      comment on function api_private.results_of_lines is 'What happened to each line. A line that is neither stored nor refused was deleted by another call at the same moment.';
      grant execute on function api_private.results_of_lines to tenant;
    $function$,
    columns, expressions, stored, given
  );
end
$$;
