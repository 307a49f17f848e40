/** Every command that changes something works with only what it cannot guess (docs/specification/service.md#command-line). */
import { userInfo } from "node:os";
import { testApi } from "../support/api.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { everyCommand } from "../support/commands.ts";
import { makeExecutor, makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { makeDeliveries, makeEvents } from "../support/events.ts";
import { command, killPrograms } from "../support/program.ts";
import { eventually, testWorker } from "../support/worker.ts";

let db: TestDatabase;
let lines: Record<string, string[]>;

beforeAll(async () => {
  await startCluster();
  db = await testDatabase();
  const worker = await testWorker(db);
  await eventually(async () => (await db.sql("select from operator.signing_keys")).length > 0);
  await worker.stop();
  lines = await everyLine();
});
afterAll(async () => {
  await killPrograms();
  await db.drop();
  await stopCluster();
});

const botstead = (args: string[], env: Record<string, string> = {}) =>
  command(args, { cwd: db.dataDir, env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey, ...env } });

/** Arguments of each command that takes --by, in an order in which each can succeed. */
async function everyLine(): Promise<Record<string, string[]>> {
  const { id, ownerId, email } = await makeOrganisation(db);
  const key = await makeKey(db, id, ownerId, "admin");
  const platformKey = await botstead(["platform-key", "mint", "--name", "first"]);
  const made = await aRunAndADelivery(id, key.text);
  return {
    "platform-key mint": ["--name", "x"],
    "platform-key revoke": [platformKey.stdout.slice(0, 12)],
    "key mint": ["--organisation", id, "--person", email, "--name", "x"],
    "key revoke": [key.id],
    "run cancel": [made.runId],
    "delivery redeliver": [made.deliveryId],
    "operator mint": ["--name", "x"],
    "operator revoke": ["x"],
    "executor mint": ["--name", "x"],
    "executor revoke": ["x"],
    "model-price set": ["large", "--input", "1", "--output", "2"],
    "model-price withdraw": ["large"],
    "signing-key rotate": [],
    "audit accept-fault": ["--organisation", await aFault(id), "--fault", "removed", "--sequence", "1"],
    "audit accept": [await aFinding()],
    "audit revoke": [await aFinding()],
  };
}

async function aRunAndADelivery(organisationId: string, key: string): Promise<{ runId: string; deliveryId: string }> {
  const api = await testApi(db);
  const post = async (path: string, body: object) => (await api.call("POST", path, { key, body })).body.id;
  try {
    await makeExecutor(db);
    const runId = await post("/runs", { botId: await post("/bots", { name: "Guide" }), message: "Hello" });
    const endpointId = await post("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
    const [eventId = ""] = await makeEvents(db, { organisationId });
    const [deliveryId = ""] = await makeDeliveries(db, { organisationId, endpointId, eventId });
    return { runId, deliveryId };
  } finally {
    await api.stop();
  }
}

async function aFault(organisation: string): Promise<string> {
  await db.sql(
    "insert into app.audit_faults (organisation_id, fault, sequence, last_sequence) values ($1, 'removed', 1, 1)",
    [organisation],
  );
  return organisation;
}

async function aFinding(): Promise<string> {
  await db.sql("create table if not exists public.notes (text text)");
  const [found] = await db.sql<{ finding: string }>(
    "select finding from audit.findings where object = 'table public.notes' order by finding limit 1",
  );
  return found?.finding ?? "";
}

/** These need a second cell: test/cells/commands.test.ts gives no more either. */
const ofCells = ["organisation move", "cell add"];

test("the table has every command that takes --by, and no command requires --by or --reason", async () => {
  const commands = [...(await everyCommand())].map(([words, { options }]) => ({
    words,
    optional: options.filter(({ long, mandatory }) => ["--by", "--reason"].includes(long ?? "") && !mandatory).length,
    known: options.filter(({ long }) => ["--by", "--reason"].includes(long ?? "")).length,
  }));
  const attributed = commands.filter(({ known }) => known > 0);
  expect(attributed.filter(({ known, optional }) => known !== 2 || optional !== 2)).toEqual([]);
  expect(attributed.map(({ words }) => words).sort()).toEqual([...Object.keys(lines), ...ofCells].sort());
});

test("each command records the login of the operating system, and no reason", async () => {
  const count = async () => {
    const [row] = await db.sql<{ count: number }>("select count(*)::integer as count from operator.actions");
    return row?.count ?? 0;
  };
  for (const [words, args] of Object.entries(lines)) {
    const before = await count();
    const { code, stderr } = await botstead([...words.split(" "), ...args]);
    expect([words, code, stderr]).toEqual([words, 0, ""]);
    expect([words, await count()]).toEqual([words, before + 1]);
    expect(
      await db.sql("select operator, reason from operator.actions order by created_at desc, id desc limit 1"),
    ).toEqual([{ operator: userInfo().username, reason: null }]);
  }
  expect((await botstead(["audit", "list"])).code).toBe(0);
  expect((await botstead(["model-price", "list", "--all"])).stdout).toMatch(/^large\t1\.00\t2\.00\twithdrawn \S+\t$/m);
});

test.each([
  [{ SUDO_USER: "olga" }, [], { operator: "olga", reason: null }],
  [{ SUDO_USER: "olga" }, ["--by", "Ada", "--reason", "First key"], { operator: "Ada", reason: "First key" }],
  [{ SUDO_USER: " " }, [], { operator: userInfo().username, reason: null }],
  [{ SUDO_USER: "o".repeat(61) }, [], { operator: "o".repeat(60), reason: null }],
])("with %j and %j, a command records %j", async (env, options, recorded) => {
  const args = ["platform-key", "mint", "--name", "x", "--expires-days", "1", ...options];
  expect(await botstead(args, env)).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^bsp_\w+\n$/),
  });
  expect(
    await db.sql("select operator, reason from operator.actions order by created_at desc, id desc limit 1"),
  ).toEqual([recorded]);
});
