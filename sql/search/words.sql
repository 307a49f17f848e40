/*
 * Words: how a claim is taken apart, in the language of its organisation, and how a question is.
 */
create function search.spelled(name text) returns text
language sql immutable parallel safe
as $$ select btrim(regexp_replace(lower(normalize(name, nfkc)), '[\s_-]+', '_', 'g'), '_') $$;
comment on function search.spelled is 'However it is written: case, spaces, hyphens and the forms of Unicode are the same. app.memories.subject_key is made alike.';

-- A configuration of the language's own name. The schema is named, so that nobody's search_path has a say.
create function search.configuration(language app.language) returns regconfig
language sql stable parallel safe
as $$ select ('pg_catalog.' || language::text)::regconfig $$;

-- PostgreSQL keeps words of up to 2,046 bytes, and in the index each has eight more in front (search.keyed).
create function search.keyable(words tsvector) returns tsvector
language sql immutable parallel safe
as $$
  select ts_delete(words, array(select word from unnest(tsvector_to_array(words)) word where octet_length(word) > 2038))
$$;
comment on function search.keyable is 'Without words that are too long for the index. Nobody looks for any of those.';

create function search.vector(language app.language, subject text, kind text, value text) returns tsvector
language sql stable parallel safe
as $$
  select search.keyable(
    setweight(to_tsvector(search.configuration(language), subject || ' ' || kind), 'A')
      || setweight(to_tsvector(search.configuration(language), value), 'B')
  )
$$;
comment on function search.vector is 'The words of a claim; those of what it is about weigh more than those of what it says.';

-- A message may have 32,000 characters. Beyond a few dozen words a question does not become clearer, only dearer.
create function search.lexemes(language app.language, question text) returns text[]
language sql stable parallel safe
as $$
  select coalesce(array_agg(found.lexeme order by found.place, found.lexeme), '{}')
  from (
    select word.lexeme, word.positions[1] as place
    from unnest(search.keyable(to_tsvector(search.configuration(language), question))) word
    order by place, word.lexeme
    limit 24
  ) found
$$;
comment on function search.lexemes is 'The first 24 different words of a question, as its language reduces them, in their order; none for stop words alone.';

create function search.query(lexeme text, suffix text default '') returns tsquery
language sql immutable parallel safe
as $$ select ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''' || suffix)::tsquery $$;
comment on function search.query is 'A lexeme as a query, whatever characters it holds; with suffix :* all that begin with it.';

-- Letters of Latin scripts without their marks: trigrams know ASCII alone where the cluster's locale is C.
create function search.letters(word text) returns text
language sql immutable parallel safe
as $$
  select translate(
    lower(word),
    'àáâãäåāăąçćčďđèéêëēėęěğìíîïīıłñńňòóôõöøōőřśšşșťțùúûüūůűýÿžźżß',
    'aaaaaaaaacccddeeeeeeeegiiiiiilnnnoooooooorssssttuuuuuuuyyzzzs'
  )
$$;

create function search.readable(
  scope app.memory_scope, bot uuid, member uuid, bots uuid[], person uuid
) returns boolean
language sql immutable parallel safe
as $$
  select scope = 'organisation' or (scope = 'bot' and bot = any (bots)) or (scope = 'member' and member = person)
$$;
comment on function search.readable is 'The same as the policy of app.memories for whoever sees these bots and is this person.';

-- What a search goes on from: the rank and the id that the page before ended with, and how many claims held each term
-- when the first page was made, so that what is written meanwhile does not move what is still to come.
create type search.place as (rank bigint, id uuid, held integer[]);
