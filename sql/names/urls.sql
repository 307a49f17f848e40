/*
 * The rule for the URL of a webhook endpoint, as far as the text alone decides it. Private names and addresses depend on
 * settings of the API (src/delivery/webhook-url.ts), and each delivery checks the addresses again.
 * (docs/specification/webhooks.md#url-rules)
 */
create function names.is_host(host text) returns boolean
language sql immutable parallel safe
as $$
  select case
    when left(host, 1) = '[' then host ~ '^\[[0-9a-fA-F:.]+\]$' and pg_input_is_valid(btrim(host, '[]'), 'inet')
    else char_length(host) <= 253
      and host !~ '[\u0001-\u002c\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2028\u2029]'
      and (select bool_and(char_length(label) between 1 and 63) from string_to_table(host, '.') label)
  end
$$;
comment on function names.is_host is 'Whether the text is an IPv6 address in brackets, or a name or IPv4 address whose labels are well formed. SQL cannot apply IDNA.';
grant execute on function names.is_host to tenant;

create function names.is_endpoint_url(url text) returns boolean
language sql immutable parallel safe
as $$
  select char_length(url) <= 2048
    and url !~ '[\s\\#\u0001-\u001f\u007f-\u009f]'
    and url ~ '^https://(\[[^]/?]*\]|[^]:/?\[]+)(:(0*[1-9][0-9]{0,4})?)?([/?]|$)'
    and names.is_host(substring(url from '^https://(\[[^]/?]*\]|[^]:/?\[]+)'))
$$;
comment on function names.is_endpoint_url is 'Whether the text is an https URL with a well-formed host, and without user, fragment, port 0, backslash and white space.';
grant execute on function names.is_endpoint_url to tenant;
