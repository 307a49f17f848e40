/** At most one run of an organisation with a concurrency key works at a time. (docs/specification/runs.md#concurrency-key) */
import { randomInt } from "node:crypto";
import type { Pool } from "pg";
import { pino } from "pino";
import { urlAs } from "../../src/database/urls.ts";
import type { Engine } from "../../src/runner/engine.ts";
import { startExecutor } from "../../src/runner/executor.ts";
import { makeMember } from "../support/database.ts";
import { expireLease, leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";
import { runState } from "../support/stored.ts";
import { whenTestEnds } from "../support/test-ends.ts";
import { begun } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

let pool: Pool;
const office = ownOfficeOfFile({ worker: false });
beforeAll(() => {
  pool = office.db.poolAs("runner", 8);
});

const key = "order 4711";

type Start = { ifBusy?: "queue" | "reject"; startAt?: string; concurrencyKey?: string | undefined; botId?: string };

const ask = ({ who }: Workplace, more: Start = {}) =>
  who.ask("POST", "/runs", { botId: who.bot, message: "Hello", concurrencyKey: key, ...more }, "mayFail");

async function start(at: Workplace, more: Start = {}): Promise<string> {
  const { status, body } = await ask(at, more);
  expect([status, body.state]).toEqual([202, "queued"]);
  return body.id;
}

/** A workplace whose customer has a second bot, so that runs of two conversations share keys. */
async function twoBots(): Promise<Workplace & { other: string }> {
  const at = await workplace(office, pool);
  const { body } = await at.who.ask("POST", "/bots", { name: "Other", model: at.model });
  return { ...at, other: body.id };
}

const lease = async ({ executor }: Workplace) => (await executor.lease())?.runId ?? null;

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const ofBots = ({ who }: Workplace) =>
  office.db.sql<{ id: string; state: string; began: Date; ended: Date }>(
    `select run.id, run.state, run.finished_at as ended,
       (select min(step.created_at) from app.steps step where step.run_id = run.id) as began
     from app.runs run where run.organisation_id = $1 order by run.id`,
    [who.organisation.id],
  );

test("the first run with a key is leased at once, and the next ones one by one in the order of their starts", async () => {
  const at = await twoBots();
  const runs = [
    await start(at),
    await start(at, { botId: at.other }),
    await start(at),
    await start(at, { botId: at.other }),
  ];
  for (const expected of runs) {
    const run = await leased(at.executor);
    expect(run.runId).toBe(expected);
    expect(await lease(at)).toBeNull();
    await at.executor.finish(run);
  }
  expect(await lease(at)).toBeNull();
});

test("a run that waits for its key does not stop its conversation, other keys or other organisations", async () => {
  const at = await twoBots();
  const holder = await start(at);
  expect(await lease(at)).toBe(holder);
  await start(at, { botId: at.other });
  const free = await start(at, { botId: at.other, concurrencyKey: undefined });
  expect(await lease(at)).toBe(free);
  const { body } = await at.who.ask("POST", "/bots", { name: "Third", model: at.model });
  const otherKey = await start(at, { botId: body.id, concurrencyKey: `${key}!` });
  expect(await lease(at)).toBe(otherKey);
  const elsewhere = await workplace(office, pool);
  const foreign = await start(elsewhere);
  expect(await lease(elsewhere)).toBe(foreign);
});

test("of 20 concurrent starts with one key and reject, one is accepted, and another after its end", async () => {
  const at = await twoBots();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      ask(at, { ifBusy: "reject", ...(number % 2 ? { botId: at.other } : {}) }),
    ),
  );
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(1);
  for (const { status, body, headers } of replies.filter(({ status }) => status !== 202))
    expect([status, body.error.code, headers.get("x-botstead-reason")]).toEqual([
      409,
      "conflict",
      "concurrency_key_busy",
    ]);
  expect(await ofBots(at)).toHaveLength(1);
  await at.executor.finish(await leased(at.executor));
  expect((await ask(at, { ifBusy: "reject" })).status).toBe(202);
});

test.each<[string, (at: Workplace) => Promise<unknown>]>([
  ["queued", async () => {}],
  ["running", (at) => at.executor.lease()],
  ["waiting_approval", async (at) => at.executor.ask(await leased(at.executor))],
  ["blocked", async (at) => at.executor.block(await leased(at.executor))],
])("reject refuses a start while a run with the key is %s, and queue does not", async (state, bring) => {
  const at = await workplace(office, pool);
  const run = await start(at);
  await bring(at);
  expect(await runState(office.db, run)).toBe(state);
  expect((await ask(at, { ifBusy: "reject" })).status).toBe(409);
  expect((await ask(at)).status).toBe(202);
});

test("reject refuses a start while a run with the key has a later start time, and while the caller does not see it", async () => {
  const at = await workplace(office, pool);
  const later = await start(at, { startAt: inAnHour() });
  expect((await ask(at, { ifBusy: "reject" })).status).toBe(409);
  expect((await at.who.ask("POST", `/runs/${later}/cancel`)).status).toBe(200);
  const { organisation } = at.who;
  const member = await makeMember(office.db, organisation.id, "admin");
  const [hidden] = await office.db.sql<{ id: string }>(
    `with bot as (
       insert into app.bots (organisation_id, name, owner_id, visibility) values ($1, 'Own', $2, 'personal') returning *
     ), talk as (
       insert into app.conversations (organisation_id, bot_id, person_id)
       select organisation_id, id, owner_id from bot returning *
     )
     insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, concurrency_key)
     select organisation_id, bot_id, id, person_id, 'api', $3 from talk returning id`,
    [organisation.id, member, key],
  );
  expect((await at.who.ask("GET", `/runs/${hidden?.id}`, undefined, "mayFail")).status).toBe(404);
  expect((await ask(at, { ifBusy: "reject" })).status).toBe(409);
});

test("40 runs of 2 bots with 2 keys, started, cancelled and worked on by 3 executors, never overlap and keep their order", async () => {
  const at = await twoBots();
  const engine: Engine = {
    models: async () => [at.model],
    async answer(_run, context) {
      await context.step({ kind: "begin" });
      await new Promise((resolve) => setTimeout(resolve, randomInt(10))); // other executors work meanwhile
      return { text: "Done.", memoryIds: [] };
    },
  };
  const connectionString = urlAs("runner", office.db.adminUrl, office.db.key);
  const log = pino({ level: "silent" });
  const executors = await Promise.all([1, 2, 3].map(() => startExecutor({ connectionString, engines: [engine], log })));
  whenTestEnds(() => Promise.all(executors.map((executor) => executor.stop())));
  const keyOf = new Map<string, string>();
  await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const concurrencyKey = number % 4 < 2 ? "a" : "b";
      const run = await start(at, { concurrencyKey, ...(number % 2 ? { botId: at.other } : {}) });
      keyOf.set(run, concurrencyKey);
      if (number % 5 === 0) expect((await at.who.ask("POST", `/runs/${run}/cancel`)).status).toBe(200);
    }),
  );
  await eventually(async () => (await ofBots(at)).every(({ ended }) => ended !== null));
  const rows = await ofBots(at);
  expect(rows).toHaveLength(40);
  for (const concurrencyKey of ["a", "b"]) {
    const worked = rows.filter(({ id, began }) => keyOf.get(id) === concurrencyKey && began !== null);
    expect(worked.length).toBeGreaterThan(10);
    for (const [index, run] of worked.entries()) {
      const before = worked[index - 1];
      if (before) expect(run.began.getTime()).toBeGreaterThanOrEqual(before.ended.getTime());
    }
  }
  for (const { state } of rows) expect(["completed", "cancelled"]).toContain(state);
});

test.each<[string, (at: Workplace, holder: string) => Promise<unknown>]>([
  ["is cancelled while it works", async ({ who }, holder) => who.ask("POST", `/runs/${holder}/cancel`)],
  ["fails", async ({ executor }, holder) => executor.fail(await assignmentOf(holder))],
  ["blocks", async ({ executor }, holder) => executor.block(await assignmentOf(holder))],
  ["goes beyond its budget", async ({ executor }, holder) => executor.step(await assignmentOf(holder), 200_000_001)],
])("the next run with the key is leased once the holder %s", async (_how, end) => {
  const at = await twoBots();
  const holder = await start(at);
  expect(await lease(at)).toBe(holder);
  const next = await start(at, { botId: at.other });
  expect(await lease(at)).toBeNull();
  await end(at, holder);
  expect(await lease(at)).toBe(next);
});

async function assignmentOf(run: string) {
  const [row] = await office.db.sql(
    `select organisation_id as "organisationId", id as "runId", lease_id as "leaseId" from app.runs where id = $1`,
    [run],
  );
  return row as Parameters<Workplace["executor"]["finish"]>[0];
}

test("a waiting question keeps the key, and the answered run continues before others", async () => {
  const at = await twoBots();
  await start(at);
  const run = await leased(at.executor);
  const approval = await at.executor.ask(run);
  await start(at, { botId: at.other });
  expect(await lease(at)).toBeNull();
  await office.db.sql("update app.approvals set state = 'approved', answered_at = now() where id = $1", [approval]);
  expect(await lease(at)).toBe(run.runId);
});

test("a lost executor does not free the key: its run is leased again first, and the next one after its end", async () => {
  const at = await twoBots();
  const holder = await start(at);
  const next = await start(at, { botId: at.other });
  for (const lost of [1, 2]) {
    expect([lost, await lease(at)]).toEqual([lost, holder]);
    await expireLease(office.db, holder);
  }
  expect(await lease(at)).toBe(holder);
  await expireLease(office.db, holder);
  expect(await lease(at)).toBe(next); // the third lost executor has failed the holder
  expect(await runState(office.db, holder)).toBe("failed");
});

test("a resumed run waits for its key with its old place", async () => {
  const at = await twoBots();
  const first = await start(at);
  await at.executor.block(await leased(at.executor));
  const second = await start(at, { botId: at.other });
  const working = await leased(at.executor);
  expect(working.runId).toBe(second);
  const third = await start(at, { botId: at.other });
  expect((await at.who.ask("POST", `/runs/${first}/resume`, {})).status).toBe(200);
  expect(await lease(at)).toBeNull();
  await at.executor.finish(working);
  const resumed = await leased(at.executor);
  expect(resumed.runId).toBe(first);
  await at.executor.finish(resumed);
  expect(await lease(at)).toBe(third);
});

test("a run with a start time joins the runs with its key when it is due", async () => {
  const at = await twoBots();
  const later = await start(at, { startAt: inAnHour() });
  const now = await start(at, { botId: at.other });
  const working = await leased(at.executor);
  expect(working.runId).toBe(now);
  await office.db.sql("update app.runs set start_at = now(), settles_key_at = now() where id = $1", [later]);
  expect(await lease(at)).toBeNull();
  await at.executor.finish(working);
  expect(await lease(at)).toBe(later);
});

test("the next run is found if it was started while the holder ended, in each order of commits", async () => {
  const at = await twoBots();
  await start(at);
  const working = await leased(at.executor);
  const starting = await begun(office.db);
  const insert = `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger, concurrency_key)
    select organisation_id, $2, conversation_id, person_id, 'api', concurrency_key from app.runs where id = $1 returning id, postponed`;
  const { rows } = await starting.query(insert, [working.runId, at.who.bot]);
  expect(rows[0].postponed).toBe(true);
  await at.executor.finish(working);
  expect(await lease(at)).toBeNull(); // has looked for the next run, and sees none
  await starting.query("commit");
  expect(await lease(at)).toBe(rows[0].id);
});

test("lease_run does not wait for a next run that is being cancelled, and then finds the one behind it", async () => {
  const at = await twoBots();
  await start(at);
  const working = await leased(at.executor);
  const [next, last] = [await start(at, { botId: at.other }), await start(at, { botId: at.other })];
  const cancelling = await begun(office.db);
  await cancelling.query("update app.runs set state = 'cancelled' where id = $1", [next]);
  await at.executor.finish(working);
  expect(await lease(at)).toBeNull();
  await cancelling.query("commit");
  expect(await lease(at)).toBe(last);
});

test("an executor is notified when a key becomes free", async () => {
  const at = await twoBots();
  await start(at);
  const working = await leased(at.executor);
  await start(at, { botId: at.other });
  const client = await begun(office.db, "runner");
  await client.query("commit");
  let heard = 0;
  client.on("notification", () => (heard += 1));
  await client.query("listen botstead_runs");
  await at.executor.finish(working);
  await client.query("select 1"); // earlier events arrived before this response
  expect(heard).toBe(1);
});

test("no statement frees two runs with a key at once", async () => {
  const at = await twoBots();
  await start(at);
  const second = await start(at);
  await expect(office.db.sql("update app.runs set postponed = false where id = $1", [second])).rejects.toMatchObject({
    code: "23505",
    constraint: "runs_one_of_key",
  });
});

test("runs with a key are cancelled with their bot while others take it, and no call fails", async () => {
  const at = await twoBots();
  for (let number = 0; number < 10; number += 1) await start(at, number % 2 ? { botId: at.other } : {});
  const work = async () => {
    for (let number = 0; number < 12; number += 1) {
      const run = await at.executor.lease();
      if (run) await at.executor.finish(run).catch(({ code }) => expect(code).toBe("OA002")); // cancelled meanwhile
    }
  };
  const deleted = at.who.ask("DELETE", `/bots/${at.who.bot}`);
  await Promise.all([work(), work(), work(), deleted]);
  expect((await deleted).status).toBe(200);
  await work();
  for (const { id, state } of await ofBots(at))
    expect([id, ["completed", "cancelled"].includes(state)]).toEqual([id, true]);
});

test("erase_memories deletes keys that are the subject, and releases the runs that waited", async () => {
  const at = await twoBots();
  const named = { concurrencyKey: "Nīls  HOLM" };
  const holder = await start(at, named);
  const waiting = await start(at, { ...named, botId: at.other });
  const later = await start(at, { ...named, startAt: inAnHour() });
  const kept = await start(at, { concurrencyKey: "Nīls HOLM junior" });
  const cancelling = await begun(office.db);
  await cancelling.query("select from app.runs where id = $1 for no key update", [later]);
  const erase = () => at.who.ask("POST", "/memories/erase", { subjectKind: "third_party", subject: "nīls holm" });
  expect((await erase()).body.complete).toBe(false); // one run is locked
  await cancelling.query("commit");
  expect((await erase()).body.complete).toBe(true);
  const keys = await office.db.sql(
    "select id, concurrency_key as key, postponed from app.runs where organisation_id = $1 order by id",
    [at.who.organisation.id],
  );
  expect(keys).toEqual([
    { id: holder, key: null, postponed: false },
    { id: waiting, key: null, postponed: false },
    { id: later, key: null, postponed: true },
    { id: kept, key: "Nīls HOLM junior", postponed: false },
  ]);
  expect([await lease(at), await lease(at)].toSorted()).toEqual([holder, waiting].toSorted());
});
