/** Operator actions that affect API callers, executors and people, also concurrently. */
import type { Pool } from "pg";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { linkOf, press, raiseApproval } from "../support/approvals.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeMember } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { type OperatorLogin, operatorLogin } from "../support/operator-login.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { mutation } from "./operator-action-cases.ts";

let office: PostOffice;
let operator: OperatorLogin;
let runner: Pool;
let testServer: TestConsole;
let token: string;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  [operator, testServer] = await Promise.all([operatorLogin(office.db), testConsole(office.db)]);
  token = (await mintToken(office.db, "act")).text;
  runner = office.db.poolAs("runner");
});
afterAll(async () => {
  await testServer.stop();
  await office.close();
});

/** Mints a key for the owner. */
const mintFor = ({ id, ownerId }: Customer["organisation"], more: object = {}) =>
  testServer.ask(mutation("mintKey"), token, {
    input: { organisation: id, person: ownerId, name: "New", scope: "read", days: 1, reason: "Lost", ...more },
  });

test("a minted key works at once as that person, and is stored nowhere", async () => {
  const { organisation } = await customer(office);
  const result = await mintFor(organisation);
  const { key, id } = result.data.mintKey.result;
  const me = await office.api.call("GET", "/me", { key });
  expect(me.body).toMatchObject({ key: { id, scope: "read" }, person: { userId: organisation.ownerId } });
  const rows = await office.db.sql<{ row: string }>(
    "select to_json(action)::text as row from app.operator_actions action union all select to_json(entry)::text from app.audit_log entry",
  );
  expect(rows.map(({ row }) => row).join()).not.toContain(key.slice(12));
});

test("a person who is demoted at the same moment gets no key, from the console or the command line", async () => {
  const { db } = office;
  const { organisation } = await customer(office);
  const person = await makeMember(db, organisation.id, "admin");
  const { prefix, digest } = makeCredential("bsk");
  const demoting = await begun(db);
  await demoting.query("select limits.lock_organisation($1)", [organisation.id]); // as change_member does
  await demoting.query("update app.memberships set role = 'member' where person_id = $1", [person]);
  const byConsole = mintFor({ ...organisation, ownerId: person });
  const byCommand = db
    .poolAs("cli")
    .query("select operator.mint_key($1, $2, 'New', 'read', 1, $3, $4)", [organisation.id, person, prefix, digest])
    .catch(({ message }) => message);
  await untilWaiting(db, 2, byConsole);
  await demoting.query("commit");
  expect([(await byConsole).errors?.[0]?.extensions?.code, await byCommand]).toEqual(["not_found", "not_found"]);
  expect(await db.sql("select from app.api_keys where created_by = $1", [person])).toEqual([]);
});

test.each([{ days: 0 }, { days: -1 }, { days: 366 }, { days: 36_500 }, { name: "" }, { name: "🗝".repeat(61) }])(
  "a key with %j is refused, and nothing is logged",
  async (invalid) => {
    const { organisation } = await customer(office);
    const result = await mintFor(organisation, invalid);
    expect(result.errors?.[0]?.extensions).toMatchObject({
      code: "invalid_request",
      details: [{ path: Object.keys(invalid)[0] }],
    });
    const actions = "select from app.operator_actions where organisation_id = $1";
    expect(await office.db.sql(actions, [organisation.id])).toEqual([]);
    expect(
      await office.db.sql("select from app.api_keys where scope = 'read' and organisation_id = $1", [organisation.id]),
    ).toEqual([]);
  },
);

test("a released run goes to another executor, and the first one can no longer write to it", async () => {
  const { who, executor } = await workplace(office, runner);
  const id = await who.run();
  const assignment = await leased(executor);
  await operator.perform("release_run($1, $2, 'Hangs')", [who.organisation.id, id]);
  await expect(executor.finish(assignment, "Too late.")).rejects.toThrow();
  const again = await leased(executor);
  expect([again.runId, again.leaseId === assignment.leaseId]).toEqual([id, false]);
  await executor.finish(again, "Done.");
  await expect(operator.perform("release_run($1, $2, 'Hangs')", [who.organisation.id, id])).rejects.toMatchObject({
    message: "conflict",
  });
  const { data } = (await who.ask("GET", `/runs/${id}/messages`)).body;
  expect(data.filter(({ author }: { author: string }) => author === "bot")).toHaveLength(1);
});

test("if an executor finishes while an operator releases the run, exactly one succeeds", async () => {
  const { who, executor } = await workplace(office, runner);
  for (let round = 0; round < 5; round += 1) {
    const id = await who.run();
    const assignment = await leased(executor);
    const [finished, released] = await Promise.allSettled([
      executor.finish(assignment),
      operator.perform("release_run($1, $2, 'Hangs')", [who.organisation.id, id]),
    ]);
    const [run] = await office.db.sql<{ state: string }>("select state::text from app.runs where id = $1", [id]);
    expect([finished.status, released.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(run?.state).toBe(finished.status === "fulfilled" ? "completed" : "queued");
    if (run?.state === "queued") await executor.finish(await leased(executor));
  }
});

test("an operator can approve an expired approval, which creates its memory, but not an open one", async () => {
  const { who, executor } = await workplace(office, runner);
  const run = await who.run();
  await executor.finish(await leased(executor));
  const approval = await raiseApproval(office.db, run);
  const link = await linkOf(office.db, approval);
  const memories = async () => (await who.ask("GET", "/memories")).body.data.length;
  const answer = (approve: boolean) =>
    operator.perform("answer_approval($1, $2, $3, 'They were on leave')", [who.organisation.id, approval, approve]);
  await expect(answer(true)).rejects.toMatchObject({ message: "conflict" }); // still open, so only its person can answer
  await office.db.sql("update app.approvals set expires_at = now() where id = $1", [approval]);
  expect((await press(office.api, link, "approved")).status).not.toBe(200);
  expect(await memories()).toBe(0);
  await answer(true);
  expect(await memories()).toBe(1);
  await expect(answer(false)).rejects.toMatchObject({ message: "conflict" });
  expect(await memories()).toBe(1);
});

test("resending an invitation replaces its token and does not return it", async () => {
  const who = await customer(office);
  const { id } = (await who.ask("POST", "/invitations", { email: "guest@example.test", role: "member" })).body;
  const digest = async () =>
    (
      await office.db.sql<{ hex: string }>(
        "select encode(token_digest, 'hex') as hex from app.invitations where id = $1",
        [id],
      )
    )[0]?.hex;
  const before = await digest();
  const result = await testServer.ask(mutation("resendInvitation"), token, {
    input: { organisation: who.organisation.id, invitation: id, reason: "It was not received" },
  });
  expect(result.data.resendInvitation.result.id).toBe(id);
  expect(await digest()).not.toBe(before);
  expect(JSON.stringify(result)).not.toContain("bsi_");
});

test("an action on a row of another organisation is refused with not_found", async () => {
  const [{ who: one }, other] = [await workplace(office, runner), await customer(office)];
  const run = await one.run();
  for (const call of [
    "cancel_run($1, $2, 'x')",
    "release_run($1, $2, 'x')",
    "disable_endpoint($1, $2, 'x')",
    "revoke_key($1, $2, 'x')",
  ]) {
    await expect(operator.perform(call, [other.organisation.id, run])).rejects.toMatchObject({ message: "not_found" });
  }
  expect((await one.ask("GET", `/runs/${run}`)).body.state).toBe("queued");
});
