/** A deletion that begins while a person is erased or a bot is deleted in parts. Neither waits for ever, and no row is left. */
import { outageReason } from "../../src/database/outage.ts";
import { digestOf } from "../../src/secrets/credentials.ts";
import { insertMemories } from "../support/many-memories.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";
import { type Deletions, deletionsOf, rowsOf } from "./fixture.ts";

let deletions: Deletions;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  deletions = await deletionsOf(office.db);
});

type Due = Customer & { id: string };

/** A bot with more memories than a call erases, and memories about a person. The deletion is due, and every table hidden. */
async function due(): Promise<Due> {
  const who = await customer(office);
  const { id } = who.organisation;
  await insertMemories(office.db, { organisation: id, bot: who.bot, subject: "Peanuts", count: 2_500, changes: 500 });
  await insertMemories(office.db, { organisation: id, subject: "Nuts", count: 100, changes: 10 });
  await deletions.hide(id);
  return { ...who, id };
}

const partsOfBots = ["select jobs.delete_memories_of_bots()", "select jobs.cancel_runs_of_bots()"];

test("a part of a bot's deletion and an erasure that are under way at the begin are waited for and undone, and no row is left", async () => {
  const who = await due();
  await who.ask("DELETE", `/bots/${who.bot}`);
  const part = await begun(office.db, "worker");
  expect((await part.query("select jobs.delete_memories_of_bots() as more")).rows).toEqual([{ more: true }]);
  const erasing = await begun(office.db);
  await erasing.query("select caller.authenticate($1, 'erase_memories')", [digestOf(who.key)]);
  await erasing.query("set local role tenant");
  await erasing.query("select api.erase_memories($1)", [
    JSON.stringify({ subjectKind: "third_party", subject: "Nuts" }),
  ]);
  await deletions.begin(who.id);
  for (const under of [part, erasing]) {
    for (let round = 0; round < 3; round += 1) await deletions.step();
    expect(await rowsOf(office.db, who.id)).toContain("memberships");
    await expect(under.query("commit")).rejects.toThrow('row-level security policy "botstead_move"');
  }
  await deletions.end(who.id);
  expect(await rowsOf(office.db, who.id)).toEqual([]);
});

test("a part of a bot's deletion that comes while rows are deleted finds no bot, at once", async () => {
  const who = await due();
  await who.ask("DELETE", `/bots/${who.bot}`);
  await deletions.begin(who.id);
  const deleting = await begun(office.db, "worker");
  for (let steps = 0; (await rowsOf(office.db, who.id)).includes("memories") && steps < 20; steps += 1) {
    // The rows are locked by the open transaction of the step.
    await deleting.query("select * from jobs.delete_organisations()");
    const part = await begun(office.db, "worker");
    for (const statement of partsOfBots) {
      expect(Object.values((await part.query(statement)).rows[0])).toEqual([false]);
    }
    await part.query("commit");
    await deleting.query("commit");
    await deleting.query("begin");
    await office.db.sql("update app.organisation_deletions set next_step_at = now() where ended_at is null");
  }
  await deleting.query("commit");
  await deletions.end(who.id);
  expect(await rowsOf(office.db, who.id)).toEqual([]);
});

test("erasures and deletions of bots that race with the begin and the steps are answered or unknown, and no row is left", async () => {
  const who = await due();
  const { api } = office;
  const bots = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, number) => (await who.ask("POST", "/bots", { name: `Ada ${number}` })).body.id,
    ),
  );
  let isOver = false;
  const statuses = new Set<number>();
  const reasons = new Set<string | undefined>();
  const erasing = async () => {
    while (!isOver) {
      const body = { subjectKind: "third_party", subject: "Nuts" };
      statuses.add((await api.call("POST", "/memories/erase", { key: who.key, body })).status);
    }
  };
  const deletingBots = async () => {
    for (const bot of [who.bot, ...bots])
      statuses.add((await api.call("DELETE", `/bots/${bot}`, { key: who.key })).status);
  };
  const inParts = async () => {
    const pool = office.db.poolAs("worker", 1);
    while (!isOver)
      for (const statement of partsOfBots)
        await pool.query(statement).catch((error) => void reasons.add(outageReason(error)));
  };
  const racing = [erasing(), deletingBots(), inParts()];
  await eventually(async () => statuses.size > 0);
  await deletions.end(who.id);
  await eventually(async () => statuses.has(401));
  isOver = true;
  await Promise.all(racing);
  expect([...statuses].filter((status) => ![200, 204, 401, 404, 429, 503].includes(status))).toEqual([]);
  expect([...reasons].filter((reason) => reason !== "organisation_elsewhere")).toEqual([]); // maintenance repeats it
  expect(await rowsOf(office.db, who.id)).toEqual([]);
});
