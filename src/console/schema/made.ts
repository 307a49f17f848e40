/** The GraphQL schema, which PostGraphile makes from the schema `operator` of the database. */
import type { Pool } from "pg";
import { makeSchema } from "postgraphile";
import type { GraphQLSchema } from "postgraphile/graphql";

type Made = { schema: GraphQLSchema; definitions: string | undefined };

/**
 * Returns a function that makes the schema at its first call. Later calls make it again if that failed, or if the database had
 * the definitions of another version and has others now: a process may start before `botstead migrate` has run.
 *
 * @param definitions digest of this version's SQL definitions
 */
export function schemaOf(preset: GraphileConfig.Preset, pool: Pool, definitions: string): () => Promise<GraphQLSchema> {
  let made: Promise<Made> | undefined;

  async function make(): Promise<Made> {
    const found = await definitionsOf(pool); // before the catalogue, which a migration may change meanwhile
    return { schema: (await makeSchema(preset)).schema, definitions: found };
  }

  function begin(): Promise<Made> {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  }

  return async () => {
    const begun = begin();
    const { schema, definitions: found } = await begun;
    if (found === definitions || found === (await definitionsOf(pool))) return schema;
    if (made === begun) made = undefined;
    return (await begin()).schema;
  };
}

/** Digest of the definitions that the database has. */
async function definitionsOf(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ definitions: string }>("select definitions from operator.service");
  return rows[0]?.definitions;
}
