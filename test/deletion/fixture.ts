/** Deletions of organisations on a test's database. (docs/leaving.md) */
import type { Pool } from "pg";
import { deleteOrganisations } from "../../src/worker/deletions.ts";
import { faultsOf, tamper, testCheckpoints } from "../support/checkpoints.ts";
import type { TestDatabase } from "../support/database.ts";
import { log } from "../support/logged.ts";
import { type OperatorLogin, operatorLogin } from "../support/operator-login.ts";
import { eventually } from "../support/worker.ts";

export type Deletions = {
  operator: OperatorLogin;
  checkpoints: ReturnType<typeof testCheckpoints>;
  schedule(organisation: string, waitDays?: number): Promise<void>;
  /** The waiting time of a scheduled deletion is over. */
  passWait(organisation: string): Promise<void>;
  /** A part of what a worker does in one round of maintenance. Returns whether there is more to do. */
  step(budgetMs?: number): Promise<boolean>;
  /** Schedules it, and takes all steps before the begin: every table is hidden in a step of its own. */
  hide(organisation: string): Promise<void>;
  /** Until no login sees a row of the organisation. */
  begin(organisation: string): Promise<void>;
  /** Until the receipt is there. No checkpoint between may have a fault. */
  end(organisation: string): Promise<Receipt>;
};

export type Receipt = {
  deleted: Record<string, number>;
  searched: Record<string, number>;
  places_left: Record<string, number>;
  mentioned_by_others: Record<string, number>;
  ended_at: Date | null;
  hash: Buffer | null;
  receipt: string | null;
};

export const receiptOf = async (db: TestDatabase, organisation: string): Promise<Receipt | undefined> =>
  (await db.sql<Receipt>("select * from app.organisation_deletions where organisation_id = $1", [organisation]))[0];

/** Tables that have rows of an organisation, also hidden ones. */
export const rowsOf = async (db: TestDatabase, organisation: string): Promise<string[]> => {
  const tables = await db.sql<{ quoted: string; key: string }>(
    "select quoted, key from service.moved_tables where not is_kept",
  );
  const counts = tables.map(
    ({ quoted, key }) => `select '${quoted}' as name from app.${quoted} where ${key} = $1 having count(*) > 0`,
  );
  return (await db.sql<{ name: string }>(counts.join(" union all "), [organisation])).map(({ name }) => name);
};

export async function deletionsOf(db: TestDatabase): Promise<Deletions> {
  const operator = await operatorLogin(db);
  const checkpoints = testCheckpoints(db);
  const worker: Pool = db.poolAs("worker", 2);
  const step = (budgetMs?: number) => deleteOrganisations(worker, log, budgetMs);
  const schedule = async (organisation: string, waitDays = 7) =>
    void (await operator.perform("schedule_organisation_deletion($1, 'Contract ended', $2)", [organisation, waitDays]));
  const passWait = (organisation: string) =>
    tamper(db, `update app.organisations set deletion_at = now() - interval '1 second' where id = '${organisation}'`);
  return {
    operator,
    checkpoints,
    step,
    schedule,
    passWait,
    async hide(organisation) {
      await schedule(organisation);
      await passWait(organisation);
      await eventually(async () => {
        if ((await db.sql("select from service.tables_without_hiding")).length === 0) return true;
        await step(0);
        return false;
      });
    },
    begin: (organisation) =>
      eventually(async () => {
        await step(0);
        return (await receiptOf(db, organisation)) !== undefined;
      }),
    async end(organisation) {
      let receipt: Receipt | undefined;
      await eventually(async () => {
        await step();
        expect(faultsOf(await checkpoints.run()) ?? []).toEqual([]);
        receipt = await receiptOf(db, organisation);
        expect(receipt?.places_left ?? {}).toEqual({});
        return receipt?.ended_at != null;
      }, 60_000);
      await eventually(async () => !(await step())); // the policies that hid its rows are dropped
      return receipt as Receipt;
    },
  };
}
