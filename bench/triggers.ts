/** Disables triggers on app.memories during a measurement. Foreign keys stay enabled, as in any schema. */
import { Client, escapeIdentifier } from "pg";

/** `all-but-search` keeps the trigger that fills the search vector, which is part of the row in every system. */
export type Triggers = "audit-log" | "all-but-search";

const conditions: Record<Triggers, string> = {
  "audit-log": "tgname like '%_log_%'",
  "all-but-search": "tgname <> '_200_set_search_vector'",
};

/** Runs `work` while the triggers are disabled, and enables them again. @throws Error when no trigger matches. */
export async function withTriggersOff<T>(adminUrl: string, which: Triggers, work: () => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ name: string }>(
      `select tgname as name from pg_trigger
       where tgrelid = 'app.memories'::regclass and not tgisinternal and ${conditions[which]}`,
    );
    if (rows.length === 0)
      throw new Error(`No trigger matches "${which}": update the conditions in bench/triggers.ts.`);
    const setState = (state: "enable" | "disable") =>
      admin.query(
        `alter table app.memories ${rows.map(({ name }) => `${state} trigger ${escapeIdentifier(name)}`).join(", ")}`,
      );
    await setState("disable");
    try {
      return await work();
    } finally {
      await setState("enable");
    }
  } finally {
    await admin.end();
  }
}
