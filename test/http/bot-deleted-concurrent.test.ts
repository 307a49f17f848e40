/** Writes to a bot during its deletion go with it or are refused, in every order. */
import { randomUUID } from "node:crypto";
import type { Client, Pool } from "pg";
import { type At, botWriters, call, type Writing, work } from "../support/bot-writers.ts";
import { apiOfFile } from "../support/callers.ts";
import { handExecutor } from "../support/hand-executor.ts";
import { begun, untilWaiting } from "../support/transactions.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner", 2);
});

/** A bot to be deleted, with a blocked run, and a second bot. */
async function fixture(): Promise<At & { blocked: string }> {
  const ada = await here.owner();
  const model = `hand-${randomUUID()}`;
  const made = async (name: string) => (await ada.post("/bots", { name, model })).body.id as string;
  const executor = await handExecutor(here.db, pool, [model]);
  const at = { db: here.db, ada, executor, bot: await made("Guide"), other: await made("Other") };
  const run = await work(at, at.bot);
  await executor.block(run);
  return { ...at, blocked: run.runId };
}

/** The writer's outcome: `written`, or the code of its refusal. */
async function write(by: Client, { text, values }: Writing): Promise<string> {
  try {
    const answer = (await by.query<{ answer: string }>(text, values)).rows[0]?.answer ?? "";
    return /"refusal" ?: ?"(\w+)"/.exec(answer)?.[1] ?? (answer === "elsewhere" ? answer : "written");
  } catch (error) {
    return (error as Error).message;
  }
}

async function expectNothingLeft({ bot }: At): Promise<void> {
  const [left] = await here.db.sql(
    `select
       (select count(*)::int from app.runs where bot_id = $1 and state not in ('completed', 'failed', 'cancelled')) as runs,
       (select count(*)::int from app.routines where bot_id = $1 and deleted_at is null) as routines,
       (select count(*)::int from app.hooks where bot_id = $1 and deleted_at is null) as hooks,
       (select count(*)::int from app.memories where bot_id = $1) as memories`,
    [bot],
  );
  expect(left).toEqual({ runs: 0, routines: 0, hooks: 0, memories: 0 });
}

describe.each(Object.entries(botWriters))("%s", (_, [writing, late]) => {
  test("goes with the bot when written before the deletion", async () => {
    const at = await fixture();
    const what = await writing(at);
    const writer = await begun(here.db, what.role);
    expect(await write(writer, what)).toBe("written");
    const deleted = at.ada.delete(`/bots/${at.bot}`);
    await untilWaiting(here.db, 1, deleted);
    await writer.query("commit");
    expect((await deleted).status).toBe(200);
    await expectNothingLeft(at);
  });

  test("is refused when written before the deletion commits", async () => {
    const at = await fixture();
    const what = await writing(at);
    const [deleting, writer] = [await begun(here.db, "server"), await begun(here.db, what.role)];
    expect(await write(deleting, call(at.ada.key.digest, "delete_bot", { id: at.bot }))).toBe("written");
    const written = write(writer, what).finally(() => writer.query("commit"));
    await untilWaiting(here.db, 1, written);
    await deleting.query("commit");
    expect(await written).toBe(late);
    await expectNothingLeft(at);
  });

  test("causes no deadlock when written during the deletion", async () => {
    const at = await fixture();
    const what = await writing(at);
    const [holding, writer] = [await begun(here.db), await begun(here.db, what.role)];
    await holding.query("select from app.runs where id = $1 for no key update", [at.blocked]);
    const deleted = at.ada.delete(`/bots/${at.bot}`);
    await untilWaiting(here.db, 1, deleted);
    const written = write(writer, what).finally(() => writer.query("commit"));
    await untilWaiting(here.db, 2, written);
    await holding.query("commit");
    expect([late, "written"]).toContain(await written);
    expect((await deleted).status).toBe(200);
    await expectNothingLeft(at);
  });
});
