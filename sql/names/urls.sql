/*
 * The rule for the URL of a webhook endpoint, as far as the text alone decides it. Private names and addresses depend on
 * settings (names/targets.sql).
 * (docs/specification/webhooks.md#url-rules)
 */
-- URL parsers read 127.1, 0x7f.1, 0177.0.0.1 and 2130706433 as 127.0.0.1.
create function names.host_address(host text) returns inet
language sql immutable
as $$
  select case
    when left(host, 1) = '[' then btrim(host, '[]')::inet
    when host ~ '(^|\.)([0-9]+|0x[0-9a-f]*)$' then (
      select '0.0.0.0'::inet + sum(case when place = count then read.value else read.value << (8 * (4 - place)::integer) end)::bigint
      from (
        select place, count(*) over () as count, case
          when part ~ '^0x[0-9a-f]*$' then '0x0' || substr(part, 3)
          when part ~ '^0[0-9]+$' then '0o' || part
          when part ~ '^[0-9]+$' then part
        end as number
        from string_to_table(host, '.') with ordinality listed (part, place)
      ) labels
      cross join lateral (select case when pg_input_is_valid(labels.number, 'bigint') then labels.number::bigint end) read (value)
      having count(*) <= 4 and bool_and(
        coalesce(read.value < case when place = count then 1::bigint << (8 * (5 - count)::integer) else 256 end, false)
      )
    )
  end
$$;
comment on function names.host_address is 'The address that a host of names.host_of spells. Null for a name, and for numbers that spell none.';

create function names.is_host(host text) returns boolean
language sql immutable parallel safe
as $$
  select case
    when left(host, 1) = '[' then host ~ '^\[[0-9a-fA-F:.]+\]$' and pg_input_is_valid(btrim(host, '[]'), 'inet')
    else char_length(host) <= 253
      and host !~ '[\u0001-\u002c\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2028\u2029]'
      and (select bool_and(char_length(label) between 1 and 63) from string_to_table(host, '.') label)
      and (host !~ '(^|\.)([0-9]+|0x[0-9a-f]*)$' or names.host_address(host) is not null)
  end
$$;
comment on function names.is_host is 'Whether the text is an IPv6 address in brackets, or a name or IPv4 address whose labels are well formed. SQL cannot apply IDNA.';

-- Full-width letters, digits and dots are other spellings of ASCII, and invisible characters are dropped, as IDNA does it.
create function names.host_of(url text) returns text
language sql immutable parallel safe
as $$
  select translate(
    normalize(casefold(normalize(regexp_replace(
      substring(url from '^https://(\[[^]/?]*\]|[^]:/?\[]+)'),
      '[\u00ad\u034f\u180b-\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff]', '', 'g'
    ), nfkc) collate "pg_unicode_fast"), nfkc),
    U&'\3002', '.'
  )
$$;
comment on function names.host_of is 'The host of an https URL, without differences of case and width. Null: the text is no such URL.';

create function names.is_endpoint_url(url text) returns boolean
language sql immutable parallel safe
as $$
  select char_length(url) <= 2048
    and url !~ '[\s\\#\u0001-\u001f\u007f-\u009f]'
    and url ~ '^https://(\[[^]/?]*\]|[^]:/?\[]+)(:(0*[1-9][0-9]{0,4})?)?([/?]|$)'
    and coalesce(substring(url from '^https://(?:\[[^]/?]*\]|[^]:/?\[]+):0*([1-9][0-9]{0,4})(?:[/?]|$)')::integer, 443) <= 65535
    and names.is_host(names.host_of(url))
$$;
comment on function names.is_endpoint_url is 'Whether the text is an https URL with a well-formed host, and without user, fragment, port 0 or above 65535, backslash and white space.';
