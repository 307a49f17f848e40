/*
 * Terms: what of a question claims are asked for. A word that claims hold counts, and beginnings that they hold count
 * less, for the sake of compounds and of endings that a stemmer does not know. A word that no claim holds is taken for a
 * mistake in writing, and gives way to those of the claims' words that have most trigrams in common with it.
 *
 * All of it looks at those claims alone that whoever asks may read: else the order of what is found would tell of what
 * is hidden. These run as searcher, from search.claims.
 */
create type search.term as (
  word tsquery,   -- as it was asked
  wider tsquery,  -- and what counts for it, by factor
  factor double precision,
  held integer    -- how many claims hold it or what counts for it, up to search.many()
);

-- From how many claims on a word tells too little to be looked up by.
create function search.many() returns integer
language sql immutable parallel safe
as $$ select 1000 $$;

create function search.held(words tsquery, bots uuid[], person uuid) returns integer
language sql stable
set search_path = ''
as $$
  select count(*)::integer from (select from search.holding(words, bots, person) limit search.many()) held
$$;

-- How what was meant may begin: as it was written, with a letter fewer, two exchanged, or one vowel for another.
create function search.beginnings(lexeme text) returns tsquery
language sql immutable
set search_path = ''
as $$
  select string_agg(search.query(beginning, ':*')::text, ' | ')::tsquery
  from (
    select left(lexeme, 3)
    union
    select left(overlay(lexeme placing '' from place for 1), 3) from generate_series(1, 3) place
    union
    select left(overlay(lexeme placing reverse(substr(lexeme, place, 2)) from place for 2), 3)
    from generate_series(1, 2) place
    union
    select left(overlay(lexeme placing vowel from place for 1), 3)
    from generate_series(1, 3) place, string_to_table('aeiouyäöüåáàâéèêíóôúøæ', null) vowel
    where search.letters(substr(lexeme, place, 1)) ~ '[aeiouyæ]'
  ) as likely (beginning)
$$;

create function search.likenesses(lexeme text, beginnings tsquery, bots uuid[], person uuid) returns search.term
language sql stable
set search_path = ''
as $$
  with words as (
    select distinct word
    from (
      select memory.search
      from search.holding(beginnings, bots, person) memory
      order by memory.id desc
      limit search.many()
    ) memory, unnest(tsvector_to_array(memory.search)) word
  ), alike as (
    select word, extensions.similarity(search.letters(word), search.letters(lexeme)) as similarity
    from words
    where length(word) between length(lexeme) - 2 and length(lexeme) + 2
    order by similarity desc, word
    limit 3
  )
  select row(
    search.query(lexeme), string_agg(search.query(word)::text, ' | ')::tsquery, max(similarity),
    search.held(string_agg(search.query(word)::text, ' | ')::tsquery, bots, person)
  )::search.term
  from alike
  where similarity >= 0.3
$$;

create function search.term(lexeme text, bots uuid[], person uuid) returns search.term
language plpgsql stable
set search_path = ''
as $$
declare
  word constant tsquery := search.query(lexeme);
  wider constant tsquery := search.query(lexeme, ':*');
  held constant integer := search.held(word, bots, person);
  begun integer;
  meant search.term;
begin
  if held >= search.many() or length(lexeme) < 3 then
    return row(word, word, 1, held)::search.term;
  end if;
  begun := search.held(wider, bots, person);
  if begun > 0 then
    return case when held = 0 or begun < search.many()
      then row(word, wider, 0.5, begun)::search.term
      else row(word, word, 1, held)::search.term
    end;
  end if;
  meant := search.likenesses(lexeme, search.beginnings(lexeme), bots, person);
  if coalesce(meant.held, 0) = 0 then
    meant := search.likenesses(lexeme, search.query(left(lexeme, 2), ':*'), bots, person);
  end if;
  return meant;
end
$$;
