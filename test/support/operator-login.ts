/** Calls operator actions as the console does: in transactions that present the digest of an operator token. */
import type { PoolClient } from "pg";
import { mintToken } from "./console.ts";
import type { TestDatabase } from "./database.ts";

export type OperatorLogin = {
  /** `operator.<call>`, committed. @throws the database's error */
  // biome-ignore lint/suspicious/noExplicitAny: each action has its own result
  perform(call: string, values: unknown[]): Promise<any>;
  /** Performs the action without commit. */
  begin(call: string, values: unknown[]): Promise<PoolClient>;
};

export async function operatorLogin(db: TestDatabase): Promise<OperatorLogin> {
  const { digest } = await mintToken(db, "act");
  const pool = db.poolAs("operator", 4);

  async function callAction(call: string, values: unknown[]): Promise<{ client: PoolClient; result: unknown }> {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("select set_config('caller.operator_credential', $1, true)", [digest.toString("hex")]);
      const { rows } = await client.query<{ result: unknown }>(`select operator.${call} as result`, values);
      return { client, result: rows[0]?.result };
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    async perform(call, values) {
      const { client, result } = await callAction(call, values);
      await client.query("commit");
      client.release();
      return result;
    },
    begin: async (call, values) => (await callAction(call, values)).client,
  };
}
