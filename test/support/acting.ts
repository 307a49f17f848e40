/** An operator who acts, as the console has the database do it: a transaction that presents the digest of their token. */
import type { PoolClient } from "pg";
import { mintToken } from "./console.ts";
import type { TestDatabase } from "./database.ts";

export type Acting = {
  /** `operator.<call>`, committed. @throws the database's error */
  // biome-ignore lint/suspicious/noExplicitAny: each act has an answer of its own
  act(call: string, values: unknown[]): Promise<any>;
  /** The same up to its commit, which the test does. */
  begin(call: string, values: unknown[]): Promise<PoolClient>;
};

export async function acting(db: TestDatabase): Promise<Acting> {
  const { digest } = await mintToken(db, "act");
  const pool = db.poolAs("operator", 4);

  async function ask(call: string, values: unknown[]): Promise<{ client: PoolClient; answer: unknown }> {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select set_config('caller.operator_credential', $1, true)", [digest.toString("hex")]);
      const { rows } = await client.query<{ answer: unknown }>(`select operator.${call} as answer`, values);
      return { client, answer: rows[0]?.answer };
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    async act(call, values) {
      const { client, answer } = await ask(call, values);
      await client.query("commit");
      client.release();
      return answer;
    },
    begin: async (call, values) => (await ask(call, values)).client,
  };
}
