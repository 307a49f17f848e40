/*
 * Lexemes of memories and of questions, in the language of the organisation.
 */
-- The configuration with the name of the language, for any search_path.
create function search.configuration(language app.language) returns regconfig
language sql stable parallel safe
as $$ select ('pg_catalog.' || language::text)::regconfig $$;
grant execute on function search.configuration to tenant, searcher;

-- PostgreSQL stores lexemes of up to 2,046 bytes, and search.keyed puts eight more in front of each.
create function search.keyable(vector tsvector) returns tsvector
language sql immutable parallel safe
as $$
  select ts_delete(
    vector, array(select lexeme from unnest(tsvector_to_array(vector)) lexeme where octet_length(lexeme) > 2038)
  )
$$;
comment on function search.keyable is 'Without lexemes that are too long for the index.';
grant execute on function search.keyable to searcher;

create function search.vector(language app.language, subject text, kind text, value text) returns tsvector
language plpgsql stable parallel safe -- its expressions are evaluated without an executor, unlike the expressions of an SQL function
as $$
declare
  configuration constant regconfig := search.configuration(language);
  vector constant tsvector := setweight(search.parse(configuration, subject || ' ' || kind), 'A')
    || setweight(search.parse(configuration, value), 'B');
begin
  -- A short vector has no lexeme that is too long.
  return case when pg_column_size(vector) <= 2038 then vector else search.keyable(vector) end;
end
$$;
comment on function search.vector is 'The search vector of a memory. Lexemes of subject and kind weigh more than lexemes of the value.';
grant execute on function search.vector to searcher;

-- A message may have 32,000 characters. More than a few dozen lexemes make a search slower and not better.
create function search.lexemes(language app.language, question text) returns text[]
language sql stable parallel safe
as $$
  select coalesce(array_agg(found.lexeme order by found.place, found.lexeme), '{}')
  from (
    select word.lexeme, word.positions[1] as place
    from unnest(search.keyable(search.parse(search.configuration(language), question, true))) word
    order by place, word.lexeme
    limit 24
  ) found
$$;
comment on function search.lexemes is 'The first 24 distinct lexemes of a question, in their order; none if it has only stop words.';
grant execute on function search.lexemes to searcher;

create function search.query(lexeme text, suffix text default '') returns tsquery
language sql immutable parallel safe
as $$ select ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' || suffix)::tsquery $$;
comment on function search.query is 'A lexeme as a query, with its characters escaped; with suffix :* a prefix query.';
grant execute on function search.query to searcher;

-- Letters of Latin scripts without their marks, because trigrams support only ASCII in a cluster with locale C.
create function search.letters(word text) returns text
language sql immutable parallel safe
as $$
  select translate(
    lower(word),
    'àáâãäåāăąçćčďđèéêëēėęěğìíîïīıłñńňòóôõöøōőřśšşșťțùúûüūůűýÿžźżß',
    'aaaaaaaaacccddeeeeeeeegiiiiiilnnnoooooooorssssttuuuuuuuyyzzzs'
  )
$$;
grant execute on function search.letters to searcher;

create function search.readable(
  scope app.memory_scope, bot uuid, member uuid, bots uuid[], person uuid
) returns boolean
language sql immutable parallel safe
as $$
  select scope = 'organisation' or (scope = 'bot' and bot = any (bots)) or (scope = 'member' and member = person)
$$;
comment on function search.readable is 'Whether the policy of app.memories shows the row to a person who sees these bots.';
grant execute on function search.readable to searcher;

-- The end of the page before: its last rank and id, and the number of memories that matched each term in the first
-- page. These numbers weigh the terms, so that later writes do not change the order of the following pages.
create type search.place as (rank bigint, id uuid, matches integer[]);
