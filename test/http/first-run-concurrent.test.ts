/** Two concurrent first runs of a person with a bot share one conversation. */
import { randomUUID } from "node:crypto";
import { expectAnswer } from "../support/answers.ts";
import { botWriters } from "../support/bot-writers.ts";
import { apiOfFile } from "../support/callers.ts";
import { handExecutor } from "../support/hand-executor.ts";
import { begun, untilWaiting } from "../support/transactions.ts";

const here = apiOfFile();

test.each([
  ["a post to a hook", "app.hooks"],
  ["another bot's run that starts one", "app.runs"],
  ["a run that is approved", "app.approvals"],
])("start_run causes no deadlock with %s", async (writing, table) => {
  const ada = await here.owner();
  const model = `hand-${randomUUID()}`;
  const executor = await handExecutor(here.db, here.db.poolAs("runner", 1), [model]);
  const made = async (name: string) => (await ada.post("/bots", { name, model })).body.id as string;
  const [bot, other] = [await made("Guide"), await made("Other")];
  const what = await botWriters[writing]?.[0]({ db: here.db, ada, bot, other, executor });
  if (!what) throw new Error(`${writing} is no writing`);
  const [holding, writer] = [await begun(here.db), await begun(here.db, what.role)];
  // At this point the writer has locked the organisation, and not yet the conversation.
  await holding.query(`select from ${table} where organisation_id = $1 for no key update`, [ada.organisation.id]);
  const written = writer.query(what.text, what.values).then(({ rows }) => rows[0].answer as string);
  await untilWaiting(here.db, 1, written);
  const started = ada.post("/runs", { botId: bot, message: "Hello" });
  await untilWaiting(here.db, 2, started);
  await holding.query("commit");
  await written;
  await writer.query("commit");
  expectAnswer("start_run", await started);
  const [both] = await here.db.sql(
    "select count(*)::int as runs, count(distinct conversation_id)::int as conversations from app.runs where bot_id = $1",
    [bot],
  );
  expect(both).toEqual({ runs: 2, conversations: 1 });
});
