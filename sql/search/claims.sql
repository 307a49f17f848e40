/*
 * Claims by words. Under row-level security no index serves an operator that might tell of the rows it is tried on, and
 * those of text search might. So the index is read by a role of its own, which answers ids and ranks and nothing else;
 * what is shown of them is decided where they are joined with their rows, by the policies of whoever asks.
 */
create function search.claims(
  language app.language, question text, bots uuid[], person uuid, filters jsonb, at text, after search.place,
  at_most integer
) returns table (id uuid, rank bigint, words tsquery, held integer[])
language plpgsql stable
security definer
set search_path = ''
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = on
set enable_sort = on
as $$
-- In place of row-level security: the organisation of the request and the conditions of the policy of memories. It
-- belongs to searcher, and whatever it answers is shown only by way of the policies.
declare
  terms search.term[];
  candidates tsquery;
  weights double precision[];
begin
  select array_agg(search.term(asked.lexeme, bots, person) order by asked.place) into terms
  from unnest(search.lexemes(language, question)) with ordinality asked (lexeme, place);
  held := array(select term.held from unnest(terms) term);
  if cardinality(after.held) = cardinality(held) then
    held := after.held;
  end if;
  candidates := search.candidates(terms, held, bots, person);
  weights := search.weights(held);
  words := (select string_agg(term.wider::text, ' | ')::tsquery from unnest(terms) term);
  return query
  select scored.id, scored.rank, words, held
  from (
    -- Where and how often a claim holds each term (ts_rank, which levels off), by the term's weight. A long claim holds
    -- much by chance, and an unsure one is worth less. An integer, so that equals are equal.
    select
      memory.id,
      (
        select round(
          1e6 * (1 + memory.confidence) / 2 / (1 + ln(greatest(length(memory.search), 1))) * sum(
            asked.weight * greatest(
              ts_rank('{0.1, 0.2, 0.6, 1}', memory.search, asked.word),
              asked.factor * ts_rank('{0.1, 0.2, 0.6, 1}', memory.search, asked.wider)
            )
          )
        )::bigint
        from rows from (unnest(terms), unnest(weights)) as asked (word, wider, factor, own, weight)
        where asked.weight > 0
      ) as rank
    from search.holding(candidates, bots, person) memory
    where rows.admits(
        filters, memory.scope, memory.bot_id, memory.kind, memory.subject_kind, memory.provenance,
        rows.time(memory.valid_to), at
      )
      and (not filters ? 'subject' or memory.subject_key = search.spelled(filters ->> 'subject'))
  ) scored
  where after.id is null or (scored.rank, scored.id) < (after.rank, after.id)
  order by scored.rank desc, scored.id desc
  limit at_most;
end
$$;
comment on function search.claims is 'Instead of row-level security: the organisation of the request and the conditions of the policy; answers ids, best first, of which the policies of whoever asks show the rows.';

-- Words that many claims hold only rank what others found. Where all are such, a claim must hold every one of them;
-- and where none does, any.
create function search.candidates(terms search.term[], held integer[], bots uuid[], person uuid) returns tsquery
language plpgsql stable
set search_path = ''
as $$
declare
  telling tsquery;
  every tsquery;
  whichever tsquery;
begin
  select
    string_agg('(' || term.wider::text || ')', ' | ') filter (where claims < search.many())::tsquery,
    string_agg('(' || term.wider::text || ')', ' & ')::tsquery,
    string_agg('(' || term.wider::text || ')', ' | ')::tsquery
  into telling, every, whichever
  from rows from (unnest(terms), unnest(held)) as asked (word, wider, factor, own, claims), lateral (select asked.wider) term
  where claims > 0;
  if telling is null and search.held(every, bots, person) > 0 then
    return every;
  end if;
  return coalesce(telling, whichever);
end
$$;

create function search.weights(held integer[]) returns double precision[]
language sql immutable
set search_path = ''
as $$
  select array_agg(case when claims > 0 then ln(1 + 2.0 * greatest(common, claims) / claims) else 0 end order by place)
  from unnest(held) with ordinality asked (claims, place), (select max(claims) as common from unnest(held) claims) most
$$;
comment on function search.weights is 'What each term counts: the more the fewer claims hold it, beside the commonest of the question.';
