/**
 * Two clusters with the same master key, and logical replication at the source. A subscription leaves traces in the whole
 * cluster, which audits of other tests would find, so both are clusters of their own.
 */
import { auditedDatabase } from "./audited.ts";
import { type Cluster, clusterVariable, startCluster, stopCluster } from "./cluster.ts";
import type { TestDatabase } from "./database.ts";

export type TwoCells = { source: TestDatabase; target: TestDatabase; end(): Promise<void> };

export async function twoCells(): Promise<TwoCells> {
  const shared = process.env[clusterVariable];
  try {
    await startCluster();
    const target = await auditedDatabase();
    const { dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
    await startCluster({ wal_level: "logical" }, dataDir);
    const source = await auditedDatabase();
    return {
      source,
      target,
      async end() {
        await Promise.all([source.drop(), target.drop()]);
        await stopCluster();
      },
    };
  } finally {
    process.env[clusterVariable] = shared;
  }
}
