/** Fingerprints of the rows of an organisation, one for each table, to detect changes. */
import type { TestDatabase } from "../support/database.ts";

/** Number and digest of the organisation's rows, by table. */
export type Fingerprints = Record<string, { rows: number; digest: string }>;

/** Tables that a refused call may change: the stored response, the key's last use, request counts. */
const mayChange = [
  "app.idempotency_records",
  "app.response_bytes",
  "app.response_rows",
  "app.api_key_uses",
  "app.api_key_days",
  "app.request_minutes",
  "app.request_counts",
];

export async function fingerprintsOf(db: TestDatabase, organisationId: string): Promise<Fingerprints> {
  const tables = await db.sql<{ name: string }>(
    `select class.oid::regclass::text as name
     from pg_class class
     join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'organisation_id'
     where class.relnamespace = 'app'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
       and class.oid::regclass::text <> all ($1)
     order by 1`,
    [mayChange],
  );
  const conditions: [name: string, condition: string][] = [
    ...tables.map(({ name }): [string, string] => [name, "tenant_row.organisation_id = $1"]),
    ["app.organisations", "tenant_row.id = $1"],
    ["app.people", "tenant_row.id in (select person_id from app.memberships where organisation_id = $1)"],
    ["graphile_worker._private_jobs", "position($1::uuid::text in tenant_row.payload::text) > 0"],
  ];
  const found = await Promise.all(
    conditions.map(async ([name, condition]) => {
      const [fingerprint] = await db.sql<{ rows: number; digest: string }>(
        `select count(*)::integer as rows, md5(coalesce(string_agg(tenant_row::text, E'\\n' order by tenant_row::text), '')) as digest
         from ${name} tenant_row where ${condition}`,
        [organisationId],
      );
      return [name, fingerprint ?? { rows: 0, digest: "" }] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** The tables that differ. */
export const changedTables = (before: Fingerprints, after: Fingerprints): string[] =>
  Object.keys(before).filter((name) => before[name]?.digest !== after[name]?.digest);
