/* What the audit leaves out: other databases and roles, and what it cannot see. */
create view audit.elsewhere as
select 'database' as kind, database.datname::text as name
from pg_catalog.pg_database database
where database.datname <> current_database() and database.oid >= 16384
union all
select 'role', role.rolname
from pg_catalog.pg_roles role
where role.oid >= 16384 and role.oid not in (select ours.oid from audit.our_roles ours where ours.oid is not null)
  and not exists (select from audit.violations_of_roles violation where violation.name = quote_ident(role.rolname));
comment on view audit.elsewhere is 'Other databases of the cluster, and roles without a way to this one. They are no findings.';
grant select on audit.elsewhere to auditor;

create view audit.unseen (what, how) as
select 'settings that only members of pg_read_all_settings read, such as shared_preload_libraries', 'grant pg_monitor to owner with inherit true, set false'
where not pg_has_role('owner', 'pg_read_all_settings', 'usage')
union all
select format('%s %s, since auditor has its own', string_agg(own.name, ', ' order by own.name), reads.which), reads.how
from audit.roles role, jsonb_object_keys(role.settings) as own (name)
join audit.server_settings() setting on setting.name = own.name
join (
  values (true, 'on the server''s command line', 'the command line of its process'), (false, 'of the server', 'pg_file_settings, as a superuser')
) reads (files, which, how) on reads.files = audit.reads_file_settings()
where role.name = 'auditor' and not audit.is_intended(setting.category, setting.name, setting.boot_val)
group by reads.which, reads.how
having count(*) > 0
union all
select format('the mint of %s in the operators'' log of database %s', login.name, login.minted_in), 'botstead audit there'
from audit.our_roles login
where login.minted_in is not null
union all
select 'settings that were changed since the configuration was last loaded', 'grant execute on function pg_show_all_file_settings() to owner, as a superuser'
where not audit.reads_file_settings()
union all
select format('values of app.%s that no entry of the audit log contains: %s', logged.name, string_agg(column_name, ', ' order by column_name)), 'a backup'
from audit.recorded_tables recorded
join audit.logged_tables logged on logged.name = recorded.name
cross join unnest(logged.named) column_name
where column_name <> 'singleton' and column_name <> all (logged.digested)
group by logged.name
union all
values
  ('values of credentials, endpoints and hooks whose entries are all older than version 0.3.0, and have no contentDigest', 'a backup, or a rotation'),
  ('the digest and the time of the opening of a portal session, which make no entry of their own', 'end the session: it lives for hours'),
  ('pg_hba.conf and pg_ident.conf, which decide who may log in', 'pg_hba_file_rules, as a superuser'),
  ('passwords of roles', 'botstead doctor logs in with those of the master key'),
  ('options of user mappings, connection strings of subscriptions', 'pg_user_mapping and pg_subscription, as a superuser'),
  ('files of the server: its programs, libraries and data', 'the package manager of the machine');
comment on view audit.unseen is 'Facts that the audit does not see, and where to find them.';
grant select on audit.unseen to auditor;
