/** Two batches that want the same rows in opposite order. (docs/decisions.md, "Batch".) */
import { Client } from "pg";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();

test("one of them is done, the other is undone and told to try again, and then it is done", async () => {
  const ada = await here.owner();
  const bots: string[] = [];
  for (const name of ["One", "Between", "Two"]) bots.push((await ada.post("/bots", { name })).body.id);
  const [one, between, two] = bots;
  const batch = (name: string, order: (string | undefined)[], idempotencyKey: string): Promise<Reply<Json>> => {
    const operations = order.map((id) => ({ method: "PATCH", path: `/bots/${id}`, body: { name } }));
    return ada.post("/batch", { operations }, { idempotencyKey });
  };
  const holder = new Client({ connectionString: here.db.adminUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select from app.bots where id = $1 for update", [between]);
    const asked = [batch("first", [one, between, two], "first"), batch("second", [two, between, one], "second")];
    await eventually(async () => {
      const [line] = await here.db.sql<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%api.handle%'`,
      );
      return line?.waiting === 2;
    }, 2_500);
    await holder.query("rollback");
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503]);
    const names = async () => (await ada.get("/bots")).body.data.map((bot: Json) => bot.name);
    const done = answers[0]?.status === 200 ? "first" : "second";
    expect(await names()).toEqual([done, done, done]);
    for (const answer of answers) if (answer.status === 503) expectRefusal(answer, "unavailable");

    const other = done === "first" ? "second" : "first";
    const order = done === "first" ? [two, between, one] : [one, between, two];
    expectAnswer("batch", await batch(other, order, other)); // the same request: nothing was kept of it
    expect(await names()).toEqual([other, other, other]);
  } finally {
    await holder.end();
  }
});
