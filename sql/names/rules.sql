/*
 * Rules for names, which appear in lists and mails next to our own text: visible, on one line, and not a link. A
 * trigger of each table enforces them; older names stay until they are changed. src/contract/names.ts has the same
 * rules. (docs/specification/conventions.md#names)
 */
create function names.has_controls(name text) returns boolean
language sql immutable parallel safe
as $$ select name ~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]' $$;
comment on function names.has_controls is 'Whether the name contains control characters, line breaks or bidi controls.';
grant execute on function names.has_controls to tenant;

-- White space, what Unicode calls default ignorable, and the Braille pattern without dots.
create function names.is_visible(name text) returns boolean
language sql immutable parallel safe
as $$
  select name ~ (
    '[^\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000'
    || '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f'
    || '\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\u2800]'
  )
$$;
comment on function names.is_visible is 'Whether the name has a visible character.';
grant execute on function names.is_visible to tenant;

create function names.has_link(name text) returns boolean
language sql immutable parallel safe
as $$ select normalize(name, nfkc) ~* '://|www\.' $$;
comment on function names.has_link is 'Whether a mail program would show the name as a link.';
grant execute on function names.has_link to tenant;

/*
 * Comparison of names. app.memories.subject_key and indexes of app.people have the same expressions, since what is
 * stored cannot depend on a definition. The collations are PostgreSQL's own: no result depends on the locale of the
 * database. (docs/decisions/0022-names-and-erasure.md)
 */
create function names.folded(name text) returns text
language sql immutable parallel safe
as $$
  select translate(
    normalize(casefold(normalize(regexp_replace(
      translate(name, U&'\00b4\0384\1fbd\1fbf\1ffd\1ffe\0060\02ca\02cb', ''''''''''''''''''''),
      '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]', '', 'g'
    ), nfkc) collate "pg_unicode_fast"), nfkc),
    U&'\2018\2019\201a\201b\02b9\02bb\02bc\02bd\02c8\055a\05f3\07f4\07f5\2032\2035\0060\a78b\a78c', ''''''''''''''''''''''''''''''''''''''
  )
$$;
comment on function names.folded is 'The name by case folding and NFKC, without invisible characters, and with one form of apostrophes.';
grant execute on function names.folded to tenant, searcher, operator;

create function names.dashes() returns text
language sql immutable parallel safe
as $$ select '\u02d7\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2796\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010d6e\U00010ead' $$;
comment on function names.dashes is 'Hyphens and dashes beyond ASCII, for a bracket of a regular expression.';
grant execute on function names.dashes to tenant, searcher, operator;

create function names.spelled(name text) returns text
language sql immutable parallel safe
as $$
  select btrim(regexp_replace(names.folded(name), '[\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000_\u002d' || names.dashes() || ']+', '_', 'g'), '_')
$$;
comment on function names.spelled is 'The name folded, and with one form of spaces, hyphens and dashes.';
grant execute on function names.spelled to tenant, searcher, operator;

-- The second half of the prefix must have a letter or digit that combines with no character before it. Then the characters
-- after the prefix change none of the first 32.
create function names.beginning(name text) returns text
language plpgsql immutable parallel safe
as $$
declare
  spelled constant text := case when char_length(name) > 200 then names.spelled(left(name, 200)) end;
begin
  return case
    when substr(spelled, 33) ~ '[0-9_a-z\u0430-\u044f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]' then left(spelled, 32)
  end;
end
$$;
comment on function names.beginning is 'The first 32 characters of names.spelled of a long text. Null for a text of at most 200 characters, and if the whole text must be read. The whole costs 2 ms for 4,000 characters.';
grant execute on function names.beginning to tenant;

create function names.address(email text) returns text
language sql immutable parallel safe
as $$ select lower(email collate "pg_c_utf8") $$;
comment on function names.address is 'An e-mail address as it is compared: without differences of case.';
grant execute on function names.address to operator;
