/**
 * Invariants of the definitions, which audit.findings does not check: it looks for changes made in a deployed database.
 * `violations` is a query whose rows name what violates the invariant. The other rules are in sql/audit/rules.sql, and
 * test/audit plants a fault for each.
 */
import { definitionFolders } from "./definition-folders.ts";

export type Invariant = { name: string; violations: string };

/** The schemas of definitions: each is a folder of sql/. */
const rebuilt = `(${definitionFolders.map((folder) => `'${folder}'`).join(", ")})`;

/** The columns that a role may read although they are not in `known`. */
const columnsRead = (role: string, known: Record<string, string[]>) => `
      select attrelid::regclass || '.' || attname
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace::regnamespace::text in ('app', 'partitions', 'api', 'operator', 'rows') and relkind in ('r', 'p', 'v')
        and attnum > 0 and not attisdropped and has_column_privilege('${role}', attrelid, attnum, 'select')
        and (attrelid::regclass::text, attname) not in (${Object.entries(known)
          .flatMap(([table, columns]) => columns.map((column) => `('app.${table}', '${column}')`))
          .join(", ")})`;

export const invariants: Invariant[] = [
  {
    name: "authenticator reads only the columns that identify the owner of a credential",
    violations: columnsRead("authenticator", {
      api_keys: [
        ...["organisation_id", "id", "digest", "scope", "created_by", "expires_at", "revoked_at", "suspended_at"],
        ...["allowed_ips", "rate_per_minute"],
      ],
      api_key_uses: ["organisation_id", "key_id", "last_used_at"],
      memberships: ["organisation_id", "person_id", "role"],
      organisations: ["id", "suspended_at"],
      platform_keys: ["id", "digest", "expires_at", "revoked_at"],
      // The link of an invitation opens only while its inviter could still send it.
      invitations: ["id", "token_digest", "organisation_id", "invited_by", "accepted_at"],
      approvals: ["id", "token_digest"],
      hooks: ["organisation_id", "id", "secret_digest", "deleted_at"],
    }),
  },
  {
    name: "searcher reads what finds memories and deliveries, and no subject, value or outcome",
    violations: columnsRead("searcher", {
      memories: [
        ...["organisation_id", "id", "scope", "bot_id", "member_id", "kind", "subject_key", "subject_kind"],
        ...["confidence", "valid_from", "valid_to", "provenance", "search_vector"],
      ],
      deliveries: ["organisation_id", "id", "endpoint_id", "event", "state"],
    }),
  },
  {
    name: "no column or constraint of app depends on a schema that is rebuilt",
    violations: `
      with rebuilt as (
        select oid, 'pg_proc'::regclass as class from pg_proc where pronamespace::regnamespace::text in ${rebuilt}
        union all
        select oid, 'pg_class'::regclass from pg_class where relnamespace::regnamespace::text in ${rebuilt}
        union all
        select oid, 'pg_type'::regclass from pg_type where typnamespace::regnamespace::text in ${rebuilt}
      )
      select pg_describe_object(classid, objid, objsubid)
      from pg_depend join rebuilt on rebuilt.oid = refobjid and rebuilt.class = refclassid
      left join pg_constraint on classid = 'pg_constraint'::regclass and pg_constraint.oid = objid
      left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
      left join pg_class on classid = 'pg_class'::regclass and pg_class.oid = objid
      where coalesce(nullif(connamespace, 0), (select relnamespace from pg_class where oid = adrelid), relnamespace)
        = 'app'::regnamespace`,
  },
  {
    name: "every table of tenants is listed as logged or unlogged, and every listed column exists",
    violations: `
      with tables as (
        select class.oid, class.relname as name
        from pg_class class
        where class.relnamespace = 'app'::regnamespace and class.relkind in ('r', 'p')
          and (class.relname in ('organisations', 'service_settings', 'retry_schedule') or exists (
            select from pg_attribute where attrelid = class.oid and attname = 'organisation_id' and not attisdropped
          ))
      ), listed as (
        select name from audit.logged_tables union all select name from audit.unlogged_tables
      )
      select coalesce(tables.name || ' is not listed', listed.name || ' is no table')
      from tables full join listed using (name) where tables.name is null or listed.name is null
      union all
      select name || ' is listed twice' from listed group by name having count(*) > 1
      union all
      select logged.name || '.' || listed || ' is no column'
      from audit.logged_tables logged, unnest(logged.shown || logged.ignored) listed
      where not exists (
        select from pg_attribute
        where attrelid = ('app.' || logged.name)::regclass and attname = listed and not attisdropped
      )`,
  },
  {
    name: "audit entries wait for all other deferred triggers and deferrable references of the transaction",
    violations: `
      select class.relname || '.' || deferred.tgname
      from pg_trigger deferred
      join pg_class class on class.oid = deferred.tgrelid and class.relnamespace = 'app'::regnamespace
      where deferred.tgdeferrable
        and deferred.tgfoid is distinct from to_regprocedure('triggers.tg_' || class.relname || '__log_change()')
        and deferred.tgfoid <> 'triggers.tg_audit_pending_entries__append()'::regprocedure
        and deferred.tgtype::integer & 28 & ~(
          select coalesce(bit_or(waiting.tgtype::integer), 0)
          from pg_trigger waiting
          where waiting.tgrelid = class.oid and waiting.tgfoid = 'triggers.defer_audit_entry()'::regprocedure
        ) <> 0`, // an event out of insert (4), delete (8) and update (16) that fires the first trigger and not the second
  },
  {
    name: "the audit log contains no free text: values are ids, states, numbers, times and reviewed texts",
    violations: `
      select logged.name || '.' || attname
      from audit.logged_tables logged
      join pg_attribute on attrelid = ('app.' || logged.name)::regclass and attname = any (logged.shown)
      join pg_type on pg_type.oid = atttypid
      left join pg_type element on element.oid = pg_type.typelem
      where coalesce(nullif(element.typtype, 'b'), pg_type.typtype) <> 'e'
        and pg_type.typname not in ('uuid', 'bool', 'int4', 'int8', 'float8', 'timestamptz', 'interval')
        and (logged.name, attname) not in (
          ('routines', 'schedule'), ('routines', 'time_zone'), ('third_party_restrictions', 'kind'),
          ('organisation_limits', 'name'), ('exports', 'manifest_hash')
        )`,
  },
];
