/** Parts that the system cannot start: supervise reports it and tries again. */
import type { ChildProcess } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { awaitsEnvironment } from "../../src/config.ts";
import { type Supervised, supervise } from "../../src/processes/supervision.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { log } from "../support/logged.ts";
import { eventually } from "../support/worker.ts";

const { execPath } = process;
let db: TestDatabase;
let part: Supervised | undefined;

beforeAll(async () => {
  db = await testDatabase();
  process.env.DATABASE_URL = db.adminUrl;
  process.env.MASTER_KEY = readFileSync(join(db.dataDir, "master.key"), "utf8").trim();
});
afterEach(async () => {
  process.execPath = execPath;
  await part?.stop();
});
afterAll(() => db.drop());

const nowhere = openSync("/dev/null", "w");

test("a part that cannot be started rejects with a sentence", async () => {
  process.execPath = "/no/such/program";
  part = supervise("worker", process.env, nowhere, log);
  await expect(part.ready).rejects.toThrow(/^The worker could not be started: .*ENOENT.*\.$/);
});

test("a part that cannot be restarted is tried again until it starts", async () => {
  const children: ChildProcess[] = [];
  part = supervise("worker", process.env, nowhere, log, (child) => void children.push(child));
  await part.ready;
  process.execPath = "/no/such/program";
  children[0]?.kill("SIGKILL");
  await eventually(async () => children[0]?.signalCode === "SIGKILL");
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // several refused tries
  expect(children).toHaveLength(1);
  process.execPath = execPath;
  await eventually(async () => children.length === 2);
  expect(children[1]?.exitCode).toBeNull();
});

test("a part without the address of its database waits until its parent sends it, also after a restart", async () => {
  const { DATABASE_URL, ...others } = process.env;
  const rest = Promise.withResolvers<NodeJS.ProcessEnv>();
  const children: ChildProcess[] = [];
  const spawned = (child: ChildProcess) => void children.push(child);
  part = supervise("worker", { ...others, [awaitsEnvironment]: "1" }, nowhere, log, spawned, rest.promise);
  const order: string[] = [];
  const ready = part.ready.then(() => order.push("ready"));
  await eventually(async () => children[0]?.pid !== undefined);
  order.push("sent");
  rest.resolve({ DATABASE_URL });
  await ready;
  expect(order).toEqual(["sent", "ready"]);

  const sessions = () =>
    db.sql("select from pg_stat_activity where datname = current_database() and usename = 'worker'");
  children[0]?.kill("SIGKILL");
  await eventually(async () => children[0]?.signalCode === "SIGKILL" && (await sessions()).length === 0);
  await eventually(async () => (await sessions()).length > 0);
  expect(children).toHaveLength(2);
});
