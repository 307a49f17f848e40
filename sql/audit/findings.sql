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
select rule, kind, name, detail, null::text as expected, null::text as actual, null::text as severity, null::text as why, remedy, detail as evidence, null::integer as place
from (
  select *, null::text as remedy from audit.violations_of_tables
  union all
  select *, null from audit.violations_of_policies
  union all
  select * from audit.violations_of_functions
  union all
  select * from audit.violations_of_ownership
  union all
  select *, null from audit.violations_of_logins
  union all
  select * from audit.violations_of_privileges
  union all
  select *, null from audit.violations_of_builds
  union all
  select * from audit.violations_of_cluster
  union all
  select * from audit.violations_of_records
) of_rules
union all
select * from audit.violations_of_differences;
comment on view audit.violations is 'All violations, including accepted exceptions: see audit.findings.';
grant select on audit.violations to auditor;

create function audit.is_of_deletion(rule text, name text) returns boolean
language sql stable
security definer set search_path = ''
as $$
  select rule ~ '^(difference|policy_\w+)$' and name ~ '^botstead_move on app\.\w+$'
    and not exists (select from pg_catalog.pg_policy policy where policy.polname = 'botstead_move' and policy.polpermissive)
    and (
      exists (select from app.organisations organisation where organisation.deletion_at <= now())
      or exists (select from app.organisation_deletions deletion where coalesce(deletion.ended_at, now()) > now() - interval '10 minutes')
    )
$$;
comment on function audit.is_of_deletion is 'Instead of row-level security: only auditor may execute it. Returns nothing but a boolean. Whether a violation is a policy that hides rows for a deletion: created shortly before its begin, and dropped shortly after its end.';
grant execute on function audit.is_of_deletion to auditor;

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
      is_of_move.name = made.name and rule in ('difference', 'replication_slot')
      -- The login of the copy may only replicate, and read the rows of this organisation. The mover renews it for an hour.
      or is_of_move.name = made.name and rule = 'role_powerful' and exists (
        select from pg_catalog.pg_roles login
        where login.rolname = made.name and login.rolvaliduntil < now() + interval '2 hours'
          and not (login.rolsuper or login.rolbypassrls or login.rolcreaterole or login.rolcreatedb)
      )
      or rule = 'schema_open' and is_of_move.name = 'app' and is_of_move.detail = made.name
      or rule = 'unintended_privilege' and is_of_move.name ~ '^app\.\w+$' and is_of_move.detail = 'select to ' || made.name
      or rule = 'policy_for_others' and is_of_move.name ~ ('^' || made.name || ' on app\.\w+$') and is_of_move.detail = made.name
        and not exists (
          select from pg_catalog.pg_policy policy
          where policy.polname = made.name and (policy.polcmd <> 'r' or pg_get_expr(policy.polqual, policy.polrelid)
            !~ format('^\((id|organisation_id) = ''%s''::uuid\)$', move.organisation_id))
        )
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
  or audit.is_of_deletion(rule, name)
$$;
comment on function audit.is_of_move is 'Instead of row-level security: only auditor may execute it. Returns nothing but a boolean. Whether a violation is a part of a move, or of a deletion, that is under way.';
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
select 'stale_exception', null, null, excepted.rule, null, null, null, null, excepted.remedy, null, null, excepted.object,
  audit.finding_id('stale_exception', excepted.object, excepted.rule)
from (
  select excepted.rule, excepted.object, null as remedy from audit.exceptions excepted
  where not exists (
    select from violations
    where violations.rule = excepted.rule and violations.object = excepted.object and violations.detail is not distinct from excepted.detail
  )
  union all
  select accepted.rule, accepted.object, format('botstead audit revoke %s --by … --reason …', accepted.finding) from audit.accepted where accepted.finding not in (select violations.finding from violations)
) excepted;
comment on view audit.standing_violations is 'Violations that no exception and no person accepts: see audit.findings.';
grant select on audit.standing_violations to auditor;

/*
 * The order of findings: what lets others change the database comes first, then what is in the way of later remedies. Each
 * remedy works if those before it were followed. Differences have places of their own (violations/differences.sql): added event
 * triggers 2000, other added objects 4000, statements for the others 4900, repair 5000, added objects in use 6000.
 */
create view audit.rule_places as
select unnest(string_to_array(rules, ' ')) as rule, place
from (
  values
    (1000, 'server_setting'),
    (1001, 'role_differs'),
    (1002, 'role_settings'),
    (1003, 'database_differs database_privilege'),
    (1004, 'role_missing'),
    (1005, 'role_powerful'),
    (1006, 'membership'),
    (1007, 'membership_missing prepared_transaction replication_slot'),
    (3000, 'owned_by_another owned_by_login'),
    (4900, 'rls_not_forced definer_bypasses_rls view_with_owner_rights trigger_function_open open_to_public schema_open unintended_privilege unexpected_executor builtin_open'),
    (5000, 'table_without_organisation primary_key_without_organisation unique_without_organisation foreign_key_without_organisation policy_for_others policy_open policy_without_organisation policy_without_comment privilege_without_policy definer_without_search_path definer_without_comment function_without_operation operation_without_function not_handed_over uses_replaceable secret_readable origin_updatable not_compared difference'),
    (7000, 'executor_not_minted'),
    (8000, 'migration_differs sequence_moved row_not_recorded reference_broken'),
    (9000, 'stale_exception')
) as listed (place, rules);
comment on view audit.rule_places is 'Where the findings of a rule are listed. A remedy needs the remedies of lower places.';
grant select on audit.rule_places to auditor;

-- An object that a new database does not have is dropped, although more can be wrong with it or with its parts.
create function audit.is_part_of(part audit.standing_violations, added text) returns boolean
language sql stable
set search_path = ''
as $$
  select added in (part.object, case part.kind when 'default value' then 'column ' || part.name end)
    or part.kind in ('policy', 'constraint', 'column') and added = 'table ' || of_table.name
    or part.rule = 'unique_without_organisation' and added = 'table ' || part.detail
    or added ~ '^extension ' and exists (
      select from audit.extension_members member
      where member.extension = added and member.name in (part.name, of_table.name)
    )
  from (values (regexp_replace(part.name, '^.* on |\.[^.]+$', ''))) of_table (name)
$$;
comment on function audit.is_part_of is 'Whether the object of a violation goes when this added object is dropped.';
grant execute on function audit.is_part_of to auditor;

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
  with standing as materialized (
    select * from audit.standing_violations
  ), added as (
    select difference.object, difference.remedy, difference.place
    from standing difference
    where difference.rule = 'difference' and difference.detail ~ '^added' and difference.remedy ~ ';$'
  )
  select found.finding, coalesce(found.severity, rules.severity), found.rule, found.object,
    format(rules.what, found.name, found.detail, found.kind), found.expected, found.actual,
    coalesce(found.why, rules.why), coalesce(whole.remedy, found.remedy, format(rules.remedy, found.name, found.detail, found.kind))
  from standing found
  join audit.rules on rules.rule = found.rule
  left join audit.rule_places placed on placed.rule = found.rule
  left join lateral (
    select added.object, added.remedy, added.place
    from added
    where audit.is_part_of(found.*::audit.standing_violations, added.object)
    order by added.object = found.object limit 1
  ) whole on true
  order by coalesce(whole.place, found.place, placed.place), coalesce(whole.object <> found.object, false), -- the cause first
    array_position(array['critical', 'serious', 'notice'], coalesce(found.severity, rules.severity)), found.rule, found.kind = 'sequence', found.object, found.detail
$$;
comment on function audit.examine is 'The rows of audit.findings, with pinned settings.';
grant execute on function audit.examine to auditor;

create view audit.findings as
select * from audit.examine();
comment on view audit.findings is 'Violated invariants: severity, object, what is wrong, what is expected, why it matters, and the remedy. No row if all invariants hold.';
grant select on audit.findings to auditor;
