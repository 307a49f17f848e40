/**
 * The words of an organisation's claims, taken anew in its language, a batch a transaction. (sql/jobs/words.sql.) Killed
 * half-way it begins again: what is right already is not written.
 */
import type { Task } from "graphile-worker";

type Payload = { organisationId: string };

const nil = "00000000-0000-0000-0000-000000000000";

export const takeWords: Task = async (payload, { withPgClient }) => {
  const { organisationId } = payload as Payload;
  for (let after: string | null = nil; after; ) {
    const { rows } = await withPgClient((db) =>
      db.query<{ reached: string | null }>("select jobs.take_words($1, $2) as reached", [organisationId, after]),
    );
    after = rows[0]?.reached ?? null;
  }
};
