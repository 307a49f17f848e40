/**
 * Runs that a run starts: for the same person, with the same checks, and tainted if it is.
 * (docs/specification/executors.md#proposing)
 */
import type { Pool } from "pg";
import { linkOf, press } from "../support/approvals.ts";
import { makeMember, noteModels, setLimits } from "../support/database.ts";
import { leased, type WorkInProgress, workInProgress } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

type AtWork = WorkInProgress & { other: string };

/** A run in progress, and another bot with the same model. */
async function atWork(untrusted: boolean): Promise<AtWork> {
  const at = await workInProgress(office, pool, { untrusted });
  const other = (await at.who.ask("POST", "/bots", { name: "Other", model: at.model })).body.id;
  return { ...at, other };
}

const runsOf = ({ other }: AtWork) =>
  office.db.sql<{ id: string; taint: boolean; parent_run_id: string; trigger: string; person_id: string }>(
    "select * from app.runs where bot_id = $1",
    [other],
  );

test("start_run of an untainted run starts an untainted run", async () => {
  const at = await atWork(false);
  const { runId, ...rest } = await at.executor.start(at.run, at.other, "When does the harbour close?");
  expect(rest).toEqual({});
  expect(await runsOf(at)).toEqual([
    expect.objectContaining({
      id: runId,
      taint: false,
      parent_run_id: at.run.runId,
      trigger: "api",
      person_id: at.who.organisation.ownerId,
    }),
  ]);
  expect(await leased(at.executor)).toMatchObject({ runId, taint: false, message: "When does the harbour close?" });
  // The message in the conversation is the bot's, not the person's.
  const { data } = (await at.who.ask("GET", `/runs/${runId}/messages`)).body;
  expect(data).toEqual([expect.objectContaining({ author: "bot", text: "When does the harbour close?" })]);
});

test("start_run of a tainted run creates an approval, and the approved run is tainted", async () => {
  const at = await atWork(true);
  const { approvalId = "", ...rest } = await at.executor.start(at.run, at.other, "Write to everybody.");
  expect(rest).toEqual({});
  expect(await runsOf(at)).toEqual([]);
  await at.executor.finish(at.run);
  expect((await at.who.ask("GET", `/approvals/${approvalId}`)).body).toMatchObject({
    kind: "run",
    memory: null,
    run: { botId: at.other, message: "Write to everybody." },
  });
  const token = await linkOf(office.db, approvalId);
  const page = await (await fetch(`${office.api.url}/approval/${token}`)).text();
  expect(page).toContain("<h1>May it start a run?</h1>");
  expect(page).toContain("<strong>Other</strong>");
  expect(page).toContain("Write to everybody.</blockquote>");
  expect((await press(office.api, token, "approved")).status).toBe(200);
  expect(await runsOf(at)).toEqual([expect.objectContaining({ taint: true, parent_run_id: at.run.runId })]);
  // A run that this one starts is tainted too.
  const child = await leased(at.executor);
  expect(child).toMatchObject({ taint: true, message: "Write to everybody." });
  expect(await at.executor.start(child, at.who.bot)).toEqual({ approvalId: expect.any(String) });
});

test.each([
  ["is started", false],
  ["is asked for", true],
])("the same run requested twice %s once, and one with another bot or message separately", async (_what, untrusted) => {
  const at = await atWork(untrusted);
  const { who, executor, run, other } = at;
  const first = await executor.start(run, other, "Look into it.");
  expect(await executor.start(run, other, "Look into it.")).toEqual(first);
  for (const [bot, message] of [
    [other, "Look again."],
    [who.bot, "Look into it."],
  ]) {
    expect(await executor.start(run, bot ?? "", message)).not.toEqual(first);
  }
  const started = await office.db.sql("select from app.runs where parent_run_id = $1", [run.runId]);
  const approvals = await office.db.sql("select from app.approvals where run_id = $1", [run.runId]);
  expect([started.length, approvals.length]).toEqual(untrusted ? [0, 3] : [3, 0]);
});

test("start_run repeats no run that an answer or another run started with the same message", async () => {
  const at = await atWork(false);
  const first = await at.executor.start(at.run, at.other, "Look into it.");
  const child = await leased(at.executor);
  await at.executor.finish(child, "Found.");
  expect(await at.executor.start(at.run, at.other, "Found.")).not.toEqual(first);
  await at.executor.finish(at.run);
  await at.executor.finish(await leased(at.executor));
  await at.who.run("Hello again");
  const next = await leased(at.executor);
  expect(await at.executor.start(next, at.other, "Look into it.")).not.toEqual(first);
});

test("a refused approval starts no run", async () => {
  const at = await atWork(true);
  const { approvalId = "" } = await at.executor.start(at.run, at.other);
  await press(office.api, await linkOf(office.db, approvalId), "refused");
  expect(await runsOf(at)).toEqual([]);
});

const gates: [why: string, refusal: string, status: number, shut: (at: AtWork) => Promise<unknown>][] = [
  ["the bot is gone", "not_found", 404, ({ who, other }) => who.ask("DELETE", `/bots/${other}`)],
  [
    "the bot belongs to another person",
    "not_found",
    404,
    async ({ who, other }) =>
      office.db.sql("update app.bots set visibility = 'personal', owner_id = $2 where id = $1", [
        other,
        await makeMember(office.db, who.organisation.id, "member"),
      ]),
  ],
  [
    "only its owner talks to the bot",
    "not_found",
    404,
    ({ other }) =>
      office.db.sql(
        `with eve as (insert into app.people (email) values ('eve-' || uuidv7() || '@example.test') returning id)
         update app.bots set direct_conversation = 'owner', owner_id = eve.id from eve where bots.id = $1`,
        [other],
      ),
  ],
  [
    "nothing is paid",
    "payment_required",
    402,
    ({ who }) =>
      office.db.sql("update app.organisations set billing_state = 'none' where id = $1", [who.organisation.id]),
  ],
  [
    "the hour's starts are used up",
    "quota_exceeded",
    429,
    ({ who }) => setLimits(office.db, who.organisation.id, { runStartsPerHour: 0 }),
  ],
  [
    "no executor serves the bot's model",
    "unavailable",
    503,
    async ({ who, other }) => {
      await noteModels(office.db, "unserved");
      await who.ask("PATCH", `/bots/${other}`, { model: "unserved" });
    },
  ],
];

describe.each(gates)("when %s", (_why, message, status, shut) => {
  test.each([false, true])(
    "start_run with taint %s neither starts a run nor creates an approval",
    async (untrusted) => {
      const at = await atWork(untrusted);
      await shut(at);
      await expect(at.executor.start(at.run, at.other)).rejects.toMatchObject({ code: "OA001", message });
      expect(await runsOf(at)).toEqual([]);
      expect(await office.db.sql("select id from app.approvals where run_id = $1", [at.run.runId])).toEqual([]);
    },
  );

  test("approving is refused with a message, and refusing succeeds", async () => {
    const at = await atWork(true);
    const { approvalId = "" } = await at.executor.start(at.run, at.other);
    await shut(at);
    const token = await linkOf(office.db, approvalId);
    const page = await press(office.api, token, "approved");
    expect([page.status, page.html]).toEqual([status, expect.stringContaining('role="alert"')]);
    expect(await runsOf(at)).toEqual([]);
    expect((await press(office.api, token, "refused")).html).toContain("<h1>Refused</h1>");
  });
});

test.each(["", "a".repeat(32_001)])("start_run refuses a message outside 1 to 32,000 characters", async (message) => {
  const at = await atWork(false);
  await expect(at.executor.start(at.run, at.other, message)).rejects.toMatchObject({ message: "invalid_request" });
  expect(await runsOf(at)).toEqual([]);
});

test("start_run needs the current lease, and a bot of the same organisation", async () => {
  const [at, eve] = [await atWork(false), await atWork(false)];
  await expect(at.executor.start(at.run, eve.other)).rejects.toMatchObject({ message: "not_found" });
  const late = { ...at.run, leaseId: at.run.runId };
  await expect(at.executor.start(late, at.other)).rejects.toMatchObject({ code: "OA002" });
  expect(await runsOf(at)).toEqual([]);
});
