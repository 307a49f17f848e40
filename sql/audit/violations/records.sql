/* Rows, sequences and migrations that were changed past Botstead. */
-- A sequence behind its table makes the next insert fail, and so does one at its end.
create function audit.moved_sequences() returns table (sequence text, reached bigint, newest bigint)
language plpgsql stable
security definer set search_path = ''
as $$
declare
  owned record;
begin
  for owned in
    select sequence.seqrelid::regclass as name, sequence.seqmax, depend.refobjid::regclass as of_table, attribute.attname
    from pg_catalog.pg_sequence sequence
    join pg_catalog.pg_class class on class.oid = sequence.seqrelid and class.relnamespace = 'app'::regnamespace
    join pg_catalog.pg_depend depend on depend.objid = sequence.seqrelid and depend.deptype = 'i' and depend.refobjsubid > 0
    join pg_catalog.pg_attribute attribute on attribute.attrelid = depend.refobjid and attribute.attnum = depend.refobjsubid
  loop
    return query execute format(
      'select %L::text, placed.reached, newest.id from (select case when is_called then last_value else last_value - 1 end as reached from %s) placed, (select coalesce(max(%I), 0)::bigint as id from %s) newest where placed.reached not between newest.id and newest.id + 1000',
      owned.name, owned.name, owned.attname, owned.of_table
    );
  end loop;
end
$$;
comment on function audit.moved_sequences is 'Instead of row-level security: only auditor may execute it. Numbers only. Sequences that are behind their table, or more than 1,000 numbers ahead.';
grant execute on function audit.moved_sequences to auditor;

create view audit.violations_of_records (rule, kind, name, detail, remedy) as
select 'row_not_recorded', 'row', rtrim(found.table_name || ' ' || found.row_key), found.problem,
  case when found.table_name = 'app.audit_log' then 'botstead migrate --repair' end
from audit.unrecorded_rows() found
union all
select 'reference_broken', 'row', found.table_name || ' ' || found.row_key, found.reference, null
from audit.broken_references() found
union all
select 'sequence_moved', 'sequence', found.sequence, format('at %s, and the newest row has %s', found.reached, found.newest),
  format('select setval(%L, %s, %s);', found.sequence, greatest(found.newest, 1), (found.newest > 0)::text)
from audit.moved_sequences() found
union all
select 'migration_differs', 'migration', coalesce(committed.file, applied.filename),
  case when applied.hash is null then 'not recorded' when committed.hash is null then 'recorded, and unknown to this version' else 'recorded with hash ' || applied.hash end,
  case when applied.hash is not null and committed.hash is not null
    then format('update graphile_migrate.migrations set hash = %L where filename = %L;', committed.hash, applied.filename) end
from audit.committed_migrations committed
full join graphile_migrate.migrations applied on left(applied.filename, 6) = left(committed.file, 6) -- the number
where applied.hash is distinct from committed.hash;
comment on view audit.violations_of_records is 'Rows, sequences and migrations that were changed past Botstead: see audit.findings.';
grant select on audit.violations_of_records to auditor;
