/** Two clusters with the same master key: the source has logical replication, the target is the cluster of all tests. */
import { auditedDatabase } from "./audited.ts";
import { type Cluster, clusterVariable, startCluster, stopCluster } from "./cluster.ts";
import type { TestDatabase } from "./database.ts";

export type TwoCells = { source: TestDatabase; target: TestDatabase; end(): Promise<void> };

export async function twoCells(): Promise<TwoCells> {
  const shared = process.env[clusterVariable];
  const target = await auditedDatabase();
  await startCluster({ wal_level: "logical" }, (JSON.parse(shared ?? "{}") as Cluster).dataDir);
  try {
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
