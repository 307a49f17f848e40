--! Previous: sha1:9673b76a8b3e17514d574e8be3f80927bc436ed9
--! Hash: sha1:7e0840088628c0df4e57ac35a29ce03dd777457c
--! Message: index-of-weeks-by-run

-- Partition by partition, since each blocks its writers until the commit. The index is empty until 000051.
do $$
declare
  week regclass;
begin
  for week in
    select inheritance.inhrelid::regclass
    from pg_catalog.pg_inherits inheritance
    where inheritance.inhparent = 'app.events'::regclass
    order by inheritance.inhrelid::regclass::text
  loop
    execute format('create index on %s (organisation_id, run_id, position, id) where run_id is not null', week);
  end loop;
end
$$;
