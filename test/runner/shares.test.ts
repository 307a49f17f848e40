/** Maximum of running runs per organisation, so that one cannot use all slots. */
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { type HandExecutor, handExecutor } from "../support/hand-executor.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";

let pool: Pool;
let executor: HandExecutor;
let model: string;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  pool = office.db.poolAs("runner", 24);
});
beforeEach(async () => {
  model = `shared-${randomUUID()}`;
  executor = await handExecutor(office.db, pool, [model]);
});

/** Runs of one organisation, each in its own conversation. */
async function crowd(count: number, of = model): Promise<Customer> {
  const who = await customer(office, of);
  const bots = [who.bot];
  while (bots.length < count) bots.push((await who.ask("POST", "/bots", { name: "Crowd", model: of })).body.id);
  for (const botId of bots) await who.ask("POST", "/runs", { botId, message: "Hello" });
  return who;
}

async function lease(share?: number, by = executor): Promise<Assignment | null> {
  const [given, values] = share ? [", share => $2", [share]] : ["", []];
  return (await pool.query(`select runner.lease_run($1${given}) as run`, [by.id, ...values])).rows[0].run;
}

/** Leases runs until none is left. */
async function leaseAll(share?: number, by = executor): Promise<Assignment[]> {
  const leased: Assignment[] = [];
  for (let run = await lease(share, by); run; run = await lease(share, by)) leased.push(run);
  return leased;
}

const organisations = (runs: (Assignment | null)[]) => runs.map((run) => run?.organisationId);

test("an organisation has at most 16 running runs, and another when one ends", async () => {
  await crowd(18);
  const runs = await leaseAll();
  expect(runs).toHaveLength(16);
  await executor.finish(runs[0] as Assignment);
  expect(await leaseAll()).toHaveLength(1);
});

test("lease_run serves other organisations in order while one has its full share", async () => {
  const first = await crowd(18);
  const [second, third] = [await crowd(2), await crowd(1)];
  const runs = await leaseAll();
  expect(organisations(runs.slice(0, 16))).toEqual(Array(16).fill(first.organisation.id));
  expect(organisations(runs.slice(16))).toEqual([
    second.organisation.id,
    second.organisation.id,
    third.organisation.id,
  ]);
});

test("lease_run with few free slots prefers organisations without a running run", async () => {
  await crowd(2);
  expect(await lease(1)).not.toBeNull();
  expect(await lease(1)).toBeNull();
  const other = await crowd(1);
  expect((await lease(1))?.organisationId).toBe(other.organisation.id);
  expect(await lease(2)).not.toBeNull();
});

test("runs of other models, such as recall, have a share of their own", async () => {
  const who = await crowd(17);
  expect(await leaseAll()).toHaveLength(16);
  const other = await handExecutor(office.db, pool, [`other-${randomUUID()}`]);
  const otherModel = `apart-${randomUUID()}`;
  const apart = await handExecutor(office.db, pool, [otherModel]);
  const bot = (await who.ask("POST", "/bots", { name: "Apart", model: otherModel })).body.id;
  await who.ask("POST", "/runs", { botId: bot, message: "Hello" });
  expect(await lease(1, other)).toBeNull();
  expect((await lease(1, apart))?.organisationId).toBe(who.organisation.id);
});

test.each([1, 5, undefined])("twenty concurrent leases keep a share of %s and skip no run", async (share) => {
  const [one, two] = [await crowd(20), await crowd(3)];
  const leased = await Promise.all(Array.from({ length: 20 }, () => lease(share)));
  const count = (of: Customer) => leased.filter((run) => run?.organisationId === of.organisation.id).length;
  const max = share ?? 16;
  expect([count(one), count(two)]).toEqual([max, Math.min(3, max)]);
  expect(await lease(share)).toBeNull();
});

/*
 * Two leases of a conversation at once: a blocked run is resumed, and is older than the run that is leased in a transaction
 * left open.
 */
test("a lease passes over a conversation with an uncommitted lease, and serves other organisations", async () => {
  const [who, other] = [await crowd(2), await crowd(1)];
  const [oldest] = await office.db.sql<{ id: string }>(
    "select id from app.runs where organisation_id = $1 order by id limit 1",
    [who.organisation.id],
  );
  const holder = await begun(office.db);
  await holder.query("set local session_replication_role = replica");
  await holder.query(
    `insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, lease_id, working_since)
     select organisation_id, uuidv7(), bot_id, conversation_id, person_id, 'api', 'running', uuidv7(), now()
     from app.runs where id = $1`,
    [oldest?.id],
  );
  expect((await lease())?.organisationId).toBe(other.organisation.id);
  await holder.query("rollback");
  expect((await lease())?.runId).toBe(oldest?.id);
});

test("an organisation that was moved here, without a lock of its share, is served in its turn", async () => {
  const [moved, other] = [await crowd(2), await crowd(1)];
  await office.db.sql("delete from app.locks where name = $1", [`runs of ${moved.organisation.id}`]);
  expect(organisations(await leaseAll())).toEqual([
    moved.organisation.id,
    moved.organisation.id,
    other.organisation.id,
  ]);
});

test("lease_run accepts at most the share of the service settings", async () => {
  await crowd(4);
  try {
    await office.db.sql("update app.service_settings set run_share_of_organisation = 2");
    expect(await leaseAll(10)).toHaveLength(2);
  } finally {
    await office.db.sql("update app.service_settings set run_share_of_organisation = default");
  }
});
