/**
 * Work that exceeds one statement is done in batches: thousands of runs that pause, continue, or end with their bot.
 */
import type { Pool } from "pg";
import { setLimits } from "../support/database.ts";
import { endless, leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";
import { eventually, testWorker } from "../support/worker.ts";

let pool: Pool;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

const limit = (organisation: string, microCents: number | null) =>
  setLimits(office.db, organisation, { monthlySpendMicroCents: microCents });

const count = async (bot: string) => {
  const rows = await office.db.sql<{ state: string; runs: number }>(
    "select state, count(*)::int as runs from app.runs where bot_id = $1 group by state order by state",
    [bot],
  );
  return Object.fromEntries(rows.map(({ state, runs }) => [state, runs]));
};

/** Runs of new bots, each in its own conversation, older than all later runs. */
async function crowd({ who, model }: Workplace, states: Record<string, number>): Promise<string> {
  const { body: bot } = await who.ask("POST", "/bots", { name: "Crowd", model });
  for (const [state, runs] of Object.entries(states)) {
    await office.db.sql(
      `do $do$
       begin
         set local session_replication_role = replica;
         with talk as (
           insert into app.conversations (organisation_id, bot_id, person_id, next_run_id, next_model, next_since)
           select '${who.organisation.id}', '${bot.id}', gen_random_uuid(), uuidv7('-1 hour'), '${model}', now() - interval '1 hour'
           from generate_series(1, ${runs})
           returning *
         )
         insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state)
         select organisation_id, next_run_id, bot_id, id, person_id, 'message', '${state}' from talk;
         if '${state}' <> 'queued' then
           update app.conversations set next_run_id = null, next_model = null, next_since = null
           where next_run_id in (select id from app.runs where bot_id = '${bot.id}' and state = '${state}');
         end if;
       end $do$`,
    );
  }
  return bot.id;
}

describe("for an organisation at its spending limit", () => {
  test("lease_run pauses 500 runs per call, and leases runs of others once all are paused", async () => {
    const at = await workplace(office, pool);
    const bot = await crowd(at, { queued: 1_100 });
    await limit(at.who.organisation.id, 0);
    const other = await customer(office, at.model);
    const behind = await other.run();
    const listener = await pool.connect();
    const heard: (string | undefined)[] = [];
    listener.on("notification", ({ payload }) => heard.push(payload));
    await listener.query("listen botstead_runs");
    try {
      expect(await at.executor.lease()).toBeNull();
      expect(await count(bot)).toEqual({ paused_limit: 500, queued: 600 });
      await eventually(async () => heard.length > 0); // no caller waits for the next poll
      expect(await at.executor.lease()).toBeNull();
      expect((await leased(at.executor)).runId).toBe(behind);
      expect(await count(bot)).toEqual({ paused_limit: 1_100 });
    } finally {
      listener.release(true);
    }
  });

  test("raising the limit continues 500 runs, and the next leases continue the rest", async () => {
    const at = await workplace(office, pool);
    await limit(at.who.organisation.id, 0);
    const bot = await crowd(at, { queued: 1_100 });
    for (let more = 0; more < 3; more += 1) await at.executor.lease();
    expect(await count(bot)).toEqual({ paused_limit: 1_100 });
    await limit(at.who.organisation.id, null);
    expect(await count(bot)).toEqual({ paused_limit: 600, queued: 500 });
    await leased(at.executor);
    expect(await count(bot)).toEqual({ queued: 1_099, running: 1 });
  });

  test("a run that is paused while the limit is raised continues within one minute", async () => {
    const at = await workplace(office, pool);
    const organisation = at.who.organisation.id;
    await limit(organisation, 0);
    const id = await at.who.run();
    const pausing = await begun(office.db, "runner");
    await pausing.query(`select runner.lease_run($1), ${endless}`, [at.executor.id]);
    await limit(organisation, null); // does not see the pause yet
    await pausing.query("commit");
    const [run] = await office.db.sql(
      "select state, paused_until <= now() + interval '1 minute' as soon from app.runs where id = $1",
      [id],
    );
    expect(run).toEqual({ state: "paused_limit", soon: true });
    await office.db.sql("update app.runs set paused_until = now() where id = $1", [id]); // the minute is over
    expect((await leased(at.executor)).runId).toBe(id);
  });
});

test("delete_bot with thousands of open runs leaves none to lease, and the worker cancels the rest", async () => {
  const at = await workplace(office, pool);
  const bot = await crowd(at, { blocked: 700, queued: 2 });
  expect((await at.who.ask("DELETE", `/bots/${bot}`)).status).toBe(200);
  expect(await count(bot)).toEqual({ blocked: 200, cancelled: 500, queued: 2 });
  expect(await at.executor.lease()).toBeNull();
  expect(await count(bot)).toEqual({ blocked: 200, cancelled: 502 });
  const worker = await testWorker(office.db);
  try {
    await eventually(async () => (await count(bot)).blocked === undefined);
  } finally {
    await worker.stop();
  }
  const [row] = await office.db.sql("select has_runs_left as more from app.bots where id = $1", [bot]);
  expect(row).toEqual({ more: false });
});

test("the worker skips locked runs of a deleted bot and cancels them later", async () => {
  const at = await workplace(office, pool);
  const bot = await crowd(at, { blocked: 501 });
  expect((await at.who.ask("DELETE", `/bots/${bot}`)).status).toBe(200);
  const holder = await begun(office.db);
  await holder.query("select from app.runs where bot_id = $1 for update", [bot]);
  const cancel = async () => (await office.db.sql("select jobs.cancel_runs_of_bots() as more"))[0]?.more;
  expect(await cancel()).toBe(false);
  expect(await count(bot)).toEqual({ blocked: 1, cancelled: 500 });
  await holder.query("rollback");
  expect(await cancel()).toBe(true);
  expect(await cancel()).toBe(false);
  expect(await count(bot)).toEqual({ cancelled: 501 });
});
