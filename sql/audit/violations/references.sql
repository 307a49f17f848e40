/* References that foreign keys would refuse: rows written past the triggers. */
-- Rows in volume are left out: a run, its steps and messages, events and deliveries come from functions only, and open nothing.
create function audit.broken_references() returns table (table_name text, row_key text, reference text)
language plpgsql stable
security definer set search_path = ''
as $$
declare
  found record;
begin
  for found in
    select format(
      'select %L, concat_ws('' '', %s), %L from %s row where %s and not exists (select from %s other where %s) limit 100',
      class.oid::regclass, keys.names, reference.conname, class.oid::regclass, columns.given, reference.confrelid::regclass, columns.matches
    ) as query
    from pg_catalog.pg_constraint reference
    join pg_catalog.pg_class class on class.oid = reference.conrelid and class.relkind = 'r' and class.relnamespace = 'app'::regnamespace
    cross join lateral (
      select string_agg(format('row.%I', attribute.attname), ', ' order by attribute.attnum) as names
      from pg_catalog.pg_constraint primary_key
      join pg_catalog.pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum = any (primary_key.conkey)
      where primary_key.conrelid = class.oid and primary_key.contype = 'p'
    ) keys
    cross join lateral (
      select string_agg(format('row.%I is not null', own.attname), ' and ') as given,
        string_agg(format('other.%I = row.%I', theirs.attname, own.attname), ' and ') as matches
      from unnest(reference.conkey, reference.confkey) pair (own, theirs)
      join pg_catalog.pg_attribute own on own.attrelid = reference.conrelid and own.attnum = pair.own
      join pg_catalog.pg_attribute theirs on theirs.attrelid = reference.confrelid and theirs.attnum = pair.theirs
    ) columns
    where reference.contype = 'f' and class.relname not in ('runs', 'messages', 'conversations', 'mails', 'idempotency_records', 'hook_receipts')
    order by class.relname, reference.conname
  loop
    return query execute found.query;
  end loop;
end
$$;
comment on function audit.broken_references is 'Instead of row-level security: only auditor may execute it. Returns ids only. Rows that refer to a row that is not there, or is in another organisation.';
grant execute on function audit.broken_references to auditor;
