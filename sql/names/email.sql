/*
 * The rule for stored e-mail addresses: a dot-atom of RFC 5321 and a domain of valid labels. A trigger of each table
 * enforces it; older addresses stay until they are changed. src/contract/email.ts has the same rule, and applies IDNA
 * to an internationalised domain, which is stored in Unicode. (docs/specification/conventions.md#e-mail-addresses)
 */
-- Outside ASCII the class excludes spaces, ignorable characters, punctuation and symbols. SQL cannot apply IDNA.
create function names.is_domain(domain text) returns boolean
language sql immutable parallel safe
as $$
  select bool_and(
      label !~ (
        '[\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6\u00b8\u00b9\u00bb-\u00bf'
        || '\u00d7\u00f7\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u20cf\u2100-\u214d\u214f-\u2183'
        || '\u2185-\u2bff\u2e00-\u2e2e\u2e30-\u3004\u3008-\u3020\u3164\ue000-\uf8ff\ufe00-\ufe1f\ufeff\uff00-\uffff]'
      )
      and label !~ '^-|-$|^[xX][nN]--'
      and char_length(label) between 1 and 63
    )
    and count(*) > 1
    and domain !~ '\.([0-9]+|[a-zA-Z])$'
  from string_to_table(domain, '.') label
$$;
comment on function names.is_domain is 'Whether the text is a host name of at least two labels. A-labels are refused, since they are stored in Unicode.';
grant execute on function names.is_domain to tenant;

create function names.is_email(address text) returns boolean
language sql immutable parallel safe
as $$
  select char_length(address) between 3 and 254
    and split_part(address, '@', 1) ~ '^[a-zA-Z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-zA-Z0-9!#$%&''*+/=?^_`{|}~-]+)*$'
    and char_length(split_part(address, '@', 1)) <= 64
    and names.is_domain(substr(address, strpos(address, '@') + 1))
$$;
comment on function names.is_email is 'Whether a mail server can be asked to deliver to the address. Without quoted strings and address literals.';
grant execute on function names.is_email to tenant;
