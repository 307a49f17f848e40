/**
 * An executor that leaves the transaction of a call open stops neither other executors nor the API nor the worker. Every
 * function that a login of an executor may call is tried.
 */
import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { setLimits } from "../support/database.ts";
import { endless, executorOn, type HandExecutor, handExecutor, leased } from "../support/hand-executor.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });
let pool: Pool;
let workerPool: Pool;
let open: PoolClient;

beforeAll(() => {
  pool = office.db.poolAs("runner", 4);
  workerPool = office.db.poolAs("worker", 1);
});
beforeEach(async () => {
  open = await pool.connect();
  open.on("error", () => {}); // its session may be ended
  await open.query("set idle_in_transaction_session_timeout = 0; begin"); // a setting before the call has no effect
});
afterEach(() => open.release(true));

type Side = Omit<Customer, "run"> & { bots: string[]; run: Assignment };
type Fixture = {
  model: string;
  left: Pick<Pool, "query">;
  /** Has leased a run of `ours`, and calls in the transaction that is left open. */
  careless: HandExecutor;
  run: Assignment;
  other: HandExecutor;
  /** The organisation of that run, and another organisation. In each, the other executor has leased a run, and two are queued. */
  ours: Side;
  theirs: Side;
};

/** Starts a run of a new bot. Returns the bot's id. */
async function start(who: Pick<Customer, "ask">, model: string): Promise<string> {
  const { body: bot } = await who.ask("POST", "/bots", { name: "Ada", model });
  await who.ask("POST", "/runs", { botId: bot.id, message: "Hello" });
  return bot.id;
}

/** The open transaction, as of an executor with bad intent, which removes its limit. */
const unlimited = {
  query: (text: string, values: unknown[]) => open.query(`${text}, ${endless}`, values),
} as Pick<Pool, "query">;

/** @param left the transaction that is left open */
async function fixture(left = unlimited): Promise<Fixture> {
  const model = `open-${randomUUID()}`;
  const id = (await handExecutor(office.db, pool, [model])).id;
  const other = await handExecutor(office.db, pool, [model]);
  const begin = async (): Promise<Side> => {
    const who = await customer(office, model);
    await setLimits(office.db, who.organisation.id, { monthlySpendMicroCents: 1_000_000 });
    const bots = [await start(who, model)];
    return { ...who, bots, run: await leased(other) };
  };
  const [ours, theirs] = [await begin(), await begin()];
  await start(ours, model);
  const run = await leased(executorOn(pool, id));
  for (const who of [ours, theirs]) who.bots.push(await start(who, model), await start(who, model));
  return { model, left, careless: executorOn(left, id), run, other, ours, theirs };
}

/** Runs of another organisation and model that the next lease continues: a lost one, a paused one and one with a question. */
async function overdue(): Promise<Customer> {
  const model = `overdue-${randomUUID()}`;
  const executor = await handExecutor(office.db, pool, [model]);
  const who = await customer(office, model);
  for (const state of ["lost", "paused", "asking"]) {
    await start(who, model);
    const run = await leased(executor);
    if (state === "asking") await executor.ask(run);
  }
  const of = [who.organisation.id];
  await office.db.sql(
    `update app.runs set state = 'paused_limit' where organisation_id = $1 and id = (
       select max(id::text)::uuid from app.runs where organisation_id = $1 and state = 'running')`,
    of,
  );
  await office.db.sql(
    "update app.runs set paused_until = now() - interval '1 minute' where state = 'paused_limit' and organisation_id = $1",
    of,
  );
  await office.db.sql(
    "update app.runs set lease_until = now() - interval '1 minute' where state = 'running' and organisation_id = $1",
    of,
  );
  await office.db.sql(
    "update app.approvals set expires_at = now() - interval '1 minute' where organisation_id = $1",
    of,
  );
  return who;
}

const heartbeat = (by: Pick<Pool, "query">, id: string, models: string[]) =>
  by.query("select runner.heartbeat($1, 'open', $2)", [id, models]);

/** Each function that an executor may call, as the open transaction calls it. */
const calls: Record<string, (at: Fixture) => Promise<unknown>> = {
  heartbeat: ({ model, left }) => heartbeat(left, randomUUID(), [model, `new-${model}`]),
  deregister: ({ careless, left }) => left.query("select runner.deregister($1)", [careless.id]),
  lease_run: ({ careless }) => careless.lease(),
  renew: ({ careless, run }) => careless.renew(run),
  step: ({ careless, run }) => careless.step(run, 1_000),
  delta: ({ careless, run }) => careless.delta(run, 0, "Nine"),
  keyed_step: ({ careless, run }) => careless.keyedStep(run, "turn 1", "Nine."),
  priced_models: ({ left }) => left.query("select runner.priced_models()"),
  search_memories: ({ careless, run }) => careless.searchMemories(run, "harbour"),
  propose_memory: ({ careless, run }) =>
    careless.propose(run, { scope: "bot", kind: "fact", subject: "Harbour", value: "Closes at nine" }),
  start_run: ({ careless, run, ours }) => careless.start(run, ours.bots[1] as string),
  ask_approval: ({ careless, run }) => careless.ask(run),
  block: ({ careless, run }) => careless.block(run),
  finish: ({ careless, run }) => careless.finish(run),
  fail: ({ careless, run }) => careless.fail(run),
};

async function useApi(who: Side, conversations: string[]): Promise<void> {
  const [bot] = conversations;
  for (const botId of conversations) await who.ask("POST", "/runs", { botId, message: "And another" });
  await who.ask("GET", "/me");
  await who.ask("GET", "/runs");
  await who.ask("PATCH", `/bots/${bot}`, { name: "Renamed", instructions: "Be brief." });
  await who.ask("PATCH", "/organisation", { name: "Renamed" });
  await who.ask("POST", "/memories", { scope: "bot", botId: bot, kind: "fact", subject: "S", value: "V" });
}

/** Everything that an executor does with a run. */
async function execute({ other }: Fixture, { run, bots }: Side): Promise<void> {
  await other.renew(run);
  expect(await other.step(run, 1_000)).toBe("running");
  await other.searchMemories(run, "harbour");
  await other.propose(run, { scope: "bot", kind: "fact", subject: "Quay", value: "Closes at ten" });
  await other.start(run, bots[2] as string);
  await other.finish(run);
}

async function leaseAll({ other }: Fixture): Promise<void> {
  expect(await other.lease()).not.toBeNull();
  while (await other.lease());
}

/** Fails if a session waits for the open transaction while this work is done. */
async function watched(work: Promise<void>): Promise<void> {
  const [{ pid }] = (await open.query("select pg_backend_pid() as pid")).rows;
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    const waiting = await office.db.sql(
      "select usename, query from pg_stat_activity where wait_event_type = 'Lock' and $1 = any (pg_blocking_pids(pid))",
      [pid],
    );
    expect(waiting).toEqual([]);
  }
  await work;
}

async function maintain(): Promise<void> {
  await workerPool.query("select jobs.run_maintenance()");
  await workerPool.query("select jobs.make_partitions()");
  await workerPool.query("select jobs.end_overlong_sessions()");
}

test("calls names each function that a login of an executor may execute", async () => {
  const rows = await office.db.sql<{ name: string }>(
    `select proc.proname as name
     from pg_proc proc join pg_namespace schema on schema.oid = proc.pronamespace
     where schema.nspname not in ('pg_catalog', 'information_schema')
       and has_schema_privilege('executor', schema.oid, 'usage')
       and has_function_privilege('executor', proc.oid, 'execute')`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
});

test.each(Object.keys(calls))("while the transaction of %s is open, no other session waits for it", async (name) => {
  const at = await fixture();
  const behind = await overdue();
  await calls[name]?.(at);
  await heartbeat(pool, randomUUID(), [at.model, `new-${at.model}`]); // may wait 0.1 s for the new model
  const work = async () => {
    await execute(at, at.theirs);
    await useApi(at.theirs, at.theirs.bots);
    for (const { id } of (await behind.ask("GET", "/bots")).body.data)
      await behind.ask("POST", "/runs", { botId: id, message: "And another" });
    // A started run locks its organisation until it is committed, since starts are numbered in the order of commits.
    if (name !== "start_run") {
      await execute(at, at.ours);
      await useApi(at.ours, [await botOf(at), ...at.ours.bots]);
    }
    await leaseAll(at);
    await maintain();
  };
  await watched(work());
  await open.query("commit");
});

const botOf = async ({ ours, run }: Fixture): Promise<string> =>
  (await ours.ask("GET", `/runs/${run.runId}`)).body.botId;

test.each(Object.keys(calls).filter((name) => name !== "priced_models"))(
  "a transaction that stays open after %s ends after a second",
  async (name) => {
    const ended = new Promise((resolve) => open.once("end", resolve));
    const at = await fixture(open);
    await calls[name]?.(at);
    await ended;
    expect((await at.ours.ask("POST", "/runs", { botId: at.ours.bots[1], message: "Hello" })).status).toBe(202);
  },
);

test("the sum of the month and its limit are exact when the transaction of a step commits late", async () => {
  const at = await fixture();
  const organisation = at.ours.organisation.id;
  await setLimits(office.db, organisation, { monthlySpendMicroCents: 1_000 });
  const hook = office.hook();
  const endpoint = await at.ours.subscribe(hook, ["organisation.limit_reached"]);
  expect(await at.careless.step(at.run, 600)).toBe("running");
  expect(await at.other.step(at.ours.run, 600)).toBe("running");
  await open.query("commit");
  const states = async (run: Assignment) => (await at.ours.ask("GET", `/runs/${run.runId}`)).body.state;
  expect([await states(at.run), await states(at.ours.run)]).toEqual(["paused_limit", "running"]);
  const [month] = await office.db.sql(
    "select spend_micro_cents as sum from app.monthly_usage where organisation_id = $1",
    [organisation],
  );
  expect(month).toEqual({ sum: "1200" });
  await eventually(async () => {
    const rows = await office.db.sql("select from app.deliveries where endpoint_id = $1", [endpoint.id]);
    return rows.length === 1;
  });
});
