/** Two batches that lock the same rows in opposite order. (docs/specification/batch.md#counting-and-concurrency) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();

test("Of two batches in a deadlock one commits, and the other returns 503 and succeeds when sent again", async () => {
  const ada = await here.owner();
  const bots: string[] = [];
  for (const name of ["One", "Between", "Two"]) bots.push((await ada.post("/bots", { name })).body.id);
  const [one, between, two] = bots;
  const batch = (name: string, order: (string | undefined)[], idempotencyKey: string): Promise<Reply<Json>> => {
    const operations = order.map((id) => ({ method: "PATCH", path: `/bots/${id}`, body: { name } }));
    return ada.post("/batch", { operations }, { idempotencyKey });
  };
  const holder = await begun(here.db);
  await holder.query("select from app.bots where id = $1 for update", [between]);
  const calls = [batch("first", [one, between, two], "first"), batch("second", [two, between, one], "second")];
  await eventually(async () => (await lockWaits(here.db)) === 2);
  await holder.query("rollback");
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503]);
  const names = async () => (await ada.get("/bots")).body.data.map((bot: Json) => bot.name);
  const done = answers[0]?.status === 200 ? "first" : "second";
  expect(await names()).toEqual([done, done, done]);
  for (const answer of answers) if (answer.status === 503) expectRefusal(answer, "unavailable");

  const other = done === "first" ? "second" : "first";
  const order = done === "first" ? [two, between, one] : [one, between, two];
  expectAnswer("batch", await batch(other, order, other)); // the same request: the rollback left no stored response
  expect(await names()).toEqual([other, other, other]);
});
