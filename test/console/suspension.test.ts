/** What it means that an organisation is suspended. (docs/console.md.) */
import type { Pool } from "pg";
import { type Acting, acting } from "../support/acting.ts";
import { makeKey } from "../support/database.ts";
import { claimed, workplace } from "../support/hand-executor.ts";
import { customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

let office: PostOffice;
let operator: Acting;
let runner: Pool;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  operator = await acting(office.db);
  runner = office.db.poolAs("runner");
});
afterAll(() => office.close());

const suspend = (id: string) => operator.act("suspend_organisation($1, 'Abuse')", [id]);
const lift = (id: string) => operator.act("lift_suspension($1, 'Settled')", [id]);

test("its keys are refused with 403, also those that are made meanwhile, and no other organisation's", async () => {
  const [theirs, others] = [await customer(office), await customer(office)];
  await suspend(theirs.organisation.id);
  const made = await makeKey(office.db, theirs.organisation.id, theirs.organisation.ownerId, "admin");
  for (const reply of [
    await theirs.ask("GET", "/me", undefined, "mayFail"),
    await theirs.ask("GET", "/no-such-bot", undefined, "mayFail"),
    await theirs.ask("POST", "/bots", { name: "Late" }, "mayFail"),
    await office.api.call("GET", "/bots", { key: made.text }),
  ].filter(({ status }) => status !== 404)) {
    expect([reply.status, reply.body.error.code]).toEqual([403, "forbidden"]);
  }
  expect(await office.db.sql("select from app.bots where organisation_id = $1", [theirs.organisation.id])).toHaveLength(
    1,
  );
  expect((await others.ask("GET", "/me")).status).toBe(200);
  await lift(theirs.organisation.id);
  expect((await theirs.ask("GET", "/me")).status).toBe(200);
  expect((await office.api.call("GET", "/bots", { key: made.text })).status).toBe(200);
});

test("the refusal is kept under no Idempotency-Key: once it is lifted, the same call is done", async () => {
  const { organisation } = await customer(office);
  const key = (await makeKey(office.db, organisation.id, organisation.ownerId)).text;
  const call = () => office.api.call("POST", "/bots", { key, body: { name: "Again" }, idempotencyKey: "once" });
  await suspend(organisation.id);
  expect((await call()).status).toBe(403);
  await lift(organisation.id);
  expect((await call()).status).toBe(201);
  await suspend(organisation.id);
  expect((await call()).status).toBe(403); // and what was done before is not shown again meanwhile
});

test("a key that is being rotated at that moment does not wait in a ring with it, and is suspended too", async () => {
  const who = await customer(office);
  const { id } = who.organisation;
  const { body: old } = await who.ask("POST", "/keys", { name: "CI" });
  const suspending = await begun(office.db);
  await suspending.query("select from app.organisations where id = $1 for no key update", [id]); // as its update begins
  const rotated = who.ask("POST", `/keys/${old.id}/rotate`, {}, "mayFail");
  await untilWaiting(office.db, 1, rotated);
  await suspending.query("update app.organisations set suspended_at = now() where id = $1", [id]);
  await suspending.query("commit");
  const { status, body } = await rotated;
  expect(status).toBe(201);
  expect((await office.api.call("GET", "/me", { key: body.key })).status).toBe(403);
});

test("a key that is being made at that moment is suspended too", async () => {
  const { organisation } = await customer(office);
  const making = await office.db.poolAs("owner", 1).connect();
  await making.query("begin");
  const made = await makeKey(
    { sql: async (text: string, values?: unknown[]) => (await making.query(text, values)).rows },
    organisation.id,
    organisation.ownerId,
  );
  const suspended = suspend(organisation.id);
  const waiting = () =>
    office.db.sql(
      "select from pg_stat_activity where datname = current_database() and usename = 'operator' and wait_event_type = 'Lock'",
    );
  await eventually(async () => (await waiting()).length > 0);
  await making.query("commit");
  making.release();
  await suspended;
  expect((await office.api.call("GET", "/me", { key: made.text })).status).toBe(403);
});

test("its runs wait, the one under way stops before its next step, and all go on when it is lifted", async () => {
  const { who, executor } = await workplace(office, runner);
  const id = who.organisation.id;
  await who.run("First");
  const under = await claimed(executor);
  const second = await who.run("Second");
  await suspend(id);
  expect(await executor.step(under)).toBe("paused_limit");
  expect(await executor.claim()).toBeNull();
  const states = () => office.db.sql("select state::text from app.runs where organisation_id = $1 order by id", [id]);
  expect((await states()).map(({ state }) => state)).not.toContain("running");
  await lift(id);
  expect((await states()).map(({ state }) => state)).toEqual(["queued", "queued"]);
  await executor.finish(await claimed(executor));
  expect((await claimed(executor)).runId).toBe(second);
});

test("a routine that comes due fires when it is lifted, and not before, and is not told to be late meanwhile", async () => {
  const who = await customer(office);
  const { id } = (
    await who.ask("POST", "/routines", {
      botId: who.bot,
      name: "Daily",
      schedule: "0 9 * * *",
      timeZone: "UTC",
      message: "Hello",
    })
  ).body;
  await office.db.sql("update app.routines set next_firing_at = now() - interval '1 minute' where id = $1", [id]);
  const due = async () => (await office.db.sql("select from jobs.due_routines() where routine_id = $1", [id])).length;
  const late = async () =>
    (await office.db.sql<{ seconds: number }>("select (operator.measure() ->> 'routineLate')::float as seconds"))[0]
      ?.seconds;
  expect([await due(), await late()]).toEqual([1, expect.closeTo(60, -1)]);
  await suspend(who.organisation.id);
  expect([await due(), await late()]).toEqual([0, 0]);
  await lift(who.organisation.id);
  expect([await due(), await late()]).toEqual([1, expect.closeTo(60, -1)]);
});
