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
  marked text := ts_headline(
    search.configuration(language), whole, lexemes, format('HighlightAll=true, StartSel="%s", StopSel="%s"', opening, closing)
  );
begin
  if replace(replace(marked, opening, ''), closing, '') is distinct from whole then
    marked := whole;
  end if;
  -- Each mark becomes the end of one part and the start of the next. Parts without text are left out.
  marked := '[{"text":' || replace(
    replace(to_json(marked)::text, opening, '","hit":false},{"text":"'), closing, '","hit":true},{"text":"'
  ) || ',"hit":false}]';
  return replace(replace(marked, '{"text":"","hit":false},', ''), ',{"text":"","hit":false}', '');
end
$$;
grant execute on function search.parts to tenant, searcher;
