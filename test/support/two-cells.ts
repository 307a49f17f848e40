/**
 * Two clusters, and logical replication at the source. A subscription leaves traces in the whole
 * cluster, which audits of other tests would find, so both are clusters of their own.
 */
import type { Settings } from "../../src/database/embedded/settings.ts";
import { auditedDatabase } from "./audited.ts";
import { clusterVariable, startCluster, stopCluster } from "./cluster.ts";
import type { TestDatabase } from "./database.ts";

export type TwoCells = {
  source: TestDatabase;
  target: TestDatabase;
  /** A further database of the cluster of `source`. */
  beside(): Promise<TestDatabase>;
  end(): Promise<void>;
};

/** @param settings of both servers, besides the settings of tests */
export async function twoCells(settings: Settings = {}): Promise<TwoCells> {
  const shared = process.env[clusterVariable];
  try {
    await startCluster(settings);
    const target = await auditedDatabase();
    await startCluster({ ...settings, wal_level: "logical" });
    const source = await auditedDatabase();
    const cluster = process.env[clusterVariable];
    const further: TestDatabase[] = [];
    return {
      source,
      target,
      async beside() {
        process.env[clusterVariable] = cluster;
        const db = await auditedDatabase().finally(() => {
          process.env[clusterVariable] = shared;
        });
        further.push(db);
        return db;
      },
      async end() {
        await Promise.all([source, target, ...further].map((db) => db.drop()));
        await stopCluster();
      },
    };
  } finally {
    process.env[clusterVariable] = shared;
  }
}
