/*
 * Memory, without its source. (docs/specification/memories.md#fields)
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
grant select on rows.memories to tenant;

-- The contents of a memory until a change.
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
grant select on rows.memory_changes to tenant;

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
