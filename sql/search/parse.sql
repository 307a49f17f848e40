/*
 * Words that PostgreSQL's parser does not find: words of scripts without spaces, and the parts of identifiers. A run of such
 * a script becomes pairs of its characters: the pairs of a word are in every text that contains the word.
 * (docs/decisions/0021-search.md)
 */
create function search.hyphenated(whole text) returns text
language sql immutable parallel safe
as $$
  select regexp_replace(whole, '[' || names.dashes() || ']', '-', 'g')
$$;
comment on function search.hyphenated is 'The text with one form of hyphens and dashes.';
grant execute on function search.hyphenated to tenant, searcher;

create function search.marks() returns text
language sql immutable parallel safe
as $$ select '(?![\u0001-\u007f])[[:punct:]]' $$;
comment on function search.marks is 'A regular expression for punctuation and symbols beyond ASCII.';
grant execute on function search.marks to tenant, searcher;

-- Words compare as names do (names.spelled), but hyphens join the parts of an identifier. The vowel am of Thai and Lao stays one
-- character. PostgreSQL's parser counts all of Unicode's punctuation as letters in a cluster with locale C.
create function search.folded(whole text) returns text
language sql immutable parallel safe
as $$
  select case when octet_length(whole) = char_length(whole) then whole else regexp_replace(
    replace(replace(search.hyphenated(names.folded(whole)), U&'\0e4d\0e32', U&'\0e33'), U&'\0ecd\0eb2', U&'\0eb3') collate "pg_c_utf8",
    search.marks(), ' ', 'g'
  ) end
$$;
comment on function search.folded is 'A text as it is searched: independent of case, of the form of its characters, and of the locale of the database.';
grant execute on function search.folded to tenant, searcher;

create function search.unspaced() returns text
language sql immutable parallel safe
as $$
  select '[\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u104f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff'
    || '\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af]'
$$;
comment on function search.unspaced is 'A regular expression for a character of Chinese, Japanese, Korean, Thai, Lao, Burmese or Khmer.';
grant execute on function search.unspaced to tenant, searcher;

create function search.flat(whole text) returns text
language sql immutable parallel safe
as $$
  select translate(whole, coalesce(string_agg(letter, ''), ''), coalesce(string_agg(folded, ''), ''))
  from (
    -- Folds all letters in one call, apart from each other.
    select array_agg(letters.letter) as all_letters, string_to_array(search.folded(string_agg(letters.letter, E'\x01')), E'\x01') as all_folded
    from (select distinct letter from string_to_table(whole, null) letter) letters
    where octet_length(letters.letter) > 1 and letters.letter !~ search.unspaced()
  ) found, unnest(found.all_letters, found.all_folded) each (letter, folded)
  where char_length(folded) = 1
$$;
comment on function search.flat is 'The text with each character folded that becomes one character, so that hits can be marked in the text itself.';
grant execute on function search.flat to tenant, searcher;

-- A text has the last character of each run too, so that a search for one character finds each by its prefix.
create function search.pairs(whole text, is_question boolean) returns tsvector
language sql immutable parallel safe
as $$
  select coalesce(
    string_agg(format('''%s%s'':%s', letter, next, least(place, 16383)), ' ')
      filter (where next is not null or not is_question or number = 1),
    ''
  )::tsvector
  from (
    select letter, number, lead(letter) over (partition by run order by number) as next,
      row_number() over (order by run, number) as place
    from regexp_matches(whole, search.unspaced() || '+', 'g') with ordinality found (match, run),
      string_to_table(match[1], null) with ordinality each (letter, number)
  ) letters
$$;
comment on function search.pairs is 'The pairs of neighbouring characters of scripts without spaces. A run of one character is that character.';
grant execute on function search.pairs to searcher;

create function search.joints() returns text
language sql immutable parallel safe
as $$ select '(?<=[[:alnum:]])[-._/:@#+=~&\\]+(?=[[:alnum:]])' $$;
comment on function search.joints is 'A regular expression for the punctuation between two parts of an identifier.';
grant execute on function search.joints to tenant, searcher;

create function search.parse(configuration regconfig, whole text, is_question boolean default false) returns tsvector
language plpgsql stable parallel safe
as $$
declare
  folded constant text := search.folded(whole);
  spaced text := folded;
  vector tsvector;
begin
  if octet_length(folded) <> char_length(folded) and folded ~ search.unspaced() then
    spaced := regexp_replace(folded, search.unspaced() || '+', ' ', 'g');
  end if;
  vector := to_tsvector(configuration, spaced);
  if spaced ~ search.joints() then
    vector := vector || ts_delete(
      to_tsvector(configuration, regexp_replace(spaced, search.joints(), ' ', 'g')), tsvector_to_array(vector)
    );
  end if;
  return case when spaced <> folded then vector || search.pairs(folded, is_question) else vector end;
end
$$;
comment on function search.parse is 'The lexemes of a text: the lexemes by PostgreSQL, the parts of identifiers, and pairs of characters.';
grant execute on function search.parse to searcher;
