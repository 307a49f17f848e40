/*
 * The hosts that an endpoint may not have: addresses and names of this machine and of private networks. The ranges and
 * names come from src/delivery/address.ts and host-names.ts, which the worker uses for each delivery. A name is not
 * resolved here. (docs/specification/webhooks.md#url-rules)
 */
do $$
begin
  execute format(
    'create function names.refused_targets() returns jsonb language sql immutable parallel safe as %L',
    format('select %L::jsonb', current_setting('botstead.targets'))
  );
end
$$;
comment on function names.refused_targets is 'Ranges of addresses in the order in which the first match decides, and suffixes of local names.';

create function names.is_reachable(address inet, allowed cidr[]) returns boolean
language plpgsql immutable
as $$
declare
  verdict jsonb;
  embedded bytea;
begin
  if address <<= any (allowed) then
    return true;
  end if;
  select class -> 'verdict' into verdict
  from jsonb_array_elements(names.refused_targets() -> 'addresses') with ordinality listed (class, place)
  where address <<= (class ->> 'range')::cidr
  order by place
  limit 1;
  if jsonb_typeof(verdict) = 'string' then
    return verdict = '"reachable"';
  end if;
  -- The bytes of the address begin after four others.
  embedded := substring(inet_send(address) from 5 + (verdict ->> 'embeds')::integer / 8 for 4);
  return names.is_reachable(
    format('%s.%s.%s.%s', get_byte(embedded, 0), get_byte(embedded, 1), get_byte(embedded, 2), get_byte(embedded, 3))::inet,
    allowed
  );
end
$$;
comment on function names.is_reachable is 'Whether a delivery may connect to the address. An embedded IPv4 address decides for an IPv6 address.';

create function names.is_private_host(host text, ranges cidr[], hosts text[]) returns boolean
language sql immutable
as $$
  select case
    when names.host_address(host) is not null then not names.is_reachable(names.host_address(host), ranges)
    -- An allowed loopback range also allows the name localhost.
    when host ~ '(^|\.)localhost$' and (names.is_reachable('127.0.0.1', ranges) or names.is_reachable('::1', ranges)) then false
    when exists (
      select from unnest(hosts) entry where host = entry or left(entry, 1) = '.' and right(host, char_length(entry)) = entry
    ) then false
    else host !~ '\.' or exists (
      select from jsonb_array_elements_text(names.refused_targets() -> 'localSuffixes') suffix
      where host = suffix or right(host, char_length(suffix) + 1) = '.' || suffix
    )
  end
$$;
comment on function names.is_private_host is 'Whether a host of names.host_of is this machine, a private network or a private address. Parameters: exempt ranges and names.';
