/* Access lists as sorted text, independent of the order of grants. */
create function audit.acl(given aclitem[]) returns text
language sql stable
set search_path = ''
as $$
  select string_agg(item::text, ' ' order by item::text)
  from unnest(given) item
$$;
comment on function audit.acl is 'An access list as text, sorted.';
grant execute on function audit.acl to auditor;
