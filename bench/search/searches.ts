/** The two compared searches: the search of the runner schema, and plain full-text search. Both return ids, best first. */
import type { Client } from "pg";
import type { LeasedRun } from "./leased-run.ts";

/** The search that executors call. */
export async function ourSearch(
  runner: Client,
  { organisation, run, lease }: LeasedRun,
  question: string,
  maximum = 5,
): Promise<string[]> {
  const { rows } = await runner.query({
    name: "search",
    text: "select runner.search_memories($1, $2, $3, $4, $5) as memories",
    values: [organisation, run, lease, question, maximum],
  });
  return rows[0].memories.map((memory: { id: string }) => memory.id);
}

/**
 * Plain full-text search over the same memories with PostgreSQL's own means: any word of the question, ranked by ts_rank_cd,
 * with the same index and without row-level security.
 */
export async function plainSearch(
  admin: Client,
  organisation: string,
  language: string,
  question: string,
  maximum = 5,
): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>({
    name: "plain",
    text: `select memory.id
       from app.memories memory,
         (select replace(plainto_tsquery($2::regconfig, $3)::text, '&', '|')::tsquery as lexemes) query
       where memory.organisation_id = $1
         and search.keyed(memory.organisation_id, memory.search_vector) @@ search.keyed($1, query.lexemes)
       order by ts_rank_cd(memory.search_vector, query.lexemes) desc, memory.id desc
       limit $4`,
    values: [organisation, language, question, maximum],
  });
  return rows.map(({ id }) => id);
}
