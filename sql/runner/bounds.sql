/*
 * Bounds of what an executor may pass. Executors are programs of others, so each parameter of runner.* has the bounds
 * of the same field in the API. A value beyond them raises SQLSTATE 22023. Checks of tables (class 23) are not repeated
 * here.
 */
create function runner.require(holds boolean, otherwise text) returns void
language plpgsql immutable
as $$
begin
  if holds is not true then
    raise exception using errcode = '22023', message = otherwise;
  end if;
end
$$;
comment on function runner.require is 'Raises 22023 with this message unless the condition is true; null is not true.';

create function runner.require_lease_time(duration interval) returns void
language sql immutable
set search_path = ''
return runner.require(duration between interval '1 second' and interval '1 hour', 'a lease lasts 1 second to 1 hour');
comment on function runner.require_lease_time is 'Raises 22023 unless a lease may last this long.';

create function runner.max_step_micro_cents() returns bigint
language sql immutable
return 100000000000;
comment on function runner.max_step_micro_cents is 'Maximum cost of a step besides its tokens: 1,000 euros, far above the budget of any run.';

create function runner.require_countable(
  kind text, input_tokens integer, output_tokens integer, spend_micro_cents bigint
) returns void
language plpgsql immutable
as $$
begin
  perform runner.require(char_length(kind) between 1 and 60, 'the kind of a step has 1 to 60 characters');
  perform runner.require(
    input_tokens between 0 and 10000000 and output_tokens between 0 and 10000000,
    'a step has 0 to 10,000,000 tokens each way'
  );
  perform runner.require(
    spend_micro_cents between 0 and runner.max_step_micro_cents(),
    'a step costs 0 to 100,000,000,000 micro-cents'
  );
end
$$;
comment on function runner.require_countable is 'Raises 22023 unless these values may be a step.';

create function runner.is_time(value text) returns boolean
language sql stable
as $$
  select case
    when value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})$'
      then value::timestamptz(3) between timestamptz '0001-01-01 00:00Z' and timestamptz '9999-12-31 23:59:59.999Z'
    else false
  end
$$;
comment on function runner.is_time is 'Whether the API accepts this time: ISO 8601 with an offset, years 1 to 9999 in UTC. PostgreSQL alone also accepts infinity and tomorrow.';

create function runner.is_proposal(memory jsonb) returns boolean
language sql stable
as $$
  select jsonb_typeof(memory) = 'object'
    and not exists (
      select from unnest(array['scope', 'kind', 'subject', 'value']) field
      where jsonb_typeof(memory -> field) is distinct from 'string'
    )
    and not exists (
      select from unnest(array['subjectKind', 'validFrom', 'validTo', 'lawfulBasis', 'supersedes']) field
      where jsonb_typeof(memory -> field) not in ('string', 'null')
    )
    and coalesce(jsonb_typeof(memory -> 'confidence') in ('number', 'null'), true)
    and (memory ->> 'validFrom' is null or runner.is_time(memory ->> 'validFrom'))
    and (memory ->> 'validTo' is null or runner.is_time(memory ->> 'validTo'))
    and (memory ->> 'supersedes' is null or pg_input_is_valid(memory ->> 'supersedes', 'uuid'))
$$;
comment on function runner.is_proposal is 'Whether the fields have the types of the API. The table checks their lengths and values.';

create function runner.may_cite(run app.runs, memories uuid[]) returns boolean
language sql stable
as $$
  select not exists (
    select from app.memories memory
    where memory.organisation_id = run.organisation_id
      and memory.id = any (memories)
      and not case memory.scope
        when 'organisation' then true
        when 'bot' then memory.bot_id = run.bot_id
        else memory.member_id = run.person_id and not run.taint
      end
  )
$$;
comment on function runner.may_cite is 'Whether runner.search_memories could have returned these memories to the run. triggers.tg_messages__blank_if_erased handles ids without a memory.';

create function runner.require_citable(run app.runs, memories uuid[], citing text) returns void
language plpgsql
as $$
begin
  perform runner.require(
    cardinality(memories) <= 100 and array_position(memories, null) is null, citing || ' cites at most 100 memories'
  );
  perform runner.require(runner.may_cite(run, memories), citing || ' cites memories that its run may read');
end
$$;
comment on function runner.require_citable is 'Raises 22023 unless the run may cite these memories; the message names what cites them.';
