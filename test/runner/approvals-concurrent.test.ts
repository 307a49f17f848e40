/** Concurrent answers: with each other, with expiry, and with the end of the run, of a membership and of a bot. */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { linkOf, press } from "../support/approvals.ts";
import { makeKey, makeMember } from "../support/database.ts";
import { handExecutor, leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";
import { begun, untilWaiting } from "../support/transactions.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner", 8);
});

const memory = { scope: "bot", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." };

type Requested = Workplace & { run: Assignment; approvalId: string; token: string };

async function requested(kind: "question" | "memory"): Promise<Requested> {
  const at = await workplace(office, pool);
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Hello", untrusted: true });
  const run = await leased(at.executor);
  const approvalId =
    kind === "question" ? await at.executor.ask(run) : (await at.executor.propose(run, memory)).approvalId;
  if (kind === "memory") await at.executor.finish(run);
  return { ...at, run, approvalId: approvalId ?? "", token: await linkOf(office.db, approvalId ?? "") };
}

async function outcome({ approvalId, run }: Requested) {
  const [found] = await office.db.sql<{ state: string; answered: boolean; run: string; memories: number }>(
    `select approval.state, approval.answered_at is not null as answered, run.state as run,
       (select count(*)::int from app.memories memory where memory.run_id = run.id) as memories
     from app.approvals approval join app.runs run on run.id = approval.run_id where approval.id = $1 and run.id = $2`,
    [approvalId, run.runId],
  );
  if (!found) throw new Error("There is no such approvalId.");
  return found;
}

const times = Array.from({ length: 10 }, (_, time) => time);

test("of many simultaneous answers one takes effect, and the memory is stored at most once", async () => {
  for (const time of times.slice(0, 5)) {
    const at = await requested("memory");
    const presses = Array.from({ length: 8 }, (_, number): "approved" | "refused" =>
      number % 2 === time % 2 ? "approved" : "refused",
    );
    const pages = await Promise.all(presses.map((answer) => press(office.api, at.token, answer)));
    const { state, memories } = await outcome(at);
    expect(memories).toBe(state === "approved" ? 1 : 0);
    const heading = state === "approved" ? "<h1>Approved</h1>" : "<h1>Refused</h1>";
    for (const page of pages) expect([page.status, page.html]).toEqual([200, expect.stringContaining(heading)]);
  }
});

test("a concurrent answer and cancellation: the run is cancelled, and the approval has the state of the first", async () => {
  for (const _ of times) {
    const at = await requested("question");
    const [page] = await Promise.all([
      press(office.api, at.token, "approved"),
      at.who.ask("POST", `/runs/${at.run.runId}/cancel`),
    ]);
    const { state, answered, run } = await outcome(at);
    expect(run).toBe("cancelled");
    expect(["approved", "withdrawn"]).toContain(state);
    expect(answered).toBe(state === "approved");
    expect(page.status).toBe(state === "approved" ? 200 : 410);
  }
});

test("a concurrent answer and expiry: the run continues once, with the first of both", async () => {
  for (const _ of times) {
    const at = await requested("question");
    const other = await handExecutor(office.db, pool, [at.model]);
    await office.db.sql("update app.approvals set expires_at = clock_timestamp() + interval '15 ms' where id = $1", [
      at.approvalId,
    ]);
    let tries = 0;
    const leases: Promise<Assignment | null>[] = [];
    const pages: ReturnType<typeof press>[] = [];
    while (tries++ < 6) {
      leases.push(at.executor.lease(), other.lease());
      pages.push(press(office.api, at.token, "approved"));
      await pages.at(-1);
    }
    leases.push(at.executor.lease());
    const taken = (await Promise.all(leases)).filter((run) => run !== null);
    expect(taken).toHaveLength(1);
    const { state, answered } = await outcome(at);
    expect(["approved", "expired"]).toContain(state);
    expect(answered).toBe(state === "approved");
    expect(taken[0]?.approvals).toEqual([expect.objectContaining({ id: at.approvalId, state })]);
    for (const { status } of await Promise.all(pages)) expect(status).toBe(state === "approved" ? 200 : 410);
    await office.db.sql("update app.runs set state = 'failed', error = 'internal' where id = $1", [at.run.runId]);
  }
});

test("an approval during its person's removal stores the memory before it, or is refused", async () => {
  for (const _ of times) {
    const at = await requested("memory");
    const { id, ownerId } = at.who.organisation;
    await office.db.sql(
      `with heir as (insert into app.people (email) values ('heir-' || uuidv7() || '@example.test') returning id)
       insert into app.memberships (organisation_id, person_id, role) select $1, id, 'owner' from heir`,
      [id],
    );
    const [page] = await Promise.all([
      press(office.api, at.token, "approved"),
      office.db.sql("delete from app.memberships where organisation_id = $1 and person_id = $2", [id, ownerId]),
    ]);
    const { state, memories } = await outcome(at);
    expect([state, memories]).toEqual(memories === 1 ? ["approved", 1] : ["pending", 0]);
    expect([200, 410]).toContain(page.status); // a removed member does not even see that it was approved
    if (page.status === 200) expect(state).toBe("approved");
  }
});

test.each([
  ["PATCH", { role: "member" }],
  ["DELETE", undefined],
] as const)("the approval of a run and a concurrent %s of its approver do not deadlock", async (method, body) => {
  const at = await workplace(office, pool);
  const { id, ownerId } = at.who.organisation;
  const key = await makeKey(office.db, id, await makeMember(office.db, id, "owner"));
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Hello", untrusted: true });
  const run = await leased(at.executor);
  const { approvalId = "" } = await at.executor.start(run, at.who.bot);
  await at.executor.finish(run);
  const token = await linkOf(office.db, approvalId);

  const holding = await begun(office.db);
  await holding.query("select from app.runs where id = $1 for no key update", [run.runId]);
  const page = press(office.api, token, "approved");
  await untilWaiting(office.db, 1, page);
  const changed = office.api.call(method, `/members/${ownerId}`, { key: key.text, body });
  await untilWaiting(office.db, 2, changed);
  await holding.query("commit");
  expect((await changed).status).toBe(200);
  expect(method === "PATCH" ? [200] : [200, 410]).toContain((await page).status); // a removed member does not see that it was approved
  expect(await office.db.sql("select from app.runs where parent_run_id = $1", [run.runId])).toHaveLength(1);
});

test("a concurrent approval and erasure of its subject leave nothing about the subject", async () => {
  for (const _ of times) {
    const at = await requested("memory");
    await Promise.all([
      press(office.api, at.token, "approved"),
      at.who.ask("POST", "/memories/erase", { subjectKind: "organisation", subject: memory.subject }),
    ]);
    expect(await office.db.sql("select id from app.memories where run_id = $1", [at.run.runId])).toEqual([]);
    expect(await office.db.sql("select id from app.approvals where id = $1", [at.approvalId])).toEqual([]);
    expect((await press(office.api, at.token, "approved")).status).toBe(404);
  }
});

test("a concurrent approval and deletion of its bot leave nothing of the bot", async () => {
  for (const _ of times) {
    const at = await requested("memory");
    await Promise.all([press(office.api, at.token, "approved"), at.who.ask("DELETE", `/bots/${at.who.bot}`)]);
    expect((await outcome(at)).memories).toBe(0);
  }
});
