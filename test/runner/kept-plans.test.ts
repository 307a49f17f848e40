/** Which statements of an executor PostgreSQL plans again at each call, although their plans could be kept. */
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { executorOn, leased, workplace } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";

const office = ownOfficeOfFile({ worker: false });

test("after some runs, a lease, steps, a search and the answer plan no more than the statement of each call", async () => {
  const { db } = office;
  const { who, executor } = await workplace(office, db.poolAs("runner"));
  const name = new URL(db.adminUrl).pathname.slice(1);
  await db.sql(`alter database ${name} set log_planner_stats = on`);
  const client = new Client({ connectionString: urlAs("runner", db.adminUrl, db.key) });
  let planned = 0;
  client.on("notice", ({ message = "" }) => {
    if (message.startsWith("PLANNER STATISTICS")) planned += 1;
  });
  await client.connect();
  await client.query("set client_min_messages = log");
  const hand = executorOn(client, executor.id);
  const counts: number[] = [];
  for (let number = 0; number < 12; number += 1) {
    await who.ask("POST", "/runs", { botId: who.bot, message: "When does the next ship come?" });
    planned = 0;
    const run = await leased(hand);
    await hand.step(run);
    await hand.step(run, 5);
    await hand.searchMemories(run, "When does the next ship come to the harbour?");
    await hand.finish(run);
    counts.push(planned);
  }
  await client.end();
  // PostgreSQL keeps a plan from the sixth call on, and makes it again only when statistics of a table become new.
  expect(Math.min(...counts.slice(6))).toBeLessThanOrEqual(5);
});
