/**
 * Invariants that keep the tables ready to be distributed by organisation over several nodes, by Citus or by hand
 * (bench/notes/citus.md). They check the documented rules of Citus against the catalogue, without Citus.
 */
import type { Invariant } from "./invariants.ts";

/**
 * Tables of no organisation. On every node: joined with rows of tenants or referenced by them, and seldom written. On one
 * node: tables of the service itself, never joined with rows of tenants.
 */
export const placed = {
  "every node": ["people", "limits", "retry_schedule", "service_settings", "model_prices", "operator_tokens"],
  "one node": [
    "platform_keys",
    "executors",
    "models",
    "maintenance",
    "worker_pools",
    "locks",
    "signing_keys",
    "operator_commands",
    "operator_sessions",
    "refused_credentials",
    "definition_builds",
    "built_catalogues",
    "accepted_findings",
    "audit_tree",
    "audit_tiles",
    "audit_checkpoints",
    "audit_cosignatures",
  ],
};

/**
 * Unique across organisations: digests of 32 random bytes, which identify the organisation of a caller. With
 * distributed tables they move to a directory from digest to organisation.
 */
const directory = [
  "api_keys.digest",
  "invitations.token_digest",
  "approvals.token_digest",
  "hooks.secret_digest",
  "portal_sessions.link_digest",
  "portal_sessions.session_digest",
  "authorization_codes.digest",
];

const values = (rows: [string, string][]) => rows.map(([one, other]) => `('${one}', '${other}')`).join(", ");

const tables = `
  listed (name, place) as (
    values ${values(Object.entries(placed).flatMap(([place, names]) => names.map((name): [string, string] => [name, place])))}
  ), tables as (
    select class.oid, class.relname::text as name, listed.place, attribute.attnum as key, attribute.atttypid, attribute.attnotnull
    from pg_class class
    left join listed on listed.name = class.relname
    left join pg_attribute attribute on attribute.attrelid = class.oid and not attribute.attisdropped
      and attribute.attname = case class.relname when 'organisations' then 'id' else 'organisation_id' end
    where class.relnamespace = 'app'::regnamespace and class.relkind in ('r', 'p')
  )`;

export const distributionInvariants: Invariant[] = [
  {
    name: "each table is stored with its organisation, on every node, or on one node, as listed",
    violations: `
      with ${tables}
      select name || ' has no place' from tables where key is null and place is null
      union all
      select name || ' is stored with its organisation and on ' || place from tables where key is not null and place is not null
      union all
      select listed.name || ' is no table' from listed where listed.name not in (select name from tables)
      union all
      select name || '.' || attname || ' does not identify one node' from tables
      join pg_attribute on attrelid = oid and attnum = key
      where tables.atttypid <> 'uuid'::regtype or not tables.attnotnull`,
  },
  {
    name: "a unique index includes the organisation, because one node can check only its own rows",
    violations: `
      with ${tables}
      select tables.name || '.' || index.indexrelid::regclass::text
      from tables
      join pg_index index on index.indrelid = tables.oid and (index.indisunique or index.indisexclusion)
      where tables.key is not null and tables.key <> all (index.indkey)
        and (index.indnkeyatts > 1 or not exists (
          select from pg_attribute attribute
          where attribute.attrelid = tables.oid and attribute.attnum = index.indkey[0]
            and tables.name || '.' || attribute.attname in (${directory.map((column) => `'${column}'`)})
        ))`,
  },
  {
    name: "both sides of a reference are stored on one node",
    violations: `
      with ${tables}
      select source.name || '.' || reference.conname || ' refers to ' || target.name
      from pg_constraint reference
      join tables source on source.oid = reference.conrelid
      join tables target on target.oid = reference.confrelid
      where reference.contype = 'f' and (case
        when source.key is not null and target.key is not null then exists (
          select from unnest(reference.conkey, reference.confkey) as pair (ours, theirs)
          where pair.ours = source.key and pair.theirs = target.key
        )
        when target.place = 'every node' then true
        else source.place = 'one node' and target.place = 'one node'
      end) is not true`,
  },
];
