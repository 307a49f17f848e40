/*
 * Row-level security is enabled and forced on every table, whoever adds one. What follows in this folder names four
 * readers: tenant, as whom every API call runs, file by file; authenticator and searcher, who look up credentials and words
 * in a few columns (credentials.sql, search.sql); and owner, to whom the definer functions belong. Owner sees no further
 * than the organisation of the request it serves; only where no organisation has been set, in migrations and in the
 * sweeps of the worker, does it see all.
 */
do $$
declare
  app_table record;
begin
  for app_table in
    select class.oid::regclass as name,
      exists (
        select from pg_catalog.pg_attribute attribute
        where attribute.attrelid = class.oid and attribute.attname = 'organisation_id' and not attribute.attisdropped
      ) as of_tenant
    from pg_catalog.pg_class class
    where class.relnamespace = 'app'::regnamespace and class.relkind in ('r', 'p')
  loop
    execute format('alter table %s enable row level security', app_table.name);
    execute format('alter table %s force row level security', app_table.name);
    execute format(
      'create policy definitions_within_request on %s for all to owner using (%s)',
      app_table.name,
      case when app_table.of_tenant
        then 'organisation_id = coalesce((select caller.organisation_id()), organisation_id)'
        else 'true'
      end
    );
    execute format(
      'comment on policy definitions_within_request on %s is %L',
      app_table.name,
      case when app_table.of_tenant
        then 'What definer functions see: the organisation of the request, or of all where none has been set.'
        else 'What definer functions see: all of it, since it belongs to no organisation.'
      end
    );
  end loop;
end
$$;

-- A partition has no policy and no privilege: its rows are reached through its table in app, under that one's policies.
-- Those that are made later are secured where they are made (jobs/partitions.sql).
do $$
declare
  partition regclass;
begin
  for partition in
    select class.oid from pg_catalog.pg_class class
    where class.relnamespace = 'partitions'::regnamespace and class.relkind in ('r', 'p')
  loop
    execute format('alter table %s enable row level security', partition);
    execute format('alter table %s force row level security', partition);
  end loop;
end
$$;

drop policy definitions_within_request on app.organisations;
create policy definitions_within_request on app.organisations
  for all to owner
  using ((select caller.organisation_id()) is null or id = (select caller.organisation_id()));
comment on policy definitions_within_request on app.organisations is
  'What definer functions see: the organisation of the request, or all where none has been set.';

-- The records of platform keys lie under the nil id, and are written while no organisation is set.

grant usage on schema app to tenant;
-- Beside it authenticator and searcher enter. No other role may even name a table: server, worker, runner, operator and
-- auditor live on functions and views.
