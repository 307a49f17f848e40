/** What a part by itself does when it can't start: it waits for an outage to pass, and of all else it says why and ends. */
import { createServer, type Server } from "node:net";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
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

test("a worker whose executor can't begin ends with a sentence, instead of sending deliveries and running nothing", async () => {
  await db.sql("revoke execute on function runner.beat from runner");
  try {
    const { code, stderr } = await runProgram(["worker"], { env }).ending;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^permission denied for function beat$/m);
  } finally {
    await db.sql("grant execute on function runner.beat to runner");
  }
}, 60_000);

test("a worker that starts amid an outage waits for its end", async () => {
  await db.sql("alter function runner.beat rename to beat_of_tomorrow"); // as where a migration is under way
  const starting = testWorker(db);
  starting.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await db.sql("alter function runner.beat_of_tomorrow rename to beat");
  const worker = await starting;
  expect(await db.sql("select from app.executors")).toHaveLength(1);
  await worker.stop();
}, 60_000);

describe("where METRICS_PORT is had and the part's own port is not", () => {
  let other: Server;
  beforeEach(async () => {
    other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(env.PORT), "127.0.0.1", resolve));
  });
  afterEach(() => new Promise((resolve) => other.close(resolve)));

  test.each(["api", "console"])(
    "%s ends",
    async (part) => {
      const { code, stderr } = await runProgram([part], { env: { ...env, CONSOLE_PORT: env.PORT ?? "" } }).ending;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^Port \d+ of 127\.0\.0\.1 is taken by another program\.$/m);
    },
    60_000,
  );
});
