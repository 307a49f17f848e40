/**
 * The states of a run: every transition between the eight states, the working time, and one working run per
 * conversation. (docs/specification/runs.md#states)
 */
import { Pool } from "pg";
import {
  makeExecutor,
  makeKey,
  makeOrganisation,
  type Organisation,
  setLimits,
  type TestDatabase,
  type TestKey,
  testDatabase,
} from "../support/database.ts";

const states = [
  "queued",
  "running",
  "waiting_approval",
  "blocked",
  "paused_limit",
  "completed",
  "failed",
  "cancelled",
] as const;
type State = (typeof states)[number];

const listed: Record<State, State[]> = {
  queued: ["running", "paused_limit", "cancelled", "failed"],
  running: ["waiting_approval", "blocked", "paused_limit", "queued", "completed", "failed", "cancelled"],
  waiting_approval: ["queued", "failed", "cancelled"],
  blocked: ["queued", "failed", "cancelled"],
  paused_limit: ["queued", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};
const ended: State[] = ["completed", "failed", "cancelled"];

let db: TestDatabase;
let organisation: Organisation;
let key: TestKey;
let admin: Pool;

beforeAll(async () => {
  db = await testDatabase();
  organisation = await makeOrganisation(db);
  key = await makeKey(db, organisation.id, organisation.ownerId);
  admin = new Pool({ connectionString: db.adminUrl, max: 1 });
  await setLimits(db, organisation.id, { runStartsPerHour: 1000 });
});

afterAll(async () => {
  await admin.end();
  await db.drop();
});

type Run = { id: string; conversation: string };

async function insert(table: string, values: Record<string, unknown>): Promise<string> {
  const [row] = await db.sql<{ id: string }>(
    `insert into app.${table} (organisation_id, ${Object.keys(values)})
     values ($1, ${Object.keys(values).map((_, index) => `$${index + 2}`)}) returning id`,
    [organisation.id, ...Object.values(values)],
  );
  return row?.id ?? "";
}

/** A queued run, in a conversation of its own unless one is given. */
async function queue(beside?: Run): Promise<Run> {
  const person = { person_id: organisation.ownerId };
  if (beside) {
    const [row] = await db.sql<{ bot: string }>("select bot_id as bot from app.runs where id = $1", [beside.id]);
    const run = { ...person, bot_id: row?.bot, conversation_id: beside.conversation, trigger: "api" };
    return { id: await insert("runs", run), conversation: beside.conversation };
  }
  const bot = await insert("bots", { name: "Ada", owner_id: organisation.ownerId });
  const conversation = await insert("conversations", { ...person, bot_id: bot });
  return {
    id: await insert("runs", { ...person, bot_id: bot, conversation_id: conversation, trigger: "api" }),
    conversation,
  };
}

async function move({ id }: Run, to: State): Promise<void> {
  await db.sql(
    `update app.runs set state = $2::app.run_state, lease_id = case when $2 = 'running' then uuidv7() end where id = $1`,
    [id, to],
  );
}

/** Moves a queued run into a state by listed transitions. */
async function bring(run: Run, to: State): Promise<void> {
  if (to === "queued") return;
  if (to !== "running") await move(run, "running");
  await move(run, to);
}

type Row = {
  state: State;
  lease_id: string | null;
  working_since: Date | null;
  finished_at: Date | null;
  seconds: number;
  sinceSeconds: number;
};

async function read({ id }: Run): Promise<Row> {
  const [row] = await db.sql<Row>(
    `select state, lease_id, working_since, finished_at, extract(epoch from working)::float as seconds,
       extract(epoch from clock_timestamp() - working_since)::float as "sinceSeconds"
     from app.runs where id = $1`,
    [id],
  );
  if (!row) throw new Error("no such run");
  return row;
}

/** The writers of runs: the administrator, owner (which owns definer functions) and tenant, a caller of the API. */
const writers = ["administrator", "owner", "tenant"] as const;
type Writer = (typeof writers)[number];

/** Tries the transition as this writer. @throws DatabaseError if it is refused */
async function moveAs(writer: Writer, run: Run, to: State): Promise<void> {
  if (writer === "administrator") return move(run, to);
  const client = await admin.connect();
  try {
    await client.query("begin");
    if (writer === "tenant") await client.query("select caller.authenticate($1, 'cancel_run')", [key.digest]);
    await client.query(`set local role ${writer}`);
    const lease = writer === "owner" && to === "running" ? ", lease_id = uuidv7()" : "";
    const { rowCount } = await client.query(`update app.runs set state = $2${lease} where id = $1`, [run.id, to]);
    expect(rowCount).toBe(1);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const announced = async ({ id }: Run): Promise<number> =>
  (await db.sql("select from app.events where kind = 'run.finished' and data ->> 'runId' = $1", [id])).length;

const pairs = states.flatMap((from) => states.map((to) => [from, to] as const)).filter(([from, to]) => from !== to);

const tried = pairs.flatMap(([from, to]) => writers.map((writer) => [from, to, writer] as const));
/** A caller of the API may only cancel a run. */
const mayWrite = (writer: Writer, to: State) => writer !== "tenant" || to === "cancelled";

test("only the listed roles can update a run", async () => {
  const may = await db.sql(
    `select rolname::text as name from pg_roles
     where not rolsuper and rolname !~ '^pg_' and has_any_column_privilege(oid, 'app.runs', 'update') order by 1`,
  );
  expect(may).toEqual([{ name: "owner" }, { name: "tenant" }]);
});

test.each(tried.filter(([from, to, writer]) => listed[from].includes(to) && mayWrite(writer, to)))(
  "a run can change from %s to %s by the %s",
  async (from, to, writer) => {
    const run = await queue();
    await bring(run, from);
    await moveAs(writer, run, to);
    const after = await read(run);
    expect(after.state).toBe(to);
    expect(after.finished_at !== null).toBe(ended.includes(to));
    expect(await announced(run)).toBe(ended.includes(to) ? 1 : 0);
  },
);

test.each(tried.filter(([from, to, writer]) => !listed[from].includes(to) || !mayWrite(writer, to)))(
  "a run cannot change from %s to %s by the %s",
  async (from, to, writer) => {
    const run = await queue();
    await bring(run, from);
    const before = await read(run);
    // The trigger refuses before the policy is checked.
    const refusal = listed[from].includes(to) ? { code: "42501" } : { code: "OA001", message: "conflict" };
    await expect(moveAs(writer, run, to)).rejects.toMatchObject(refusal);
    expect({ ...(await read(run)), sinceSeconds: 0 }).toEqual({ ...before, sinceSeconds: 0 });
    expect(before.state).toBe(from);
    expect(await announced(run)).toBe(ended.includes(from) ? 1 : 0);
  },
);

test.each(states)("an update of a run in state %s without a change of state inserts no event", async (state) => {
  const run = await queue();
  await bring(run, state);
  const { finished_at, lease_id } = await read(run);
  await db.sql("update app.runs set state = state, steps = steps + 1 where id = $1", [run.id]);
  expect(await read(run)).toMatchObject({ state, finished_at, lease_id });
  expect(await announced(run)).toBe(ended.includes(state) ? 1 : 0);
});

test("working time is the sum of all periods in running", async () => {
  /** As if the run had been in its state for so long already. */
  const pass = async ({ id }: Run, minutes: number) =>
    db.sql("update app.runs set working_since = working_since - make_interval(mins => $2) where id = $1", [
      id,
      minutes,
    ]);
  const run = await queue();
  expect(await read(run)).toMatchObject({ seconds: 0, working_since: null });

  await move(run, "running");
  await pass(run, 4);
  await move(run, "waiting_approval");
  const first = await read(run);
  expect(first.seconds).toBeGreaterThanOrEqual(240);
  expect(first.seconds).toBeLessThan(270);
  expect(first).toMatchObject({ working_since: null, lease_id: null });

  await pass(run, 60); // waits for a person: no working time passes
  await move(run, "queued");
  expect((await read(run)).seconds).toBe(first.seconds);

  await move(run, "running");
  const again = await read(run);
  expect(again.seconds).toBe(first.seconds);
  expect(again.sinceSeconds).toBeLessThan(30); // starts again, and not at the start of the first period
  await pass(run, 3);
  await move(run, "completed");
  const { seconds } = await read(run);
  expect(seconds - first.seconds).toBeGreaterThanOrEqual(180);
  expect(seconds - first.seconds).toBeLessThan(210);
});

describe("a conversation has one running run:", () => {
  test.each(["running", "waiting_approval"] as const)("while a run is %s no other is leased", async (state) => {
    const first = await queue();
    const second = await queue(first);
    const elsewhere = await queue();
    await bring(first, state);
    await expect(move(second, "running")).rejects.toMatchObject({ code: "23505", constraint: "runs_one_working" });
    expect((await read(second)).state).toBe("queued");
    await move(elsewhere, "running"); // another conversation does not wait
    await move(first, "failed");
    await move(second, "running");
    expect((await read(second)).state).toBe("running");
  });

  test.each(["blocked", "paused_limit"] as const)("while a run is %s the next one is leased", async (state) => {
    const first = await queue();
    const second = await queue(first);
    await bring(first, state);
    await move(second, "running");
    expect((await read(second)).state).toBe("running");
  });

  test("concurrent executors lease one run of a conversation", async () => {
    await db.sql("update app.runs set state = 'cancelled' where state in ('queued', 'paused_limit')"); // runs of other tests
    const executor = await makeExecutor(db);
    const first = await queue();
    for (let more = 0; more < 4; more += 1) await queue(first);
    const runner = db.poolAs("runner", 8);
    const results = await Promise.all(
      Array.from({ length: 16 }, () =>
        runner.query<{ run: { runId: string } | null }>("select runner.lease_run($1) as run", [executor]),
      ),
    );
    const leased = results.flatMap(({ rows }) => rows.map(({ run }) => run?.runId)).filter(Boolean);
    expect(leased).toEqual([first.id]);
    const working = await db.sql("select id from app.runs where conversation_id = $1 and state = 'running'", [
      first.conversation,
    ]);
    expect(working).toEqual([{ id: first.id }]);
  });
});
