/** A run that asks its person a question, and how it continues. (docs/specification/approvals.md#states) */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { leased, type Workplace, workplace } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

type Asking = Workplace & { run: Assignment; approvalId: string };

async function asking(expiresIn?: string): Promise<Asking> {
  const at = await workplace(office, pool);
  await at.who.run();
  const run = await leased(at.executor);
  await at.executor.step(run);
  return {
    ...at,
    run,
    approvalId: await at.executor.ask(run, "May I write to them?", "They asked for it.", expiresIn),
  };
}

const stateOf = async ({ who, run }: Asking) => (await who.ask("GET", `/runs/${run.runId}`)).body.state as string;
const approvalOf = async (id: string) => (await office.db.sql("select * from app.approvals where id = $1", [id]))[0];
const expire = (id: string) => office.db.sql("update app.approvals set expires_at = now() where id = $1", [id]);

test("ask sets the run to waiting and ends its lease", async () => {
  const at = await asking();
  expect(await stateOf(at)).toBe("waiting_approval");
  await expect(at.executor.step(at.run)).rejects.toMatchObject({ code: "OA002" });
  expect(await at.executor.lease()).toBeNull();
  expect(await approvalOf(at.approvalId)).toMatchObject({
    kind: "question",
    question: "May I write to them?",
    reason: "They asked for it.",
    proposal: null,
    state: "pending",
    person_id: at.who.organisation.ownerId,
  });
});

test.each(["approved", "refused"])(
  "a run whose question is %s continues, and its executor gets the answer",
  async (state) => {
    const at = await asking();
    await office.db.sql("update app.approvals set state = $2, answered_at = now() where id = $1", [
      at.approvalId,
      state,
    ]);
    expect(await stateOf(at)).toBe("queued");
    const again = await leased(at.executor);
    expect(again).toMatchObject({ runId: at.run.runId, steps: 1 });
    expect(again.approvals).toEqual([
      {
        id: at.approvalId,
        kind: "question",
        question: "May I write to them?",
        state,
        answeredAt: expect.any(String),
        comment: null,
      },
    ]);
  },
);

test("an expired question lets the run continue, with or without a worker", async () => {
  const at = await asking();
  expect(await at.executor.lease()).toBeNull();
  await expire(at.approvalId);
  const again = await leased(at.executor);
  expect(again.approvals).toEqual([expect.objectContaining({ id: at.approvalId, state: "expired", answeredAt: null })]);
  expect(await approvalOf(at.approvalId)).toMatchObject({ state: "expired" });
  // It may ask again, and then gets both answers.
  const second = await at.executor.ask(again);
  await expire(second);
  expect((await leased(at.executor)).approvals.map(({ id }) => id)).toEqual([at.approvalId, second]);
});

test.each([
  ["1 minute", true],
  ["30 days", true],
  ["59 seconds", false],
  ["30 days 1 second", false],
])("ask accepts an expiry in %s: %s", async (expiresIn, may) => {
  const question = asking(expiresIn);
  if (may) expect(await stateOf(await question)).toBe("waiting_approval");
  else await expect(question).rejects.toMatchObject({ code: "22023" });
});

test("an approval expires after three days by default", async () => {
  const at = await asking();
  const found = await approvalOf(at.approvalId);
  expect(Number(found?.expires_at) - Number(found?.created_at)).toBeCloseTo(3 * 86_400_000, -4);
});

test.each([
  ["", "why"],
  ["a".repeat(2001), "why"],
  ["May I?", ""],
  ["May I?", "a".repeat(2001)],
])("ask refuses a question or reason outside 1 to 2,000 characters", async (question, reason) => {
  const at = await workplace(office, pool);
  await at.who.run();
  const run = await leased(at.executor);
  await expect(at.executor.ask(run, question, reason)).rejects.toMatchObject({ code: "22023" });
  await at.executor.ask(run, "a".repeat(2000), "a".repeat(2000));
});

test("ask of a run past its working time fails the run", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const run = await leased(at.executor);
  await office.db.sql("update app.runs set working_since = clock_timestamp() - interval '601 s' where id = $1", [
    run.runId,
  ]);
  expect(await at.executor.ask(run)).toBeNull();
  expect((await at.who.ask("GET", `/runs/${run.runId}`)).body).toMatchObject({
    state: "failed",
    error: { code: "budget_time" },
  });
  expect(await office.db.sql("select id from app.approvals where run_id = $1", [run.runId])).toEqual([]);
});

/** A tainted run that has proposed a memory and asked a question. */
async function withProposalAndQuestion() {
  const at = await workplace(office, pool);
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "Hello", untrusted: true });
  const run = await leased(at.executor);
  const memory = { scope: "bot", kind: "fact", subject: "We", value: "We are." };
  const { approvalId: proposal = "" } = await at.executor.propose(run, memory);
  return { at, run, proposal, question: await at.executor.ask(run) };
}

test("cancelling a run withdraws its approvals, including proposed memories", async () => {
  const { at, run, question, proposal } = await withProposalAndQuestion();
  await at.who.ask("POST", `/runs/${run.runId}/cancel`);
  for (const id of [question, proposal]) expect(await approvalOf(id)).toMatchObject({ state: "withdrawn" });
});

test("a run that fails while it waits withdraws its question and keeps its proposals", async () => {
  const { run, question, proposal } = await withProposalAndQuestion();
  await office.db.sql("update app.runs set state = 'failed', error = 'internal' where id = $1", [run.runId]);
  expect(await approvalOf(question)).toMatchObject({ state: "withdrawn" });
  expect(await approvalOf(proposal)).toMatchObject({ state: "pending" });
});

test("ask creates an event with ids and state, without text", async () => {
  const at = await asking();
  const found = await office.db.sql<{ data: object }>(
    "select data from app.events where organisation_id = $1 and kind = 'approval.needed'",
    [at.who.organisation.id],
  );
  expect(found).toEqual([
    {
      data: {
        approvalId: at.approvalId,
        runId: at.run.runId,
        botId: at.who.bot,
        conversationId: expect.any(String),
        kind: "question",
        state: "pending",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      },
    },
  ]);
});
