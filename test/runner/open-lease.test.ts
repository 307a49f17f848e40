/** An executor that leaves the transaction of a lease open stops neither other executors nor the API. */
import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { expectAnswer } from "../support/answers.ts";
import { endless, type HandExecutor, handExecutor } from "../support/hand-executor.ts";
import { type Customer, customer, officeOfFile } from "../support/post-office.ts";

const office = officeOfFile();
let pool: Pool;
let open: PoolClient;
let model: string;
let other: HandExecutor;

beforeAll(() => {
  pool = office.db.poolAs("runner", 4);
});
beforeEach(async () => {
  model = `open-${randomUUID()}`;
  other = await handExecutor(office.db, pool, [model]);
  open = await pool.connect();
  await open.query("begin");
});
afterEach(() => open.release(true));

/** An organisation with runs in conversations of their own. */
async function crowd(count: number): Promise<Customer & { runs: string[] }> {
  const who = await customer(office, model);
  const bots = [who.bot];
  while (bots.length < count) bots.push((await who.ask("POST", "/bots", { name: "Crowd", model })).body.id);
  const runs: string[] = [];
  for (const botId of bots) runs.push((await who.ask("POST", "/runs", { botId, message: "Hello" })).body.id);
  return { ...who, runs };
}

async function leaveOpen(share?: number): Promise<string> {
  const careless = await handExecutor(office.db, pool, [model]);
  const { rows } = await open.query(`select runner.lease_run($1, share => $2) ->> 'runId' as run, ${endless}`, [
    careless.id,
    share ?? 1000,
  ]);
  return rows[0].run;
}

const leaseOther = async (share = 1000): Promise<string | undefined> =>
  (await pool.query("select runner.lease_run($1, share => $2) ->> 'runId' as run", [other.id, share])).rows[0].run;

test("Another executor leases the next runs, of the same organisation too", async () => {
  const [one, two] = [await crowd(3), await crowd(1)];
  expect(await leaveOpen()).toBe(one.runs[0]);
  expect(await leaseOther()).toBe(one.runs[1]);
  expect(await leaseOther()).toBe(one.runs[2]);
  expect(await leaseOther()).toBe(two.runs[0]);
  expect(await leaseOther()).toBeNull();
});

test("A message in the conversation of the leased run is accepted", async () => {
  const one = await crowd(1);
  expect(await leaveOpen()).toBe(one.runs[0]);
  const reply = await one.ask("POST", "/runs", { botId: one.bot, message: "And another" }, "mayFail");
  expectAnswer("start_run", reply);
  await open.query("commit");
  expect(await leaseOther()).toBeNull(); // the conversation's turn is taken
});

test("An organisation near its share is passed over, and keeps its share after the commit", async () => {
  const [one, two] = [await crowd(2), await crowd(1)];
  expect(await leaveOpen(1)).toBe(one.runs[0]);
  expect(await leaseOther(1)).toBe(two.runs[0]);
  expect(await leaseOther(1)).toBeNull();
  await open.query("commit");
  expect(await leaseOther(1)).toBeNull();
  expect(await leaseOther(2)).toBe(one.runs[1]);
});

test("Several leases in one open transaction keep the share, together with leases of others", async () => {
  const one = await crowd(6);
  const careless = await handExecutor(office.db, pool, [model]);
  for (let nth = 0; nth < 3; nth += 1) {
    const { rows } = await open.query(`select runner.lease_run($1, share => 4) ->> 'runId' as run, ${endless}`, [
      careless.id,
    ]);
    expect(rows[0].run).toBe(one.runs[nth]);
  }
  while (await leaseOther(4));
  await open.query("commit");
  while (await leaseOther(4));
  const running = await office.db.sql("select from app.runs where organisation_id = $1 and state = 'running'", [
    one.organisation.id,
  ]);
  expect(running).toHaveLength(4);
});
