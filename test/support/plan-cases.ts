/** Tests of the plans that PostgreSQL makes for what the product does: the indexes, and how many rows they read. */
import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { operations } from "../../src/contract/operations.ts";
import type { LoginRole } from "../../src/database/roles.ts";
import type { TestDatabase } from "./database.ts";
import { allowedOf, plansOf, rowsOf, waysOf } from "./plans.ts";

export type PlanCase = {
  role: LoginRole;
  work: (client: Client) => Promise<unknown>;
  /** The allowed indexes of each table, and the maximum of its weekly or daily partitions. */
  reads: Record<string, number>;
  /** The maximum of rows read. */
  rows: number;
  /** The maximum of rows of one sort. Defaults to a page. */
  sorted?: number;
  /** Tables whose reads count for this case, in addition to the tables of all cases. */
  tables?: string[];
};

/** The look-up of an idempotent response. */
const ofEachPost = { "idempotency_records by idempotency_records_pkey": 3 };

/** Functions, because the rows of a case exist only after beforeAll. */
export type PlanCases = Record<string, () => PlanCase>;

/**
 * An operation that succeeds, with the digest of an API key.
 *
 * @param idempotency the digest of an Idempotency-Key. Defaults to a new one for a POST
 */
export const callOperation =
  (key: Buffer, operation: string, input: object, idempotency?: Buffer) => async (client: Client) => {
    const isPost = operations.some(({ name, method }) => name === operation && method === "post");
    const { rows } = await client.query<{ answer: string }>(
      "select api.handle($1, $2, $3, null, uuidv7(), $4, sha256('same'), null) as answer",
      [
        key,
        operation,
        JSON.stringify({ list: "00000000", limit: 50, ...input }),
        idempotency ?? (isPost ? randomBytes(32) : null),
      ],
    );
    expect(rows[0]?.answer).toMatch(/^\{"status" ?: ?2/);
  };

/** Cases of operations with the key of a test file: the allowed indexes, and the maximum of rows read. */
export const operationCases =
  (key: () => Buffer) =>
  (operation: string, input: () => object, reads: PlanCase["reads"], rows: number) =>
  (): PlanCase => ({ role: "server", work: callOperation(key(), operation, input()), reads, rows });

/** @param tables whose reads count, in addition to reads of partitions */
export function testPlans(db: () => TestDatabase, cases: PlanCases, tables: string[] = []): void {
  describe.each(Object.entries(cases))("%s", (_name, makeCase) => {
    test.each([
      ["a generic plan uses the allowed indexes", "force_generic_plan"],
      ["a custom plan uses the allowed indexes", "force_custom_plan"],
    ] as const)("%s", async (_, mode) => {
      const { role, work, reads, rows, sorted = 51, tables: own = [] } = makeCase();
      const plans = await plansOf(db(), role, mode, work, [...tables, ...own]);
      expect(plans).not.toEqual([]);
      const ways = waysOf(plans);
      expect(ways).toEqual(allowedOf(ways, { ...ofEachPost, ...reads }));
      // A week that begins today has few rows, for which any index is as good.
      const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
      const old = plans.flatMap(({ reads }) => reads).filter(({ week }) => week !== today);
      expect(rowsOf(old)).toBeLessThanOrEqual(rows);
      expect(Math.max(...plans.map(({ maxSorted }) => maxSorted))).toBeLessThanOrEqual(sorted);
    });
  });
}
