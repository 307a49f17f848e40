/** Effects of suspending an organisation. (docs/console.md) */
import type { Pool } from "pg";
import { makeKey } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { type OperatorLogin, operatorLogin } from "../support/operator-login.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

let operator: OperatorLogin;
let runner: Pool;
const office = ownOfficeOfFile({ worker: false });
beforeAll(async () => {
  operator = await operatorLogin(office.db);
  runner = office.db.poolAs("runner");
});

const suspend = (id: string) => operator.perform("suspend_organisation($1, 'Abuse')", [id]);
const lift = (id: string) => operator.perform("lift_suspension($1, 'Settled')", [id]);

test("all keys of a suspended organisation get 403, including new ones; other organisations are unaffected", async () => {
  const [suspended, other] = [await customer(office), await customer(office)];
  await suspend(suspended.organisation.id);
  const made = await makeKey(office.db, suspended.organisation.id, suspended.organisation.ownerId, "admin");
  for (const reply of [
    await suspended.ask("GET", "/me", undefined, "mayFail"),
    await suspended.ask("GET", "/no-such-bot", undefined, "mayFail"),
    await suspended.ask("POST", "/bots", { name: "Late" }, "mayFail"),
    await office.api.call("GET", "/bots", { key: made.text }),
  ].filter(({ status }) => status !== 404)) {
    expect([reply.status, reply.body.error.code]).toEqual([403, "forbidden"]);
  }
  expect(
    await office.db.sql("select from app.bots where organisation_id = $1", [suspended.organisation.id]),
  ).toHaveLength(1);
  expect((await other.ask("GET", "/me")).status).toBe(200);
  await lift(suspended.organisation.id);
  expect((await suspended.ask("GET", "/me")).status).toBe(200);
  expect((await office.api.call("GET", "/bots", { key: made.text })).status).toBe(200);
});

test("the 403 is not stored under its Idempotency-Key, so the request succeeds after the suspension", async () => {
  const { organisation } = await customer(office);
  const key = (await makeKey(office.db, organisation.id, organisation.ownerId)).text;
  const call = () => office.api.call("POST", "/bots", { key, body: { name: "Again" }, idempotencyKey: "once" });
  await suspend(organisation.id);
  expect((await call()).status).toBe(403);
  await lift(organisation.id);
  expect((await call()).status).toBe(201);
  await suspend(organisation.id);
  expect((await call()).status).toBe(403); // the stored response is not returned either
});

test("suspension does not deadlock with a concurrent key rotation, and the new key gets 403", async () => {
  const who = await customer(office);
  const { id } = who.organisation;
  const { body: old } = await who.ask("POST", "/keys", { name: "CI" });
  const suspending = await begun(office.db);
  await suspending.query("select from app.organisations where id = $1 for no key update", [id]); // the lock that the update takes
  const rotated = who.ask("POST", `/keys/${old.id}/rotate`, {}, "mayFail");
  await untilWaiting(office.db, 1, rotated);
  await suspending.query("update app.organisations set suspended_at = now() where id = $1", [id]);
  await suspending.query("commit");
  const { status, body } = await rotated;
  expect(status).toBe(201);
  expect((await office.api.call("GET", "/me", { key: body.key })).status).toBe(403);
});

test("a key created concurrently with the suspension gets 403", async () => {
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

test("runs of a suspended organisation wait, a running one pauses at its next step, and all resume afterwards", async () => {
  const { who, executor } = await workplace(office, runner);
  const id = who.organisation.id;
  await who.run("First");
  const running = await leased(executor);
  const second = await who.run("Second");
  await suspend(id);
  expect(await executor.step(running)).toBe("paused_limit");
  expect(await executor.lease()).toBeNull();
  const states = () => office.db.sql("select state::text from app.runs where organisation_id = $1 order by id", [id]);
  expect((await states()).map(({ state }) => state)).not.toContain("running");
  await lift(id);
  expect((await states()).map(({ state }) => state)).toEqual(["queued", "queued"]);
  await executor.finish(await leased(executor));
  expect((await leased(executor)).runId).toBe(second);
});

test("a due routine fires only after the suspension, and is not measured as late meanwhile", async () => {
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
