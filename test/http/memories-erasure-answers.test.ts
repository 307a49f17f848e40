/** Erasure blanks bot messages that cite an erased memory. (docs/specification/memories.md#erasure) */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { endless, type HandExecutor, handExecutor, leased } from "../support/hand-executor.ts";
import { tablesWithText } from "../support/tables-with-text.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const canary = "Heliotrop";
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

const aboutNils = { scope: "organisation", kind: "note", subject: "Nils", subjectKind: "third_party", value: canary };
const eraseNils = async (who: Member) =>
  expectAnswer("erase_memories", await who.post("/memories/erase", { subjectKind: "third_party", subject: "Nils" }));

type Desk = { who: Member; executor: HandExecutor; botId: string };

async function aDesk(): Promise<Desk> {
  const model = `hand-${randomUUID()}`;
  const who = await here.owner();
  const executor = await handExecutor(here.db, pool, [model]);
  const { body: bot } = await who.post("/bots", { name: "Ada", model });
  return { who, executor, botId: bot.id };
}

async function working({ who, executor, botId }: Desk): Promise<Assignment> {
  await who.post("/runs", { botId, message: "What do you know?" });
  return leased(executor);
}

const finish = ({ organisationId, runId, leaseId }: Assignment, text: string, cited: string[]) =>
  pool.query("select runner.finish($1, $2, $3, $4, $5)", [organisationId, runId, leaseId, text, cited]);

const messages = async (who: Member, runId: string) =>
  expectAnswer("list_run_messages", await who.get(`/runs/${runId}/messages`)).data;

const blank = { author: "bot", text: "", memoryIds: [], erasedAt: expect.any(String) };

test("erase_memories blanks an answer that cites an erased memory, in messages, events, replays and later prompts", async () => {
  const desk = await aDesk();
  const { who } = desk;
  const { body: memory } = await who.post("/memories", aboutNils);
  const { body: other } = await who.post("/memories", { ...aboutNils, subject: "Nora", value: "Aster" });
  const citing = await working(desk);
  await finish(citing, `He likes ${canary}.`, [other.id, memory.id]);
  const unconcerned = await working(desk);
  await finish(unconcerned, "She likes asters.", [other.id]);
  const operations = [
    { method: "GET", path: `/runs/${citing.runId}/messages` },
    { method: "POST", path: "/bots", body: { name: "Bea" } }, // a write, so that the batch is stored for replays
    { method: "GET", path: `/runs/${unconcerned.runId}/messages` },
  ];
  const look = () =>
    here.api.call("POST", "/batch", { key: who.key.text, idempotencyKey: "look", body: { operations } });
  expect((await look()).text).toContain(canary);

  expect(await eraseNils(who)).toMatchObject({
    memories: 1,
    answers: 1,
    complete: true,
    notSearched: ["messages", "steps", "approvals", "bots", "routines", "backups"],
  });
  expect(await messages(who, citing.runId)).toMatchObject([{ ...blank }, { author: "person", erasedAt: null }]);
  expect(await messages(who, unconcerned.runId)).toMatchObject([
    { text: "She likes asters.", memoryIds: [other.id], erasedAt: null },
    { author: "person" },
  ]);
  expect(await tablesWithText(here.db, canary)).toEqual([]);
  const events = await here.db.sql(
    `select event.data from app.run_events logged
     join rows.run_events event on event."runId" = logged.run_id and event.number = logged.number
     where logged.run_id = $1 and logged.message_id is not null`,
    [citing.runId],
  );
  expect(events).toMatchObject([{ data: blank }]);
  const replayed = await look();
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.results.map(({ status }: { status: number }) => status)).toEqual([404, 201, 200]);

  const next = await working(desk);
  expect(next.messages.filter(({ author }) => author === "bot")).toMatchObject([{ text: "She likes asters." }]);
});

test("An answer that cites a deleted memory stays until that memory is erased", async () => {
  const desk = await aDesk();
  const { body: memory } = await desk.who.post("/memories", aboutNils);
  const run = await working(desk);
  await desk.who.delete(`/memories/${memory.id}`);
  await finish(run, canary, [memory.id]);
  expect(await messages(desk.who, run.runId)).toMatchObject([{ text: canary }, {}]);
  expect(await eraseNils(desk.who)).toMatchObject({ memories: 0, history: 1, answers: 1 });
  expect(await messages(desk.who, run.runId)).toMatchObject([blank, {}]);
});

test("An answer that cites a memory erased during the run is stored blank", async () => {
  const desk = await aDesk();
  const { body: memory } = await desk.who.post("/memories", aboutNils);
  const run = await working(desk);
  await eraseNils(desk.who);
  await finish(run, canary, [memory.id]);
  expect(await messages(desk.who, run.runId)).toMatchObject([blank, {}]);
  expect((await desk.who.get(`/runs/${run.runId}`)).body.state).toBe("completed");
});

test("erase_memories waits for an answer that is being written, and blanks it", async () => {
  const desk = await aDesk();
  const { body: memory } = await desk.who.post("/memories", aboutNils);
  const run = await working(desk);
  const writer = await pool.connect();
  try {
    await writer.query("begin");
    await writer.query(`select runner.finish($1, $2, $3, $4, $5), ${endless}`, [
      run.organisationId,
      run.runId,
      run.leaseId,
      canary,
      [memory.id],
    ]);
    const erasing = eraseNils(desk.who);
    await eventually(async () => (await here.db.sql("select from pg_locks where not granted")).length > 0);
    await writer.query("commit");
    expect(await erasing).toMatchObject({ memories: 1, answers: 1 });
  } finally {
    writer.release();
  }
  expect(await messages(desk.who, run.runId)).toMatchObject([blank, {}]);
});

test("erase_memories keeps an answer of another organisation that cites the memory", async () => {
  const [desk, others] = [await aDesk(), await aDesk()];
  const { body: memory } = await desk.who.post("/memories", aboutNils);
  const run = await working(others);
  await here.db.sql(
    `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
     select organisation_id, conversation_id, id, 'bot', 'Ours.' from app.runs where id = $1`,
    [run.runId],
  );
  await here.db.sql("update app.messages set memory_ids = array[$2::uuid] where run_id = $1 and author = 'bot'", [
    run.runId,
    memory.id,
  ]);
  expect(await eraseNils(desk.who)).toMatchObject({ answers: 0 });
  expect(await messages(others.who, run.runId)).toMatchObject([{ text: "Ours." }, {}]);
});

test("erase_memories blanks at most 1,000 answers per call, and erases the memories once all are blank", async () => {
  const desk = await aDesk();
  const { body: memory } = await desk.who.post("/memories", aboutNils);
  const run = await working(desk);
  await here.db.sql(
    `insert into app.messages (organisation_id, conversation_id, run_id, author, text, memory_ids)
     select organisation_id, conversation_id, id, 'bot', 'Heliotrop', array[$2::uuid]
     from app.runs, generate_series(1, 1001) where id = $1`,
    [run.runId, memory.id],
  );
  expect(await eraseNils(desk.who)).toMatchObject({ memories: 0, answers: 1000, complete: false });
  expectAnswer("get_memory", await desk.who.get(`/memories/${memory.id}`));
  expect(await eraseNils(desk.who)).toMatchObject({ memories: 1, answers: 1, complete: true });
  expectRefusal(await desk.who.get(`/memories/${memory.id}`), "not_found");
  const unblanked = "select from app.messages where run_id = $1 and author = 'bot' and text <> ''";
  expect(await here.db.sql(unblanked, [run.runId])).toEqual([]);
});
