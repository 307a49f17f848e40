/** What the on-call commands print while the database has no free connection or lock. Fills both, so it has its own cluster. */
import { Client } from "pg";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { commandOn, killPrograms } from "../support/program.ts";

let db: TestDatabase;
const clients: Client[] = [];

beforeAll(async () => {
  await startCluster({ max_connections: "25" });
  db = await testDatabase();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
});

afterAll(async () => {
  await killPrograms();
  await db.drop();
  await stopCluster();
});

async function session(): Promise<Client> {
  const client = new Client({ connectionString: db.adminUrl });
  client.on("error", () => {});
  await client.connect();
  clients.push(client);
  return client;
}

/** Repeats until it fails. */
async function exhaust(step: () => Promise<unknown>): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    isLeft = await step().then(
      () => true,
      () => false,
    );
  }
}

async function expectPrinted(found: string, remedy: string): Promise<void> {
  const { code, stdout } = await commandOn(db, ["doctor", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).checks).toContainEqual({ check: "database", result: "failed", found, remedy });
  for (const line of [["status"], ["audit"]])
    expect(await commandOn(db, line)).toMatchObject({ code: 3, stderr: `${found}\n` });
}

test("doctor, status and audit name exhausted connections", async () => {
  await exhaust(session);
  await expectPrinted(
    "The database refused: sorry, too many clients already.",
    "docs/runbooks/database.md, BotsteadConnectionsRunOut",
  );
});

test("doctor, status and audit name a full lock table", async () => {
  const filling = await session();
  for (const step of [1000, 100, 10, 1]) {
    const locks = `select pg_advisory_lock((random() * 1e12)::bigint) from generate_series(1, ${step})`;
    await exhaust(() => filling.query(locks));
  }
  await expectPrinted(
    "The database refused: out of shared memory.",
    "Give the database more memory, or end sessions. Out of shared memory: docs/executors.md.",
  );
});
