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
