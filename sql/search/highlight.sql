/*
 * The matches in a text, as its parts in their order: {"text", "hit"}. Without markup, so that no text of a memory can
 * imitate a match.
 */
create function search.parts(language app.language, whole text, lexemes tsquery) returns json
language plpgsql volatile
as $$
declare
  -- Random for each call, so that the text cannot contain it.
  mark constant text := replace(gen_random_uuid()::text, '-', '');
  opening constant text := mark || '<';
  closing constant text := mark || '>';
  pairs constant text[] := search.pairs_of(lexemes);
  flat constant text := search.flat(whole);
  marked text := '';
  segment text;
  segments constant text := search.unspaced() || '+|[^' || substr(search.unspaced(), 2) || '+';
begin
  for segment in select match[1] from regexp_matches(flat, segments, 'g') match loop
    marked := marked || case when segment ~ ('^' || search.unspaced())
      then search.marked_pairs(segment, pairs, opening, closing)
      else search.marked_words(language, segment, lexemes, mark) end;
  end loop;
  if replace(replace(marked, opening, ''), closing, '') is distinct from flat then
    marked := flat;
  end if;
  return (
    select '[' || string_agg(
      format('{"text":%s,"hit":%s}', to_json(substr(whole, start, size)), to_json(place % 2 = 0)), ',' order by place
    ) || ']'
    from (
      select place, char_length(piece) as size, (1 + sum(char_length(piece)) over (order by place) - char_length(piece))::integer as start
      -- Neighbours are one part.
      from regexp_split_to_table(replace(marked, closing || opening, ''), mark || '[<>]') with ordinality pieces (piece, place)
    ) cut
    where size > 0
  );
end
$$;
grant execute on function search.parts to tenant, searcher;

create function search.pairs_of(lexemes tsquery) returns text[]
language sql immutable parallel safe
as $$
  select array(
    select match[1] from regexp_matches(lexemes::text, '''(' || search.unspaced() || '{1,2})''', 'g') match
  )
$$;
comment on function search.pairs_of is 'The pairs of characters, and single characters, of a query.';
grant execute on function search.pairs_of to tenant, searcher;

create function search.marked_pairs(segment text, pairs text[], opening text, closing text) returns text
language sql immutable parallel safe
as $$
  select string_agg(case when hit then opening || letter || closing else letter end, '' order by number)
  from (
    select letter, number,
      letter = any (pairs) or letter || lead(letter) over in_order = any (pairs) or lag(letter) over in_order || letter = any (pairs)
        as hit
    from string_to_table(segment, null) with ordinality each (letter, number)
    window in_order as (order by number)
  ) letters
$$;
comment on function search.marked_pairs is 'A run of a script without spaces, with marks around each character of a pair.';
grant execute on function search.marked_pairs to tenant, searcher;

-- The parts of an identifier are marked one by one, if it is not marked whole.
create function search.marked_words(language app.language, segment text, lexemes tsquery, mark text) returns text
language plpgsql stable
as $$
declare
  configuration constant regconfig := search.configuration(language);
  options constant text := format('HighlightAll=true, StartSel="%s<", StopSel="%s>"', mark, mark);
  joint constant text := ' ' || mark || ' ';
  marked constant text := ts_headline(configuration, segment, lexemes, options);
begin
  if segment !~ search.joints() then
    return marked;
  end if;
  return (
    select string_agg(
      case when word !~ search.joints() or position(mark || '<' in word) > 0 then word
        else replace(
          ts_headline(configuration, regexp_replace(word, '(' || search.joints() || ')', joint || '\1' || joint, 'g'), lexemes, options),
          joint, ''
        ) end,
      '' order by place
    )
    from (select match[1] as word, place from regexp_matches(marked, '\s+|\S+', 'g') with ordinality found (match, place)) each
  );
end
$$;
comment on function search.marked_words is 'A text of words with spaces, with marks around its hits.';
grant execute on function search.marked_words to tenant, searcher;
