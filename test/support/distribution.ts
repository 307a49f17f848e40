/**
 * Walls that keep the tables ready to be distributed by organisation over several nodes, by Citus or by hand: what docs/scaling.md
 * says of them. Citus itself is not asked; these are the rules that it states for tables, read from the catalogue.
 */
import type { Wall } from "./walls.ts";

/**
 * Tables of no organisation. On every node: read beside rows of tenants, or referred to by them, and seldom written. On one
 * node: of the service itself, and joined to no tenant's rows.
 */
export const placed = {
  "every node": ["people", "delivery_ladder", "service_settings", "model_prices", "operator_tokens"],
  "one node": ["platform_keys", "executors", "sweep", "operator_sessions", "definitions"],
};

/**
 * Unique whatever the organisation: the digests of 32 random bytes by which a caller is found before it is known whose they are.
 * They move into a directory, digest to organisation, when tables are distributed.
 */
const directory = ["api_keys.digest", "invitations.token_digest", "approvals.token_digest", "hooks.secret_digest"];

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

export const distributionWalls: Wall[] = [
  {
    name: "each table lies with its organisation, on every node, or on one, as is said of it",
    breaches: `
      with ${tables}
      select name || ' lies nowhere' from tables where key is null and place is null
      union all
      select name || ' lies with its organisation and on ' || place from tables where key is not null and place is not null
      union all
      select listed.name || ' is no table' from listed where listed.name not in (select name from tables)
      union all
      select name || '.' || attname || ' does not tell one node' from tables
      join pg_attribute on attrelid = oid and attnum = key
      where tables.atttypid <> 'uuid'::regtype or not tables.attnotnull`,
  },
  {
    name: "what is unique is so within an organisation, which is all that one node can tell",
    breaches: `
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
    name: "what refers and what is referred to lie on one node",
    breaches: `
      with ${tables}
      select source.name || '.' || held.conname || ' refers to ' || target.name
      from pg_constraint held
      join tables source on source.oid = held.conrelid
      join tables target on target.oid = held.confrelid
      where held.contype = 'f' and (case
        when source.key is not null and target.key is not null then exists (
          select from unnest(held.conkey, held.confkey) as pair (ours, theirs)
          where pair.ours = source.key and pair.theirs = target.key
        )
        when target.place = 'every node' then true
        else source.place = 'one node' and target.place = 'one node'
      end) is not true`,
  },
];
