/** Removes the backups of a cluster except the newest, and the WAL that only the removed ones need. */
import { dirname } from "node:path";
import { type Backup, listBackups } from "./archive.ts";
import { remove } from "./base.ts";
import { removeWalBefore } from "./wal.ts";

/** @param newest stays; older ones of the same cluster count back from it @returns the names of removed files */
export function keepNewest(newest: Backup, count: number): string[] {
  const cluster = dirname(newest.folder);
  const ofCluster = listBackups(dirname(cluster)).filter(({ folder }) => dirname(folder) === cluster);
  const old = ofCluster.slice(0, Math.max(0, ofCluster.length - count));
  for (const { folder } of old) remove(folder);
  const oldest = ofCluster[old.length];
  if (oldest) removeWalBefore(oldest);
  return old.map(({ name }) => name);
}
