/* Violations of invariants, without the accepted exceptions. No row if all invariants hold. */
create view audit.violations_of_cluster as
select * from audit.violations_of_roles
union all
select * from audit.violations_of_settings
union all
select * from audit.violations_of_database;
comment on view audit.violations_of_cluster is 'Violations outside the definitions: by roles, settings and the database. botstead migrate lists them too.';
grant select on audit.violations_of_cluster to auditor;

create view audit.violations as
select rule, kind, name, detail, null::text as expected, null::text as actual, null::text as severity, null::text as why, null::text as remedy, detail as evidence
from (
  select * from audit.violations_of_tables
  union all
  select * from audit.violations_of_policies
  union all
  select * from audit.violations_of_functions
  union all
  select * from audit.violations_of_ownership
  union all
  select * from audit.violations_of_logins
  union all
  select * from audit.violations_of_privileges
  union all
  select * from audit.violations_of_builds
) of_rules
union all
select rule, kind, name, detail, null, null, null, null, remedy, detail
from audit.violations_of_cluster
union all
select rule, kind, name, detail, null, null, null, null, remedy, detail
from audit.violations_of_records
union all
select * from audit.violations_of_differences;
comment on view audit.violations is 'All violations, including accepted exceptions: see audit.findings.';
grant select on audit.violations to auditor;

/*
 * A move creates these under names that contain the organisation's id. They are intended only as long as app.organisation_moves
 * has that move under way. (docs/moves.md)
 */
create function audit.is_of_move(rule text, name text, detail text) returns boolean
language sql stable
security definer set search_path = ''
as $$
  select exists (
    select
    from app.organisation_moves move,
      lateral (select 'botstead_move_' || replace(move.organisation_id::text, '-', '')) as made (name)
    where move.state <> 'moved' and (
      is_of_move.name = made.name and rule in ('difference', 'replication_slot', 'role_powerful', 'membership')
      or rule ~ '^(difference|policy_\w+)$' and is_of_move.name ~ '^botstead_move on app\.\w+$'
        and not exists (select from pg_catalog.pg_policy policy where policy.polname = 'botstead_move' and policy.polpermissive)
      or rule = 'difference' and (
        is_of_move.name ~ ('^app\.\w+ ' || made.name || '$')
        or is_of_move.name ~ ('^' || made.name || '(_deleted)? on (app|partitions)\.\w+$')
        or exists (
          select from pg_catalog.pg_subscription subscription
          where subscription.subname = made.name and is_of_move.name ~ ('^pg_' || subscription.oid || '(_\d+)?$')
        )
      )
      or rule = 'database_privilege' and is_of_move.detail = 'connect to ' || made.name
      or rule = 'replication_slot' and move.state = 'leaving' and is_of_move.name ~ '^pg_\d+_sync_\d+_\d+$'
    )
  )
$$;
comment on function audit.is_of_move is 'Instead of row-level security: an auditor, and ids of moves only. Whether a violation is a part of a move that is under way.';
grant execute on function audit.is_of_move to auditor;

-- An exception or acceptance without a violation is a finding itself.
create view audit.standing_violations as
with violations as materialized (
  select violation.*, violation.kind || ' ' || violation.name as object,
    audit.finding_id(violation.rule, violation.kind || ' ' || violation.name, violation.evidence) as finding
  from audit.violations violation
)
select violations.*
from violations
where violations.finding not in (select accepted.finding from audit.accepted)
  and not audit.is_of_move(violations.rule, violations.name, violations.detail)
  and not exists (
    select from audit.exceptions excepted
    where excepted.rule = violations.rule and excepted.object = violations.object
      and excepted.detail is not distinct from violations.detail
  )
union all
select 'stale_exception', null, null, excepted.rule, null, null, null, null, null, null, excepted.object,
  audit.finding_id('stale_exception', excepted.object, excepted.rule)
from (
  select excepted.rule, excepted.object from audit.exceptions excepted
  where not exists (
    select from violations
    where violations.rule = excepted.rule and violations.object = excepted.object and violations.detail is not distinct from excepted.detail
  )
  union all
  select accepted.rule, accepted.object from audit.accepted where accepted.finding not in (select violations.finding from violations)
) excepted;
comment on view audit.standing_violations is 'Violations that no exception and no person accepts: see audit.findings.';
grant select on audit.standing_violations to auditor;

/*
 * The settings of the session could hide differences, or make the audit fail: they are pinned here. statement_timeout
 * counts from the start of the statement, so only the session itself can raise it.
 */
create function audit.examine() returns table (
  finding text, severity text, rule text, object text, what text, expected text, actual text, why text, remedy text
)
language sql stable
set search_path = ''
set row_security = on
set quote_all_identifiers = off
set "DateStyle" = 'ISO'
set "IntervalStyle" = 'postgres'
set "TimeZone" = 'UTC'
set bytea_output = 'hex'
set extra_float_digits = 1
set standard_conforming_strings = on
set escape_string_warning = off
as $$
  select found.finding, coalesce(found.severity, rules.severity), found.rule, found.object,
    format(rules.what, found.name, found.detail, found.kind), found.expected, found.actual,
    coalesce(found.why, rules.why), coalesce(found.remedy, format(rules.remedy, found.name, found.detail, found.kind))
  from audit.standing_violations found
  join audit.rules on rules.rule = found.rule
  order by array_position(array['critical', 'serious', 'notice'], coalesce(found.severity, rules.severity)), found.rule, found.object, found.detail
$$;
comment on function audit.examine is 'The rows of audit.findings, with pinned settings.';
grant execute on function audit.examine to auditor;

create view audit.findings as
select * from audit.examine();
comment on view audit.findings is 'Violated invariants: severity, object, what is wrong, what is expected, why it matters, and the remedy. No row if all invariants hold.';
grant select on audit.findings to auditor;

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
select format('%s of the server, since auditor has its own', string_agg(own.name, ', ' order by own.name)), 'pg_file_settings, as a superuser'
from audit.roles role, jsonb_object_keys(role.settings) as own (name)
join audit.server_settings() setting on setting.name = own.name
where role.name = 'auditor' and not audit.is_intended(setting.category, setting.name, setting.boot_val)
having count(*) > 0
union all
select format('the mint of %s in the operators'' log of database %s', login.name, login.minted_in), 'botstead audit there'
from audit.our_roles login
where login.minted_in is not null
union all
values
  ('pg_hba.conf and pg_ident.conf, which decide who may log in', 'pg_hba_file_rules, as a superuser'),
  ('settings that were changed since the configuration was last loaded', 'pg_file_settings, as a superuser'),
  ('passwords of roles', 'botstead doctor logs in with those of the master key'),
  ('options of user mappings, connection strings of subscriptions', 'pg_user_mapping and pg_subscription, as a superuser'),
  ('files of the server: its programs, libraries and data', 'the package manager of the machine');
comment on view audit.unseen is 'Facts that the audit does not see, and where to find them.';
grant select on audit.unseen to auditor;
