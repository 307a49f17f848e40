/* The database itself, and copies of the whole cluster. */
create view audit.violations_of_database (rule, kind, name, detail, remedy) as
with this as (
  select database.*, coalesce(database.datacl, acldefault('d', database.datdba)) as acl, to_jsonb(database) as attributes
  from pg_catalog.pg_database database
  where database.datname = current_database()
)
select 'database_differs', 'database', quote_ident(this.datname), found.detail, found.remedy
from this, lateral (
  values
    (this.datdba <> 10, 'Its owner is ' || pg_get_userbyid(this.datdba) || ', and not the role that created the cluster', format('alter database %I owner to %I;', this.datname, pg_get_userbyid(10))),
    (this.datistemplate, 'It is a template: a role with CREATEDB copies all rows', format('alter database %I is_template false;', this.datname)),
    (not this.datallowconn, 'It accepts no connections', format('alter database %I allow_connections true;', this.datname)),
    (this.datconnlimit <> -1, 'It accepts ' || this.datconnlimit || ' connections', format('alter database %I connection limit -1;', this.datname)),
    (this.datcollversion <> pg_database_collation_actual_version(this.oid), 'Its collation has version ' || this.datcollversion || ', and the system another: indexes of text can be in the wrong order',
      format('reindex database %I; alter database %1$I refresh collation version;', this.datname))
) as found (is_violated, detail, remedy)
where found.is_violated
union all
-- Every other attribute, such as encoding and locale, as in a new database. A build compares with one made from template0.
select 'database_differs', 'database', quote_ident(this.datname), format('Its %s is %s, and %s for template0', entry.key, entry.value, template -> entry.key), null
from this, (select to_jsonb(database) from pg_catalog.pg_database database where database.datname = 'template0') as new (template),
  lateral jsonb_each(this.attributes) entry
where entry.value is distinct from template -> entry.key
  and entry.key not in ('oid', 'datname', 'datdba', 'datacl', 'datistemplate', 'datallowconn', 'datconnlimit', 'datcollversion', 'datfrozenxid', 'datminmxid')
union all
select 'database_differs', 'database', 'template0', 'It accepts connections, so it can be changed. botstead migrate compares with a database made from it',
  'alter database template0 allow_connections false;'
from pg_catalog.pg_database template
where template.datname = 'template0' and template.datallowconn
union all
select 'database_privilege', 'database', quote_ident(this.datname),
  string_agg(lower(given.privilege_type), ', ' order by given.privilege_type) || ' to ' || role.name,
  format('revoke %s on database %I from %s;', string_agg(lower(given.privilege_type), ', ' order by given.privilege_type), this.datname, role.name)
from this, aclexplode(this.acl) given,
  lateral (select case given.grantee when 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(given.grantee)) end) as role (name)
where given.grantee not in (10, this.datdba) and role.name <> 'owner'
  and not (
    given.privilege_type = 'CONNECT' and not given.is_grantable
    and given.grantee in (select ours.oid from audit.our_roles ours where ours.logs_in and ours.minted_in is null)
  )
group by this.datname, role.name
union all
-- In the cluster's own databases our logins could take locks and fill the NOTIFY queue, where ours revokes what that takes.
select 'database_privilege', 'database', quote_ident(other.datname), 'connect to ' || role.name,
  format('revoke connect on database %I from %s;', other.datname, role.name)
from pg_catalog.pg_database other, aclexplode(coalesce(other.datacl, acldefault('d', other.datdba))) given,
  lateral (select case given.grantee when 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(given.grantee)) end) as role (name)
where other.datname in ('postgres', 'template1') and other.datname <> current_database() and other.datallowconn
  and given.privilege_type = 'CONNECT'
  and (given.grantee = 0 or given.grantee in (select ours.oid from audit.our_roles ours))
union all
-- The other programs of the cluster may rely on PUBLIC, so pg_hba.conf closes their databases. The audit does not see it.
select 'database_privilege', 'database', quote_ident(other.datname), 'connect to PUBLIC',
  format('above the other lines of pg_hba.conf: host %I server,worker,+executor,+operator,auditor,owner all reject; then accept this finding (docs/database.md)', other.datname)
from pg_catalog.pg_database other, aclexplode(coalesce(other.datacl, acldefault('d', other.datdba))) given
where other.datname not in ('postgres', 'template0', 'template1', current_database()) and other.datallowconn
  and given.privilege_type = 'CONNECT' and given.grantee = 0
union all
-- With a privilege of their own. A privilege of PUBLIC or of a group is a finding.
select 'database_differs', 'database', quote_ident(this.datname), ours.name || ' has no privilege to connect of its own', format('grant connect on database %I to %I;', this.datname, ours.name)
from this
join audit.our_roles ours on ours.logs_in and ours.minted_in is null and not exists (
  select from aclexplode(this.acl) given where given.grantee = ours.oid and given.privilege_type = 'CONNECT'
)
union all
select 'replication_slot', 'replication slot', slot.slot_name, slot.slot_type || coalesce(', ' || slot.plugin, ''), format('select pg_drop_replication_slot(%L);', slot.slot_name)
from pg_catalog.pg_replication_slots slot
where not slot.temporary and (slot.database is null or slot.database = current_database())
union all
select 'prepared_transaction', 'prepared transaction', quote_literal(prepared.gid),
  format('%s, since %s', prepared.owner, date_trunc('second', prepared.prepared)), format('rollback prepared %L;', prepared.gid)
from pg_catalog.pg_prepared_xacts prepared
where prepared.database = current_database();
comment on view audit.violations_of_database is 'Violations by the database itself, and copies of the cluster: see audit.findings.';
grant select on audit.violations_of_database to auditor;

create view audit.violations_of_builds (rule, kind, name, detail) as
select 'not_compared', 'database', quote_ident(current_database()),
  case
    when build.server_version is null or not exists (select from app.built_catalogues) then
      'No build has recorded what a new database has. A first start records it within seconds'
    when build.server_version <> current_setting('server_version_num')::integer / 10000 then 'PostgreSQL has another major version than at the last build'
    else 'The last build could create no database to compare with, and recorded this one'
  end
from (values (1)) one (row)
left join lateral (select last.* from app.definition_builds last order by last.id desc limit 1) build on true
where build.server_version is null or not exists (select from app.built_catalogues) or build.compared_with_itself
  or build.server_version <> current_setting('server_version_num')::integer / 10000;
comment on view audit.violations_of_builds is 'Whether the inventory could be compared: see audit.findings.';
grant select on audit.violations_of_builds to auditor;
