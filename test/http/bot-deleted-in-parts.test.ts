/**
 * Deletion of a bot with more memories than one call erases. The worker erases the rest. (sql/jobs/deleted_bots.sql)
 */
import type { Client } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { insertMemories } from "../support/many-memories.ts";
import { begun } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";

const here = ownApiOfFile();

const left = async (bot: string) => {
  const [found] = await here.db.sql<{ memories: number; history: number; more: boolean }>(
    `select
       (select count(*)::int from app.memories where bot_id = bot.id) as memories,
       (select count(*)::int from app.memory_history where bot_id = bot.id) as history,
       bot.has_memories_left as more
     from app.bots bot where bot.id = $1`,
    [bot],
  );
  return found;
};

/** A bot with this many memories, each changed once. */
async function aBotWithMemories(ada: Member, count: number, visibility = "team"): Promise<string> {
  const { id: bot } = expectAnswer("create_bot", await ada.post("/bots", { name: "Elephant", visibility }));
  const organisation = ada.organisation.id;
  await insertMemories(here.db, { organisation, bot, subject: "Peanuts", count, changes: count });
  return bot;
}

/** The same with the triggers of memories, so that a search finds them. */
async function aBotWithSearchedMemories(ada: Member, count: number): Promise<string> {
  const bot = expectAnswer("create_bot", await ada.post("/bots", { name: "Elephant" }));
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, bot_id, kind, subject, value, provenance, source)
     select $1, 'bot', $2, 'note', 'Memory ' || n, 'Before', 'member', 'test' from generate_series(1, $3::int) n`,
    [ada.organisation.id, bot.id, count],
  );
  await here.db.sql("update app.memories set value = 'Elephants remember.' where bot_id = $1", [bot.id]);
  return bot.id;
}

test("delete_bot hides all memories at once, and the worker erases those above 1,000", async () => {
  const ada = await here.owner();
  const bot = await aBotWithSearchedMemories(ada, 2_300);
  const { body: kept } = await ada.post("/memories", {
    scope: "organisation",
    kind: "note",
    subject: "Door",
    value: "Elephants find it shut.",
  });
  const ids = (await ada.get(`/memories?botId=${bot}`)).body.data.map(({ id }: { id: string }) => id);
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot}`));
  const afterwards = await left(bot);
  expect(afterwards).toMatchObject({ memories: 1_300, more: true });
  expect(afterwards?.history).toBeGreaterThan(0);
  for (const id of ids) {
    expectRefusal(await ada.get(`/memories/${id}`), "not_found");
    expectRefusal(await ada.get(`/memories/${id}/history`), "not_found");
  }
  for (const path of ["/memories", "/memories?q=elephants", `/memories?asOf=${new Date().toISOString()}`]) {
    expect((await ada.get(path)).body.data.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
  }
  const worker = await testWorker(here.db);
  try {
    await eventually(async () => !(await left(bot))?.more);
  } finally {
    await worker.stop();
  }
  expect(await left(bot)).toEqual({ memories: 0, history: 0, more: false });
  expectAnswer("get_memory", await ada.get(`/memories/${kept.id}`));
  const [audited] = await here.db.sql(
    `select count(*)::int as count, count(*) filter (where actor = 'worker')::int as later
     from app.audit_log where organisation_id = $1 and resource = 'memory' and action = 'deleted'`,
    [ada.organisation.id],
  );
  expect(audited).toEqual({ count: 2_300, later: 1_300 });
});

test("delete_memories_of_bots works on one bot per worker at a time", async () => {
  const ada = await here.owner();
  const bots = [await aBotWithMemories(ada, 1_010), await aBotWithMemories(ada, 1_010)];
  for (const bot of bots) expectAnswer("delete_bot", await ada.delete(`/bots/${bot}`));
  const forget = async (by: Client) => (await by.query("select jobs.delete_memories_of_bots() as more")).rows[0].more;
  const workers = [await begun(here.db, "worker"), await begun(here.db, "worker"), await begun(here.db, "worker")];
  expect(await Promise.all(workers.map(forget))).toEqual(expect.arrayContaining([true, true, false]));
  for (const worker of workers) await worker.query("commit");
  const nobody = { memories: 0, history: 0, more: false };
  expect(await Promise.all(bots.map(left))).toEqual([nobody, nobody]);
});

test("remove_member erases at most one call's share of memories across all personal bots of the member", async () => {
  const ada = await here.owner();
  const person = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", person);
  const bots: string[] = [];
  for (let made = 0; made < 3; made += 1) bots.push(await aBotWithMemories(bob, 500, "personal"));
  expectAnswer("remove_member", await ada.delete(`/members/${person}`));
  const all = await Promise.all(bots.map(left));
  expect(all.map((found) => found?.memories).toSorted()).toEqual([0, 500, 500]);
  expect(all.filter((found) => found?.more)).toHaveLength(2);
  while ((await here.db.sql("select jobs.delete_memories_of_bots() as more"))[0]?.more);
  expect(await Promise.all(bots.map(left))).toEqual(bots.map(() => ({ memories: 0, history: 0, more: false })));
});

test("delete_bot erases 1,000 memories in one call", async () => {
  const ada = await here.owner();
  const bot = await aBotWithMemories(ada, 1_000);
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot}`));
  expect(await left(bot)).toEqual({ memories: 0, history: 0, more: false });
});

test("delete_memories_of_bots skips locked memories without waiting and erases them later", async () => {
  const ada = await here.owner();
  const bot = await aBotWithMemories(ada, 1_010);
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot}`));
  const holder = await begun(here.db);
  await holder.query("select from app.memories where bot_id = $1 for update", [bot]);
  const forget = async () => (await here.db.sql("select jobs.delete_memories_of_bots() as more"))[0]?.more;
  expect(await forget()).toBe(false); // while the memories are locked
  expect(await left(bot)).toMatchObject({ memories: 10, more: true });
  await holder.query("rollback");
  expect(await forget()).toBe(true);
  expect(await left(bot)).toEqual({ memories: 0, history: 0, more: false });
});
