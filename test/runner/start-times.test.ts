/** Runs that are postponed to a time. (docs/specification/runs.md#start-time) */
import type { Pool } from "pg";
import { pino } from "pino";
import { urlAs } from "../../src/database/urls.ts";
import type { Engine } from "../../src/runner/engine.ts";
import { type Executor, startExecutor } from "../../src/runner/executor.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { runState } from "../support/stored.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

let pool: Pool;
const office = ownOfficeOfFile({ worker: false });
beforeAll(() => {
  pool = office.db.poolAs("runner", 8);
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

/** @param seconds until the start; without them it starts at once */
async function start({ who }: Pick<Workplace, "who">, seconds?: number, botId = who.bot): Promise<string> {
  const startAt = seconds === undefined ? {} : { startAt: inSeconds(seconds) };
  const { status, body } = await who.ask("POST", "/runs", { botId, message: "Hello", ...startAt });
  expect([status, body.state]).toEqual([202, "queued"]);
  return body.id;
}

/** Waits until the run is 50 ms old. */
const aged = (run: string) =>
  eventually(async () => {
    const old = "select from app.runs where id = $1 and created_at < now() - interval '50 ms'";
    return (await office.db.sql(old, [run])).length > 0;
  });

/** Moves the start of a postponed run into the past. */
const come = (runs: string[], ago = "0 s") =>
  office.db.sql("update app.runs set start_at = now() - $2::interval where id = any ($1)", [runs, ago]);

const lease = async ({ executor }: Workplace) => (await executor.lease())?.runId ?? null;

test("lease_run passes a postponed run over, and leases later runs of its conversation first", async () => {
  const at = await workplace(office, pool);
  const postponed = await start(at, 3_600);
  expect(await lease(at)).toBeNull();
  const later = await start(at);
  const run = await leased(at.executor);
  expect(run.runId).toBe(later);
  await at.executor.finish(run);
  expect(await lease(at)).toBeNull();
  await come([postponed]);
  expect(await lease(at)).toBe(postponed);
});

test("a run that comes due is leased behind runs from before its time and before later ones, in one conversation", async () => {
  const at = await workplace(office, pool);
  const postponed = await start(at, 3_600);
  const before = await start(at);
  await aged(before);
  await come([postponed], "20 ms");
  const after = await start(at);
  for (const expected of [before, postponed, after]) {
    const run = await leased(at.executor);
    expect(run.runId).toBe(expected);
    await at.executor.finish(run);
  }
});

test("a run that comes due does not overtake runs of other organisations that waited before its time", async () => {
  const at = await workplace(office, pool);
  const other = { ...at, who: await customer(office, at.model) };
  const postponed = await start(at, 3_600);
  const waiting = await start(other);
  await aged(waiting);
  await come([postponed], "20 ms");
  expect(await lease(at)).toBe(waiting); // this call releases the postponed run, and has a choice
  expect(await lease(at)).toBe(postponed);
});

test("a time in the past postpones nothing and gives no earlier place", async () => {
  const at = await workplace(office, pool);
  const first = await start(at);
  const past = await start(at, -86_400);
  for (const expected of [first, past]) {
    const run = await leased(at.executor);
    expect(run.runId).toBe(expected);
    await at.executor.finish(run);
  }
});

test("a run more than 30 days ahead is refused by the database too", async () => {
  const at = await workplace(office, pool);
  await start(at);
  const ahead = (interval: string) =>
    office.db.sql(
      `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, start_at)
       select organisation_id, bot_id, id, person_id, 'api', now() + $2::interval from app.conversations where bot_id = $1
       returning postponed`,
      [at.who.bot, interval],
    );
  await expect(ahead("30 days 1 minute")).rejects.toMatchObject({
    message: "invalid_request",
    detail: expect.stringContaining("must be at most 30 days ahead"),
  });
  expect(await ahead("30 days")).toEqual([{ postponed: true }]);
  expect(await ahead("-1 second")).toEqual([{ postponed: false }]);
});

test("no statement makes a postponed run running", async () => {
  const at = await workplace(office, pool);
  const postponed = await start(at, 3_600);
  await expect(
    office.db.sql("update app.runs set state = 'running', lease_id = uuidv7() where id = $1", [postponed]),
  ).rejects.toMatchObject({ message: "conflict" });
});

/** When the built-in executor began a run that nothing else announces, in seconds after its start time. */
async function lateness(at: Workplace, seconds: number, whilePostponed: () => Promise<unknown>): Promise<number> {
  const run = await start(at, seconds);
  await whilePostponed();
  await eventually(async () => (await runState(office.db, run)) === "completed");
  const [row] = await office.db.sql<{ late: number }>(
    `select extract(epoch from step.created_at - run.start_at)::float as late
     from app.runs run join app.steps step on step.run_id = run.id where run.id = $1`,
    [run],
  );
  return row?.late ?? Number.NaN;
}

function builtIn(model: string): Promise<Executor> {
  const engine: Engine = {
    models: async () => [model],
    async answer(_run, context) {
      await context.step({ kind: "begin" });
      return { text: "Done.", memoryIds: [] };
    },
  };
  const connectionString = urlAs("runner", office.db.adminUrl, office.db.key);
  return startExecutor({ connectionString, engines: [engine], log: pino({ level: "silent" }) });
}

test("the built-in executor begins a run within about a second of its start time, also after a restart", async () => {
  const at = await workplace(office, pool);
  let executor = await builtIn(at.model);
  const late = await lateness(at, 1.5, async () => {});
  const afterRestart = await lateness(at, 1.5, async () => {
    await executor.stop();
    executor = await builtIn(at.model);
  });
  await executor.stop();
  for (const each of [late, afterRestart]) {
    expect(each).toBeGreaterThanOrEqual(0);
    expect(each).toBeLessThan(2);
  }
});

test("runs that come due while they are cancelled and leased are each leased or not, and no call fails", async () => {
  const at = await workplace(office, pool);
  const runs = await Promise.all(Array.from({ length: 40 }, () => start(at, 3_600)));
  await come(runs);
  const leases = Array.from({ length: 4 }, async () => {
    for (let number = 0; number < 15; number += 1) {
      const run = await at.executor.lease();
      if (run) await at.executor.finish(run).catch(({ code }) => expect(code).toBe("OA002")); // cancelled meanwhile
    }
  });
  const cancels = runs.map(async (run) => {
    const { status } = await at.who.ask("POST", `/runs/${run}/cancel`, undefined, "mayFail");
    expect([run, status]).toEqual([run, 200]);
  });
  await Promise.all([...leases, ...cancels]);
  for (const run of runs) expect(["completed", "cancelled"]).toContain(await runState(office.db, run));
  expect(await lease(at)).toBeNull();
  const left = await office.db.sql(
    `select from app.conversations where bot_id = $1 and next_run_id is not null
     union all select from app.runs where bot_id = $1 and postponed`,
    [at.who.bot],
  );
  expect(left).toEqual([]);
});

test("concurrent leases release 1,200 runs of 200 conversations that come due at once, each in its turn", async () => {
  const at = await workplace(office, pool);
  await office.db.sql(
    `do $do$
     begin
       set local session_replication_role = replica;
       with crowd as (
         insert into app.people (email) select gen_random_uuid() || '@example.test' from generate_series(1, 200) returning id
       )
       insert into app.conversations (organisation_id, bot_id, person_id)
       select '${at.who.organisation.id}', '${at.who.bot}', id from crowd;
       insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, start_at, postponed)
       select organisation_id, uuidv7('-1 hour'), bot_id, id, person_id, 'api', now() - random() * interval '1 minute', true
       from app.conversations, generate_series(1, 6) where bot_id = '${at.who.bot}';
     end $do$`,
  );
  const runs = (condition: string) =>
    office.db.sql(`select from app.runs where bot_id = '${at.who.bot}' and ${condition}`);
  while ((await runs("postponed")).length > 0) await Promise.all([1, 2, 3, 4].map(() => at.executor.lease()));
  const wrong = await office.db.sql(
    `select from app.conversations talk
     where bot_id = '${at.who.bot}' and next_run_id is distinct from (
       select id from app.runs run
       where run.conversation_id = talk.id and run.state = 'queued'
         and not exists (select from app.runs other where other.conversation_id = talk.id and other.state = 'running')
       order by start_at limit 1
     )`,
  );
  expect(wrong).toEqual([]);
  expect((await runs("state = 'running'")).length).toBeGreaterThan(0);
});

test("lease_run passes over a due run that another transaction changes, and does not wait", async () => {
  const at = await workplace(office, pool);
  const [locked, free] = [await start(at, 3_600), await start(at, 3_600)];
  await come([locked, free]);
  const cancelling = await begun(office.db);
  await cancelling.query("update app.runs set state = 'cancelled' where id = $1", [locked]);
  expect(await lease(at)).toBe(free);
  await cancelling.query("commit");
  expect(await runState(office.db, locked)).toBe("cancelled");
});

test("lease_run that releases runs gives way to a transaction that locks their conversations in another order", async () => {
  const at = await workplace(office, pool);
  const { body } = await at.who.ask("POST", "/bots", { name: "Other", model: at.model });
  const first = await start(at, 3_600);
  const second = await start(at, 3_600, body.id);
  await come([first], "2 s");
  await come([second], "1 s");
  const lockConversation = `select from app.conversations where id = (select conversation_id from app.runs where id = $1)
    for no key update`;
  const other = await begun(office.db);
  await other.query(lockConversation, [second]);
  const leasing = lease(at);
  const refused = expect(leasing).rejects.toMatchObject({ code: "55P03" });
  await untilWaiting(office.db, 1, leasing);
  await other.query(lockConversation, [first]); // in a deadlock, PostgreSQL would end one of the two after 1 s
  await refused;
  await other.query("commit");
  expect([await lease(at), await lease(at)]).toEqual([first, second]);
});

test("postponed runs of a deleted bot and of a removed member are cancelled, and are not leased when they come due", async () => {
  const at = await workplace(office, pool);
  const ofBot = await start(at, 3_600);
  await at.who.ask("DELETE", `/bots/${at.who.bot}`);
  const kept = await workplace(office, pool);
  const { organisation } = kept.who;
  const member = await makeMember(office.db, organisation.id, "admin");
  const [ofMember] = await office.db.sql<{ id: string }>(
    `with talk as (
       insert into app.conversations (organisation_id, bot_id, person_id) values ($1, $2, $3) returning *
     )
     insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, start_at)
     select organisation_id, bot_id, id, person_id, 'api', now() + interval '1 hour' from talk returning id`,
    [organisation.id, kept.who.bot, member],
  );
  const own = await start(kept, 3_600);
  await kept.who.ask("DELETE", `/members/${member}`);
  for (const run of [ofBot, ofMember?.id ?? ""]) expect(await runState(office.db, run)).toBe("cancelled");
  await come([ofBot, ofMember?.id ?? "", own]);
  expect(await lease(at)).toBeNull();
  expect(await lease(kept)).toBe(own);
  expect(await lease(kept)).toBeNull();
});

test("the spending limit and a withdrawn model stop a postponed run when it is due, and not before", async () => {
  const at = await workplace(office, pool);
  await setLimits(office.db, at.who.organisation.id, { monthlySpendMicroCents: 0 });
  const postponed = await start(at, 3_600);
  const paused = await start(at);
  expect(await lease(at)).toBeNull();
  expect([await runState(office.db, paused), await runState(office.db, postponed)]).toEqual(["paused_limit", "queued"]);
  await come([postponed]);
  expect(await lease(at)).toBeNull();
  expect(await runState(office.db, postponed)).toBe("paused_limit");

  const priced = await workplace(office, pool);
  const later = await start(priced, 3_600);
  const now = await start(priced);
  await office.db.sql(
    "insert into app.model_prices (model, input_micro_cents, output_micro_cents, served) values ($1, 1, 1, false)",
    [priced.model],
  );
  expect(await lease(priced)).toBeNull();
  expect([await runState(office.db, now), await runState(office.db, later)]).toEqual(["failed", "queued"]);
  await come([later]);
  expect(await lease(priced)).toBeNull();
  expect(await runState(office.db, later)).toBe("failed");
});

test("postponed runs count as postponed in the metrics, and not as waiting for an executor", async () => {
  const at = await workplace(office, pool);
  const measured = async () =>
    (await office.db.poolAs("operator").query("select operator.measure() -> 'runs' as runs")).rows[0].runs;
  const before = await measured();
  await start(at, 3_600);
  const after = await measured();
  expect(after.states).toEqual({ ...before.states, postponed: before.states.postponed + 1 });
  const queues = await office.db.sql("select from operator.run_queues where model = $1", [at.model]);
  expect(queues).toEqual([]);
});
