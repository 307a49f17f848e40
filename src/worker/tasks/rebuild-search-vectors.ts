/**
 * Rebuilds the search vectors of an organisation's memories in its language, one batch a transaction. A restarted job begins
 * again and skips vectors that are already right. (sql/jobs/search_vectors.sql)
 */
import type { Task } from "graphile-worker";

type Payload = { organisationId: string };

const nil = "00000000-0000-0000-0000-000000000000";

export const rebuildSearchVectors: Task = async (payload, { withPgClient }) => {
  const { organisationId } = payload as Payload;
  for (let after: string | null = nil; after; ) {
    const { rows } = await withPgClient((db) =>
      db.query<{ reached: string | null }>("select jobs.rebuild_search_vectors($1, $2) as reached", [
        organisationId,
        after,
      ]),
    );
    after = rows[0]?.reached ?? null;
  }
};
