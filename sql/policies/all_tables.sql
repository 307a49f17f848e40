/*
 * Enables and forces row-level security on every table of app, also on tables that are added later. The policies are
 * for four roles. Tenant runs every API call. Authenticator reads credentials (credentials.sql), searcher reads search
 * vectors (search.sql). Owner owns the definer functions: it sees the organisation of the request, and all
 * organisations only if none is set, as in migrations and maintenance.
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
        then 'Rows for definer functions: of the organisation of the request, or of all if none is set.'
        else 'Rows for definer functions: all, because the table belongs to no organisation.'
      end
    );
  end loop;
end
$$;

-- A partition has no policy and no privilege: its rows are reached through its table in app, under that table's
-- policies. jobs/partitions.sql does the same for partitions created later.
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
  'Rows for definer functions: the organisation of the request, or all if none is set.';

grant usage on schema app to tenant;
-- Authenticator and searcher have this privilege too. Every other login and role uses functions and views only.
