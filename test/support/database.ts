/** A database for one test file, cloned from the template, with functions that insert rows as administrator. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, Pool, type PoolConfig, type QueryResultRow } from "pg";
import { type LoginRole, loginRoles } from "../../src/database/roles.ts";
import { urlAs, urlOfDatabase } from "../../src/database/urls.ts";
import { type Credential, makeCredential } from "../../src/secrets/credentials.ts";
import { loadMasterKey, type MasterKey } from "../../src/secrets/master-key.ts";
import { type Cluster, clusterVariable, template } from "./cluster.ts";

export type TestDatabase = {
  adminUrl: string;
  key: MasterKey;
  /** In the format of the setting MASTER_KEY. */
  masterKey: string;
  /** Data folder of the cluster; its log is postgres.log. */
  dataDir: string;
  /** As administrator, not subject to RLS. */
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Connections of a role, closed with the database. */
  poolAs(role: LoginRole, max?: number): Pool;
  /** A pool of the administrator, closed with the database unless the test closed it. */
  adminPool(config: PoolConfig): Pool;
  /** Closes all connections, so that the database can be cloned. */
  close(): Promise<void>;
  drop(): Promise<void>;
};

export async function testDatabase(): Promise<TestDatabase> {
  const { url } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await createDatabase(url, name, template);
  return databaseOf(name);
}

/** A database of the tests' cluster. */
export function databaseOf(name: string): TestDatabase {
  const { url, dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const adminUrl = urlOfDatabase(name, url);
  const admin = new Pool({ connectionString: adminUrl, max: 4 });
  const pools = [admin];
  expectLosses(admin);
  const close = async () => {
    await Promise.all(pools.filter(({ ended }) => !ended).map((pool) => pool.end()));
  };
  return {
    adminUrl,
    key,
    masterKey: readFileSync(join(dataDir, "master.key"), "utf8").trim(),
    dataDir,
    sql: async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      (await admin.query<Row>(text, values)).rows,
    poolAs(role, max = 10) {
      const pool = new Pool({ connectionString: urlAs(role, adminUrl, key), max });
      expectLosses(pool);
      pools.push(pool);
      return pool;
    },
    adminPool(config) {
      const pool = new Pool({ connectionString: adminUrl, ...config });
      expectLosses(pool);
      pools.push(pool);
      return pool;
    },
    close,
    async drop() {
      await close();
      await once(url, `drop database ${name} with (force)`);
    },
  };
}

/** The database is dropped under connections that are closing. Their errors are not failures of a test. */
function expectLosses(pool: Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
}

/**
 * A clone of `from`, never open to PUBLIC: audits of other tests would find it. Copying its files takes less processor time
 * than PostgreSQL's default, which logs each page.
 */
export const createDatabase = (url: string, name: string, from: string): Promise<void> =>
  once(
    url,
    `create database ${name} template ${from} strategy file_copy allow_connections false`,
    `revoke connect on database ${name} from public`,
    ofLogins(name),
    `alter database ${name} allow_connections true`,
  );

/** Lets the logins connect that the cluster has. */
const ofLogins = (name: string): string => `
  do $$
  begin
    execute (
      select coalesce('grant connect on database ${name} to ' || string_agg(rolname, ', '), 'select')
      from pg_roles where rolname in ('${loginRoles.join("', '")}')
    );
  end
  $$`;

/** `create database` fails while another process clones the template, so it is retried. */
async function once(url: string, statement: string, ...then: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await client.query(statement);
        for (const each of then) await client.query(each);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== "55006" || tries === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100)); // while another session clones the template
      }
    }
  } finally {
    await client.end();
  }
}

export type Organisation = { id: string; ownerId: string; email: string };

let made = 0;

/** A paying organisation with its owner. */
export async function makeOrganisation(
  db: Pick<TestDatabase, "sql">,
  { kind = "team", billing = "active" }: { kind?: "team" | "personal"; billing?: "trial" | "active" | "none" } = {},
): Promise<Organisation> {
  made += 1;
  const email = `owner${made}.${process.pid}@example.test`;
  const [created] = await db.sql<{ id: string; owner: string }>(
    `with created as (select operator.create_organisation($1, $2, $3, 'Olga Owner') as id)
     select created.id, (select id from app.people where email = $3) as owner from created`,
    [`Organisation ${made}`, kind, email],
  );
  if (!created) throw new Error("no organisation was made");
  await db.sql("update app.organisations set billing_state = $2 where id = $1", [created.id, billing]);
  const [owner] = await db.sql<{ id: string }>("select id from app.people where email = $1", [email]);
  return { id: created.id, ownerId: owner?.id ?? "", email };
}

/**
 * @param maximums by the names of GET /me; null for no limit
 * @param organisationId null for every organisation
 */
export const setLimits = (
  db: { sql: (text: string, values: unknown[]) => Promise<unknown> },
  organisationId: string | null,
  maximums: Record<string, number | string | null>,
) =>
  db.sql(
    `insert into app.organisation_limits (organisation_id, name, maximum)
     select organisation.id, entry.key, entry.value::bigint
     from app.organisations organisation, jsonb_each_text($2) entry
     where organisation.id = coalesce($1, organisation.id)
     on conflict (organisation_id, name) do update set maximum = excluded.maximum`,
    [organisationId, JSON.stringify(maximums)],
  );

/** A further person in an organisation. */
export async function makeMember(
  db: TestDatabase,
  organisationId: string,
  role: "member" | "admin" | "owner",
): Promise<string> {
  made += 1;
  const [person] = await db.sql<{ id: string }>("insert into app.people (email) values ($1) returning id", [
    `person${made}.${process.pid}@example.test`,
  ]);
  await db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, $3)", [
    organisationId,
    person?.id,
    role,
  ]);
  return person?.id ?? "";
}

export type TestKey = Credential & { id: string };

/** A key bound to a person. */
export async function makeKey(
  db: Pick<TestDatabase, "sql">,
  organisationId: string,
  personId: string,
  scope: "read" | "write" | "admin" = "admin",
): Promise<TestKey> {
  const credential = makeCredential("bsk");
  const [key] = await db.sql<{ id: string }>("select operator.insert_key($1, $2, 'test', $3, 90, $4, $5) as id", [
    organisationId,
    personId,
    scope,
    credential.prefix,
    credential.digest,
  ]);
  return { ...credential, id: key?.id ?? "" };
}

export async function makePlatformKey(db: TestDatabase): Promise<TestKey> {
  const credential = makeCredential("bsp");
  const [key] = await db.sql<{ id: string }>("select operator.mint_platform_key('test', 90, $1, $2) as id", [
    credential.prefix,
    credential.digest,
  ]);
  return { ...credential, id: key?.id ?? "" };
}

/** An executor that counts as alive for a day, so that runs can start without a worker. */
export async function makeExecutor(db: Pick<TestDatabase, "sql">, models = ["recall"]): Promise<string> {
  const id = randomUUID();
  await db.sql("select runner.heartbeat($1, 'test', $2)", [id, models]);
  await db.sql("update app.executors set last_seen_at = now() + interval '1 day' where id = $1", [id]);
  return id;
}

/** Models that an executor served recently and none serves now: bots may use them, and their runs wait. */
export const noteModels = (db: Pick<TestDatabase, "sql">, ...models: string[]) =>
  db.sql("select runner.note_served($1)", [models]);

/** Records maintenance as if a worker ran it, for a day, because `/readyz` checks the time of the last run. */
export const recordMaintenance = (db: Pick<TestDatabase, "sql">) =>
  db.sql("update app.maintenance set last_run_at = now() + interval '1 day'");
