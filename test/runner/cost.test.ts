/**
 * Cost of an executor's calls in rows read and index entries written, not in time. A lease must cost the same, however
 * many runs have finished, wait in one conversation, are paused, or have other models.
 */
import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { noteModels } from "../support/database.ts";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  pool = office.db.poolAs("runner", 4);
});

async function counted(client: PoolClient): Promise<Record<string, number>> {
  const { rows } = await client.query<Record<string, string>>(
    `select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)) as read, sum(n_tup_upd) as updated,
       sum(n_tup_hot_upd) as "updatedInPlace"
     from pg_stat_xact_user_tables where schemaname = 'app'`,
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
}

/** Reads and writes of our tables in a transaction with these calls. Rolled back unless `keep` is set. */
async function costOf(calls: [text: string, values: unknown[]][]): Promise<Record<string, number>> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const before = await counted(client); // a session reports its counts with a delay
    for (const [text, values] of calls) await client.query(text, values);
    await client.query("set constraints all immediate"); // includes work at commit
    const after = await counted(client);
    return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/**
 * Row versions that earlier leases left, because each is rolled back: a handful, compared with thousands of inserted
 * rows.
 */
const undone = 20;

const leaseCost = ({ executor }: Workplace) => costOf([["select runner.lease_run($1)", [executor.id]]]);

/** Inserts thousands of runs, in this conversation or others of the organisation, without triggers. */
async function fill(
  at: Workplace,
  runs: { count: number; state: string; model?: string; postponed?: true; key?: true },
): Promise<void> {
  if (runs.model) await noteModels(office.db, runs.model);
  const bot = runs.model
    ? (await at.who.ask("POST", "/bots", { name: "Crowd", model: runs.model })).body.id
    : at.who.bot;
  await office.db.sql(
    `do $do$
     begin
       set local session_replication_role = replica;
       insert into app.conversations (organisation_id, bot_id, person_id, next_run_id, next_model, next_since)
       select '${at.who.organisation.id}', '${bot}', gen_random_uuid(), uuidv7('-1 hour'), '${runs.model}', now() - interval '1 hour'
       from generate_series(1, ${runs.model ? runs.count : 0});
       insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at, paused_until, start_at, postponed, concurrency_key, concurrency_key_digest)
       select conversation.organisation_id, case when ${runs.model !== undefined} then conversation.next_run_id else uuidv7() end, conversation.bot_id, conversation.id,
         conversation.person_id, 'message', '${runs.state}',
         case when '${runs.state}' = 'completed' then now() end,
         case when '${runs.state}' = 'paused_limit' then now() + interval '1 day' end,
         case when ${runs.postponed === true && !runs.key} then now() + interval '1 day' end, ${runs.postponed === true},
         case when ${runs.key === true} then 'order' end, case when ${runs.key === true} then sha256('order') end
       from app.conversations conversation, generate_series(1, ${runs.model ? 1 : runs.count})
       where conversation.bot_id = '${bot}';
     end $do$`,
  );
}

test.each([
  ["have finished", { count: 20_000, state: "completed" }],
  ["wait in the same conversation", { count: 20_000, state: "queued" }],
  ["are postponed until tomorrow", { count: 100_000, state: "queued", postponed: true as const }],
  ["wait for their key", { count: 100_000, state: "queued", postponed: true as const, key: true as const }],
  ["are paused until the next month", { count: 20_000, state: "paused_limit" }],
  ["wait for an unserved model", { count: 5_000, state: "queued", model: `absent-${randomUUID()}` }],
])("lease_run reads no more rows when thousands of runs %s", async (_story, runs) => {
  const at = await workplace(office, pool);
  await at.who.run();
  const before = (await leaseCost(at)) as { read: number };
  expect(before.read).toBeGreaterThan(3); // proves that it is counted
  await fill(at, runs);
  const bound = before.read + undone;
  if (runs.state !== "queued") expect((await leaseCost(at)).read).toBeLessThan(bound); // with outdated statistics
  await office.db.sql("analyze app.runs, app.conversations");
  expect((await leaseCost(at)).read).toBeLessThan(bound);
});

test("lease_run that passes a key on reads almost no rows, with any number of runs that wait for it", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const before = (await leaseCost(at)) as { read: number };
  await fill(at, { count: 20_000, state: "queued", postponed: true, key: true });
  const [{ id } = { id: "" }] = await office.db.sql<{ id: string }>(
    "update app.runs set settles_key_at = now() where id = (select max(id::text)::uuid from app.runs where bot_id = $1) returning id",
    [at.who.bot],
  );
  expect((await leaseCost(at)).read).toBeLessThan(before.read + undone);
  expect(await at.executor.lease()).not.toBeNull();
  const marks = await office.db.sql(
    "select count(*) filter (where not postponed)::int as free, count(settles_key_at)::int as marks from app.runs where bot_id = $1 and concurrency_key is not null",
    [at.who.bot],
  );
  expect([id !== "", marks]).toEqual([true, [{ free: 1, marks: 0 }]]);
});

test("lease_run that finds nothing reads almost no rows, with any number of runs", async () => {
  const at = await workplace(office, pool);
  await fill(at, { count: 5_000, state: "completed" });
  expect((await leaseCost(at)).read).toBeLessThan(undone);
});

test("finish reads no more rows when thousands of runs wait behind the run", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const { organisationId, runId, leaseId } = await leased(at.executor);
  await at.who.run();
  const finish = () => costOf([["select runner.finish($1, $2, $3, 'Done.')", [organisationId, runId, leaseId]]]);
  const before = (await finish()) as { read: number };
  await fill(at, { count: 20_000, state: "queued" });
  await office.db.sql("analyze app.runs");
  expect((await finish()).read).toBeLessThan(before.read + undone);
});

test("renew and step write to no index of app.runs", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const run = await leased(at.executor);
  const lease = [run.organisationId, run.runId, run.leaseId];
  const renew: [string, unknown[]] = ["select runner.renew($1, $2, $3)", lease];
  const step: [string, unknown[]] = ["select runner.step($1, $2, $3, 'think')", lease];
  for (const call of [renew, step]) {
    expect(await costOf([call, call, call])).toMatchObject({ updated: 3, updatedInPlace: 3 });
  }
});

test("heartbeat removes executors without a heartbeat for an hour", async () => {
  const silent = async (name: string, since: string) => {
    const id = randomUUID();
    await office.db.sql(
      "insert into app.executors (id, name, models, last_seen_at) values ($1, $2, '{x}', now() - $3::interval)",
      [id, name, since],
    );
    return id;
  };
  const gone = await silent("killed", "61 minutes");
  const quiet = await silent("quiet", "59 minutes");
  const living = randomUUID();
  await Promise.all(
    Array.from({ length: 8 }, () => pool.query("select runner.heartbeat($1, 'living', '{x}')", [living])),
  );
  const left = await office.db.sql<{ id: string }>("select id from app.executors where id = any ($1)", [
    [gone, quiet, living],
  ]);
  expect(left.map(({ id }) => id).sort()).toEqual([quiet, living].sort());
});
