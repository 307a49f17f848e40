/*
 * Memory. Its source is stored and not shown. (Part 2, "Memory".)
 */
create view rows.memories with (security_invoker = true) as
select
  memory.id,
  memory.scope,
  memory.bot_id as "botId",
  memory.kind,
  memory.subject,
  memory.subject_kind as "subjectKind",
  memory.value,
  memory.confidence,
  rows.time(memory.valid_to) as "validTo",
  memory.provenance,
  rows.time(memory.created_at) as "createdAt",
  memory.lawful_basis as "lawfulBasis"
from app.memories memory;

-- What a claim said until it was changed.
create view rows.memory_changes with (security_invoker = true) as
select
  former.id,
  rows.time(former.changed_at) as "changedAt",
  former.changed_by as "changedBy",
  former.value,
  former.confidence,
  rows.time(former.valid_to) as "validTo",
  former.provenance,
  former.lawful_basis as "lawfulBasis"
from app.memory_history former;

create function rows.admits(
  filters jsonb, scope app.memory_scope, bot uuid, kind text, subject_kind app.subject_kind, provenance app.provenance,
  valid_to text, at text
) returns boolean
language sql stable parallel safe
as $$
  select (filters ->> 'scope' is null or scope = (filters ->> 'scope')::app.memory_scope)
    and (filters ->> 'botId' is null or bot = (filters ->> 'botId')::uuid)
    and (filters ->> 'kind' is null or kind = filters ->> 'kind')
    and (filters ->> 'subjectKind' is null or subject_kind = (filters ->> 'subjectKind')::app.subject_kind)
    and (filters ->> 'provenance' is null or provenance = (filters ->> 'provenance')::app.provenance)
    and (filters ->> 'current' is distinct from 'true' or valid_to is null or valid_to > at)
$$;
comment on function rows.admits is 'Whether a claim passes the filters of a list, at that instant; but for its subject, which is looked up by an index. Inlined, wherever it is called.';

-- How a page of a search ends: the rank, then how many claims held each word, in hex. (rows.page puts the id before it.)
create function rows.place(rank bigint, held integer[]) returns text
language sql immutable parallel safe
as $$
  select lpad(to_hex(rank), 16, '0') || coalesce(string_agg(lpad(to_hex(claims), 4, '0'), '' order by number), '')
  from unnest(held) with ordinality asked (claims, number)
$$;

create function rows.place(input jsonb) returns search.place
language sql immutable parallel safe
as $$
  select row(
    (input ->> 'rank')::bigint,
    (input ->> 'after')::uuid,
    array(select claims::integer from jsonb_array_elements_text(input -> 'held') claims)
  )::search.place
$$;
