/*
 * Words that PostgreSQL's parser does not find: those of scripts without spaces, and the parts of identifiers. A run of such
 * a script becomes pairs of its characters: the pairs of a word are in every text that contains the word.
 * (docs/decisions/0085-words-without-spaces.md)
 */
create function search.unspaced() returns text
language sql immutable parallel safe
as $$
  select '[\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u104f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff'
    || '\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af]'
$$;
comment on function search.unspaced is 'A regular expression for a character of Chinese, Japanese, Korean, Thai, Lao, Burmese or Khmer.';
grant execute on function search.unspaced to tenant, searcher;

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

create function search.wide_marks() returns text
language sql immutable parallel safe
as $$ select '[\u3000-\u3004\u3008-\u3020\u30fb\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]' $$;
comment on function search.wide_marks is 'A regular expression for punctuation of these scripts, which PostgreSQL counts as letters in a cluster with locale C.';
grant execute on function search.wide_marks to tenant, searcher;

create function search.joints() returns text
language sql immutable parallel safe
as $$ select '(?<=[[:alnum:]])[-._/:@#+=~&\\]+(?=[[:alnum:]])' $$;
comment on function search.joints is 'A regular expression for the punctuation between two parts of an identifier.';
grant execute on function search.joints to tenant, searcher;

create function search.parse(configuration regconfig, whole text, is_question boolean default false) returns tsvector
language plpgsql stable parallel safe
as $$
declare
  is_ascii constant boolean := octet_length(whole) = char_length(whole);
  spaced text := whole;
  vector tsvector;
begin
  if not is_ascii and whole ~ search.unspaced() then
    spaced := regexp_replace(whole, '(?:' || search.unspaced() || '|' || search.wide_marks() || ')+', ' ', 'g');
  end if;
  vector := to_tsvector(configuration, spaced);
  if spaced ~ search.joints() then
    vector := vector || ts_delete(
      to_tsvector(configuration, regexp_replace(spaced, search.joints(), ' ', 'g')), tsvector_to_array(vector)
    );
  end if;
  return case when spaced <> whole then vector || search.pairs(whole, is_question) else vector end;
end
$$;
comment on function search.parse is 'The lexemes of a text: those of PostgreSQL, the parts of identifiers, and pairs of characters.';
grant execute on function search.parse to searcher;

