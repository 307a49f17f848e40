/** Logins of external executors: each may only act as an executor, and is revoked separately. Has its own cluster: a login belongs to one. */
import { userInfo } from "node:os";
import { Client } from "pg";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { commandOn, killPrograms } from "../support/program.ts";

let db: TestDatabase;
const [gpu, other, short] = ["gpu", "other", "short"] as const;

beforeAll(async () => {
  await startCluster();
  db = await testDatabase();
});
afterAll(async () => {
  await killPrograms();
  await db.drop();
  await stopCluster();
});

const botstead = (...args: string[]) => commandOn(db, args);

/** The output of executor mint: one address and nothing else. */
async function mint(name: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await botstead("executor", "mint", "--name", name, ...more);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(new RegExp(`^postgres(ql)?://executor_${name}:[\\w-]{43}@127\\.0\\.0\\.1:\\d+/${"\\w"}+\n$`));
  return stdout.trim();
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  client.on("error", () => {}); // it will be terminated
  await client.connect();
  return client;
}

test("executor mint --json prints the name and the address", async () => {
  const name = "json";
  const { stdout } = await botstead("executor", "mint", "--name", name, "--json");
  expect(JSON.parse(stdout)).toEqual({ name, url: expect.stringMatching(`^postgres(ql)?://executor_${name}:`) });
});

test("executor mint prints a login once, which may act as an executor and nothing else", async () => {
  const url = await mint(gpu);
  const client = await connected(url);
  const id = "01890000-0000-7000-8000-0000000000aa";
  await client.query("select runner.heartbeat($1, 'theirs', '{theirs}')", [id]);
  expect((await client.query("select runner.lease_run($1) as run", [id])).rows).toEqual([{ run: null }]);
  await client.query("listen botstead_runs");
  const { rows } = await client.query("select current_setting('enable_seqscan') as seqscan, current_user as me");
  expect(rows).toEqual([{ seqscan: "off", me: `executor_${gpu}` }]);
  for (const forbidden of [
    "select from app.runs",
    "select from operator.organisations",
    "select api.handle()",
    "select jobs.run_maintenance()",
    "select runner.release_expired()",
    "set role runner",
    "set role executor",
    "set role owner",
    "create table public.mine (id integer)",
    "create schema mine",
    "create role mine",
  ]) {
    const refused = await client.query(forbidden).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    expect([forbidden, refused]).toEqual([forbidden, expect.stringMatching(/^(42501|42883)$/)]);
  }
  await client.end();
  const [role] = await db.sql<{ password: string }>(
    "select rolpassword as password from pg_authid where rolname = $1",
    [`executor_${gpu}`],
  );
  expect(role?.password).toMatch(/^SCRAM-SHA-256\$/);
  const said = await botstead("executor", "mint", "--name", gpu);
  expect(said).toMatchObject({ code: 1, stdout: "", stderr: `A login named ${gpu} exists already.\n` });
});

test("executor list shows no password, and revoke ends one login at once without affecting another", async () => {
  const [mine, theirs] = [
    await connected(await mint(other)),
    await connected(await mint(short, "--expires-days", "1")),
  ];
  const listed = (await botstead("executor", "list")).stdout;
  expect(listed).toMatch(new RegExp(`^${other}\tuntil \\d{4}-\\d\\d-\\d\\d\t1 connection$`, "m"));
  const cutOff = new Promise((resolve) => mine.once("end", resolve));
  expect(JSON.parse((await botstead("executor", "list", "--json")).stdout)).toContainEqual({
    ...{ name: other, expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), connected: 1 },
  });
  const ended = await botstead("executor", "revoke", other, "--json");
  expect([ended.code, JSON.parse(ended.stdout), ended.stderr]).toEqual([0, { name: other, state: "revoked" }, ""]);
  await cutOff;
  expect((await botstead("executor", "list")).stdout).not.toContain(other);
  expect((await theirs.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await theirs.end();
  expect(await botstead("executor", "revoke", other)).toMatchObject({
    code: 1,
    stderr: "No login of an executor has that name.\n",
  });
  const log = "select operator, action, arguments from operator.actions where arguments ->> 'name' = $1 order by id";
  const commandLine = expect.stringMatching(/^.+@.+, command line$/);
  expect(await db.sql(log, [other])).toEqual([
    { operator: userInfo().username, action: "mint_executor", arguments: { name: other, days: 90, commandLine } },
    { operator: userInfo().username, action: "revoke_executor", arguments: { name: other, commandLine } },
  ]);
});

test("a minted executor cannot end the sessions of another login or read their statements", async () => {
  const builtIn = db.poolAs("runner", 1);
  const { rows: sessions } = await builtIn.query<{ pid: number }>("select pg_backend_pid() as pid");
  const mine = "sibling";
  const client = await connected(await mint(mine));
  try {
    const pid = sessions[0]?.pid;
    await expect(client.query("select pg_terminate_backend($1)", [pid])).rejects.toMatchObject({ code: "42501" });
    await expect(client.query("select pg_cancel_backend($1)", [pid])).rejects.toMatchObject({ code: "42501" });
    const { rows } = await client.query("select query from pg_stat_activity where pid = $1", [pid]);
    expect(rows).toEqual([{ query: "<insufficient privilege>" }]);
    expect((await builtIn.query("select pg_backend_pid() as pid")).rows).toEqual(sessions);
  } finally {
    await client.end();
  }
});

test("a minted executor has the built-in executor's time-outs for locks and idle transactions", async () => {
  const mine = "timeouts";
  const client = await connected(await mint(mine));
  const settings = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle`;
  const wanted = [{ lock: "5s", statement: "10s", idle: "10s" }];
  try {
    expect((await client.query(settings)).rows).toEqual(wanted);
    expect((await db.poolAs("runner", 1).query(settings)).rows).toEqual(wanted);
  } finally {
    await client.end();
  }
});

test("an expired login cannot connect", async () => {
  const url = (await db.sql<{ until: string }>("select rolvaliduntil::text as until from pg_roles where rolname = $1", [
    `executor_${short}`,
  ])) as { until: string }[];
  expect(new Date(url[0]?.until ?? "").getTime()).toBeLessThan(Date.now() + 86_401_000);
  const expired = "expired";
  const address = await mint(expired);
  await (await connected(address)).end();
  await db.sql(`alter role executor_${expired} valid until 'yesterday'`);
  await expect(connected(address)).rejects.toMatchObject({ code: "28P01" });
});

test.each(["", "GPU", "a b", "x".repeat(41), 'a"; drop role owner; --'])(
  "executor mint refuses the name %p",
  async (name) => {
    expect((await botstead("executor", "mint", "--name", name)).code).toBe(2);
  },
);
