/** The action retry_runs, as the console calls it. */
import type { PoolClient } from "pg";
import type { TestDatabase } from "../support/database.ts";
import { operatorLogin } from "../support/operator-login.ts";

type Named = { id: string; name: string };
export type RetryResult = {
  retried: number;
  left: number;
  organisationsLeft: number;
  organisations: (Named & { left: number })[];
  done: (Named & { retried: number })[];
  refused: (Named & { code: string; reason: string | null })[];
};
type Filter = { organisation?: string; since?: Date; until?: Date };

export type OperatorRetries = {
  /** @param filter all organisations, and runs of the last minute, unless it says otherwise */
  retry(model: string, mode: "preview" | "retry", filter?: Filter): Promise<RetryResult>;
  /** Retries without commit. */
  beginRetry(model: string, filter?: Filter): Promise<PoolClient>;
  /** Any other action without commit. */
  begin(call: string, values: unknown[]): Promise<PoolClient>;
  /** The retried ones of these runs, once for each retry, in the order of the retries. */
  retriesOf(ids: string[]): Promise<string[]>;
};

export async function operatorRetries(db: TestDatabase): Promise<OperatorRetries> {
  const operator = await operatorLogin(db);
  const call = "retry_runs($1, $2, $3, $4, $5, 'The model was away')";
  const values = (model: string, mode: string, { organisation, since, until }: Filter = {}) => [
    ...[organisation ?? null, model, since ?? new Date(Date.now() - 60_000), until ?? null, mode],
  ];
  return {
    retry: (model, mode, filter) => operator.perform(call, values(model, mode, filter)),
    beginRetry: (model, filter) => operator.begin(call, values(model, "retry", filter)),
    begin: operator.begin,
    async retriesOf(ids) {
      const retries = await db.sql<{ of: string }>(
        `select retry_of as "of" from app.runs where retry_of = any ($1) order by organisation_id, id`,
        [ids],
      );
      return retries.map(({ of }) => of);
    },
  };
}
