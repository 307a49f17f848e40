/*
 * The matches in a text, as its parts in their order: {"text", "hit"}. Without markup, so that no text of a memory can
 * imitate a match.
 */
create function search.parts(language app.language, whole text, words tsquery) returns json
language sql volatile
set search_path = ''
as $$
  with marks as (
    -- Random for each call, so that the text cannot contain it.
    select replace(gen_random_uuid()::text, '-', '') as mark
  ), headline as (
    select mark || '<' as opening, mark || '>' as closing,
      ts_headline(
        search.configuration(language), whole, words,
        format('HighlightAll=true, StartSel="%s<", StopSel="%s>"', mark, mark)
      ) as marked
    from marks
  ), pieces as (
    select piece, place, closing
    from headline, string_to_table(marked, opening) with ordinality split (piece, place)
    where replace(replace(marked, opening, ''), closing, '') = whole
  ), parts as (
    select place, split_part(piece, closing, 1) as text, true as hit from pieces where place > 1
    union all
    select place, case place when 1 then piece else substr(piece, strpos(piece, closing) + length(closing)) end, false
    from pieces
  )
  select rows.compact(coalesce(
    json_agg(json_build_object('text', text, 'hit', hit) order by place, hit desc) filter (where text <> ''),
    json_build_array(json_build_object('text', whole, 'hit', false))
  ))
  from parts
$$;
grant execute on function search.parts to tenant, searcher;
