/** Locks rows in another session, so that a writer blocks at a known point. */
import { Client } from "pg";
import { eventually } from "../support/worker.ts";
import type { Fixture } from "./fixture.ts";

export type Hold = {
  /** Waits until a session blocks on these rows. */
  untilBlocked(): Promise<void>;
  /** Terminates each session that blocks on the rows, as a machine failure would. */
  endBlocked(): Promise<void>;
  release(): Promise<void>;
};

/** @param statement locks the rows */
export async function holdRows(
  { sql, databaseUrl }: Pick<Fixture, "sql" | "databaseUrl">,
  statement: string,
  values: unknown[] = [],
): Promise<Hold> {
  const client = new Client({ connectionString: databaseUrl() });
  client.on("error", () => {}); // after a failed test the locks end with its database
  await client.connect();
  await client.query("begin");
  await client.query(statement, values);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const blocked = "from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";
  const count = async (select: string) => (await sql(`${select} ${blocked}`, [rows[0]?.pid])).length;
  return {
    untilBlocked: () => eventually(async () => (await count("select")) > 0),
    async endBlocked() {
      await count("select pg_terminate_backend(pid)");
      await eventually(async () => (await count("select")) === 0);
    },
    async release() {
      await client.query("rollback");
      await client.end();
    },
  };
}
