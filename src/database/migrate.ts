/**
 * Migrating: roles, the worker's own schema, the committed migrations, then all definitions, then the partitions of
 * the next weeks, under one lock. Run again, it changes nothing; killed half-way, it is completed by the next run;
 * started twice, the second waits for the first.
 */
import { runMigrations as migrateWorker, Logger as WorkerLogger } from "graphile-worker";
import { Client } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { appliedDigest, applyDefinitions, definitionsDigest } from "./definitions.ts";
import { ensureDatabase, ensureRoles, whileWorkerMayCreate } from "./roles.ts";
import { migrateTables } from "./tables.ts";
import { urlAs } from "./urls.ts";

/** 18.4 fixed eleven holes. */
const oldestServer = 180004;
const lockOfMigrations = 20251121;
const silent = () => () => {};

export type Migration = {
  /** May make roles, and schemas in the database that it names. */
  adminUrl: string;
  key: MasterKey;
  /** Rebuild the definitions although their text has not changed: whatever was altered by hand is put right. */
  rebuild: boolean;
  progress?: (sentence: string) => void;
};

/**
 * Brings a database to the state that this version needs.
 *
 * @throws Error in a sentence when the server is too old, a role's name is taken, or a file is refused.
 */
export async function migrate({ adminUrl, key, rebuild, progress = () => {} }: Migration): Promise<void> {
  const admin = await connect(adminUrl);
  try {
    await requireServer(admin);
    await admin.query("select pg_advisory_lock($1)", [lockOfMigrations]);
    await ensureRoles(admin, key);
    await ensureDatabase(admin);

    progress("Bringing the tables up to date");
    await whileWorkerMayCreate(admin, () =>
      migrateWorker({ connectionString: urlAs("worker", adminUrl, key), logger: new WorkerLogger(silent) }),
    );

    const ownerUrl = urlAs("owner", adminUrl, key);
    const owner = await connect(ownerUrl);
    try {
      await migrateTables(owner, ownerUrl);
      if (rebuild || (await appliedDigest(owner)) !== definitionsDigest()) {
        progress("Building the definitions");
        await applyDefinitions(owner);
      }
      await owner.query("select jobs.make_partitions('1 minute')");
    } finally {
      await owner.end();
    }
  } finally {
    await admin.end();
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {}); // a lost connection is told by the query that meets it
  await client.connect();
  return client;
}

async function requireServer(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const [server] = rows;
  if (server && server.number < oldestServer) {
    throw new Error(`Botstead needs PostgreSQL 18.4 or later; this server is ${server.name}.`);
  }
}
