/* Deletes the rows of an organisation: where it has moved away from (src/cells/moves), and where it is deleted (sql/jobs/deletions.sql). */
-- The checkpoint job reports each deleted entry of the log (src/transparency/checkpoints/rewrites.ts). By their number they are
-- accepted.
create function service.accept_rewrites(partition regclass, entries bigint, reason text) returns void
language sql
as $$
  insert into app.audit_faults as known (organisation_id, fault, sequence, last_sequence, accepted_at, accepted_by, accepted_reason)
  select '00000000-0000-0000-0000-000000000000', 'rewritten', week, entries, now(), 'botstead', reason
  from (select substring(partition::text from '\maudit_log_(\d{8})$')::bigint) of_partition (week)
  where week is not null and entries > 0
  on conflict (organisation_id, fault, sequence) do update set last_sequence = known.last_sequence + excluded.last_sequence
$$;
comment on function service.accept_rewrites is 'Accepts the deletion of this many entries of a week of the audit log. For moves and deletions.';

-- In parts, so that no transaction holds back vacuum for long. Rows are found by their place in one partition.
create function service.delete_rows(
  organisation uuid, max_rows bigint, with_log boolean, from_place bigint default 0, out place bigint, out name text, out deleted bigint
)
language plpgsql
set enable_seqscan = off
as $$
declare
  listed record;
  part regclass;
begin
  for listed in
    select * from service.moved_tables tables where (with_log or not tables.is_kept) and tables.place >= from_place order by tables.place
  loop
    execute format('select tableoid from app.%s where %s = $1 limit 1', listed.quoted, listed.key) into part using organisation;
    continue when part is null;
    execute format(
      'with deleted as (
         delete from app.%1$s where tableoid = $2 and ctid = any (array(
           select ctid from app.%1$s where tableoid = $2 and %2$s = $1 limit $3
         )) and %2$s = $1 returning 1
       )
       select count(*) from deleted',
      listed.quoted, listed.key
    ) into deleted using organisation, part, max_rows;
    place := listed.place;
    name := listed.name;
    perform service.accept_rewrites(part, deleted, 'An abandoned move deleted its copy.');
    return;
  end loop;
end
$$;
comment on function service.delete_rows is 'Deletes rows of the first table, from this one on, that has some. with_log: also the audit log, which else stays, since the signed tree covers it. Null if no row is left.';

create view service.due_deletions as
select organisation.id, organisation.deletion_at
from app.organisations organisation
where organisation.deletion_at <= now()
  and not exists (select from app.organisation_moves move where move.organisation_id = organisation.id);
comment on view service.due_deletions is 'Organisations whose deletion is due and that do not move.';

create view service.searched_tables as
select class.oid as relation, class.oid::regclass::text as name, tables.key, tables.is_kept,
  class.oid in ('app.organisation_deletions'::regclass, 'app.organisation_moves'::regclass, 'app.operator_commands'::regclass) as is_record,
  storage.blocks, greatest(4096 / storage.leaves, 16) as blocks_of_step
from pg_catalog.pg_class class
join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace
left join service.moved_tables tables on class.relnamespace = 'app'::regnamespace and tables.name = class.relname
cross join lateral (
  select coalesce(max(pg_relation_size(leaf.relid)), 0) / current_setting('block_size')::bigint as blocks, greatest(count(*), 1) as leaves
  from (
    select part.relid from pg_partition_tree(class.oid) part where part.isleaf -- none of a table without partitions
    union
    select class.oid where class.relkind <> 'p'
  ) leaf
) storage
where class.relkind in ('r', 'p', 'm') and not class.relispartition
  and schema.nspname !~ '^pg_' and schema.nspname <> 'information_schema'
  and has_schema_privilege(schema.oid, 'usage') and has_table_privilege(class.oid, 'select');
comment on view service.searched_tables is 'All tables of this database that owner may read, but PostgreSQL''s own. is_kept, is_record: what may keep the id of a deleted organisation.';

create view service.unsearched as
select format('%I.%I', schema.nspname, class.relname) as name
from pg_catalog.pg_class class
join pg_catalog.pg_namespace schema on schema.oid = class.relnamespace
where class.relkind in ('r', 'p', 'm', 'f') and not (class.relispartition and class.relkind <> 'f')
  and schema.nspname !~ '^pg_' and schema.nspname <> 'information_schema'
  and class.oid not in (select searched.relation from service.searched_tables searched)
union all
select 'pg_catalog.pg_largeobject' where exists (select from pg_catalog.pg_largeobject_metadata);
comment on view service.unsearched is 'What the search of a deletion leaves out: tables that owner may not read, foreign tables, whose rows are elsewhere, and large objects if there are any.';

create function service.deletion_receipt(deletion app.organisation_deletions) returns text
language sql stable
as $$
  select json_build_object(
    'organisationId', deletion.organisation_id, 'actionId', deletion.action_id, 'scheduledAt', rows.time(deletion.scheduled_at),
    'dueAt', rows.time(deletion.due_at), 'begunAt', rows.time(deletion.begun_at), 'endedAt', rows.time(deletion.ended_at),
    'deleted', deletion.deleted, 'searched', deletion.searched,
    'notSearched', (select coalesce(json_agg(unsearched.name order by unsearched.name), '[]') from service.unsearched), 'placesLeft', deletion.places_left,
    'mentionedByOthers', deletion.mentioned_by_others, 'logSequence', deletion.log_sequence
  )::text
$$;
comment on function service.deletion_receipt is 'The receipt of an ended deletion, as the text that its hash covers.';
