/** Whether the WAL of a backup reaches the archive. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

const timeoutMs = 60_000;

/**
 * Resolves to true when this WAL file is archived, or to false if the server archives none.
 *
 * @throws Error if it is not archived within a minute
 */
export async function untilArchived(admin: Client, wal: string): Promise<boolean> {
  const archived = `
    select current_setting('archive_mode') = 'on' as archives, left(last_archived_wal, 24) >= $1 as is_archived
    from pg_stat_archiver`;
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(200)) {
    const { rows } = await admin.query<{ archives: boolean; is_archived: boolean | null }>(archived, [wal]);
    if (rows[0]?.is_archived) return true;
    if (!rows[0]?.archives) return false;
  }
  throw new Error("The backup is complete, but PostgreSQL does not archive its WAL. postgres.log has the reason.");
}
