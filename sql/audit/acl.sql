/*
 * Who was given what, in an order that does not tell who was first.
 */
create function audit.acl(given aclitem[]) returns text
language sql stable
set search_path = ''
as $$
  select string_agg(item::text, ' ' order by item::text)
  from unnest(given) item
$$;
comment on function audit.acl is 'An access list as text, sorted.';
