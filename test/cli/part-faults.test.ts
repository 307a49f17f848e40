/** A part that cannot start: it waits during an outage, and otherwise ends with the reason. */
import { createServer, type Server } from "node:net";
import { freePort } from "../../src/database/embedded/port.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import { testWorker } from "../support/worker.ts";

let db: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  const [port, metrics] = [await freePort(), await freePort()];
  env = {
    DATABASE_URL: db.adminUrl,
    MASTER_KEY: db.masterKey,
    DATA_DIR: db.dataDir,
    PORT: String(port),
    METRICS_PORT: String(metrics),
  };
});
afterEach(killPrograms);
afterAll(() => db.drop());

test("a worker whose executor cannot start ends with a sentence", async () => {
  await db.sql("revoke execute on function runner.heartbeat from executor");
  try {
    const { code, stderr } = await runProgram(["worker"], { env }).ending;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^permission denied for function heartbeat$/m);
  } finally {
    await db.sql("grant execute on function runner.heartbeat to executor");
  }
});

test("a worker that starts during an outage waits for the database", async () => {
  await db.sql("alter function runner.heartbeat rename to heartbeat_of_tomorrow"); // as during a migration
  const starting = testWorker(db);
  starting.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // the length of the outage, with several tries
  await db.sql("alter function runner.heartbeat_of_tomorrow rename to heartbeat");
  const worker = await starting;
  expect(await db.sql("select from app.executors")).toHaveLength(1);
  await worker.stop();
});

describe("a process whose port is in use, with a free METRICS_PORT", () => {
  let other: Server;
  beforeEach(async () => {
    other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(env.PORT), "127.0.0.1", resolve));
  });
  afterEach(() => new Promise((resolve) => other.close(resolve)));

  test.each(["api", "console"])("%s exits with 1 and names the port", async (part) => {
    const { code, stderr } = await runProgram([part], { env: { ...env, CONSOLE_PORT: env.PORT ?? "" } }).ending;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use by another program\.$/m);
  });
});
