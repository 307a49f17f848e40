/** Which of our triggers on claims a figure is measured without. Keys of other tables stay checked, as in any schema. */
import { Client, escapeIdentifier } from "pg";

/**
 * `trail`: all but what writes the trail. `none`: only what fills the column of words, which is a part of the row like
 * any other; so write those who have no rules in their database.
 */
export type Triggers = "trail" | "none";

const off: Record<Triggers, string> = {
  trail: "tgname like '%\\_trail\\_%'",
  none: "tgname <> '_200_take_words'",
};

/** Does `work` while they are switched off, and switches them on again. @throws Error when there is none to switch. */
export async function withTriggersOff<T>(adminUrl: string, which: Triggers, work: () => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ name: string }>(
      `select tgname as name from pg_trigger where tgrelid = 'app.memories'::regclass and not tgisinternal and ${off[which]}`,
    );
    if (rows.length === 0) throw new Error("No trigger was found that a figure is to be measured without.");
    const turn = (state: "enable" | "disable") =>
      admin.query(
        `alter table app.memories ${rows.map(({ name }) => `${state} trigger ${escapeIdentifier(name)}`).join(", ")}`,
      );
    await turn("disable");
    try {
      return await work();
    } finally {
      await turn("enable");
    }
  } finally {
    await admin.end();
  }
}
