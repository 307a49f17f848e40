/*
 * What of a text was found, as its parts in their order: {"text", "hit"}. Joined they are the text. There is no markup
 * in it, so nothing that somebody wrote into a claim can pass for ours.
 */
create function search.parts(language app.language, whole text, words tsquery) returns json
language sql volatile
set search_path = ''
as $$
  with marks as (
    -- Made anew each time: a text cannot hold what nobody knew when it was written.
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
  select coalesce(
    json_agg(json_build_object('text', text, 'hit', hit) order by place, hit desc) filter (where text <> ''),
    json_build_array(json_build_object('text', whole, 'hit', false))
  )
  from parts
$$;
