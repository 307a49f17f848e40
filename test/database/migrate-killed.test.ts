/** A migration that is killed at any point: the next one completes it with the same result. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { migrate } from "../../src/database/migrate.ts";
import { emptyDatabasesOfFile, sharedServer, stateOf } from "../support/migrated.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

const server = sharedServer();
const masterKey = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
let state: string[];
/** Duration of each step without a kill, in ms. */
const took: Record<string, number> = {};
/** Exit code or signal of each killed process. */
const ends: unknown[] = [];

const empty = emptyDatabasesOfFile(server);

function migrateApart(url: string): ChildProcess {
  const script = fileURLToPath(new URL("../support/migrate-child.ts", import.meta.url));
  return spawn(process.execPath, [script, url, masterKey], { stdio: ["ignore", "pipe", "inherit"] });
}

/** Resolves when the child announces this step. */
function begun(child: ChildProcess, step: string): Promise<void> {
  return new Promise((resolve) => {
    child.stdout?.on("data", (said) => String(said).includes(step) && resolve());
  });
}

const steps = ["Applying migrations", "Applying definitions"];

beforeAll(async () => {
  const url = await empty();
  const child = migrateApart(url);
  const ended = once(child, "exit");
  let last = Date.now();
  let before: string | undefined;
  for await (const chunk of child.stdout ?? []) {
    for (const step of steps.filter((step) => String(chunk).includes(step))) {
      if (before) took[before] = Date.now() - last;
      last = Date.now();
      before = step;
    }
  }
  expect(await ended).toEqual([0, null]);
  if (before) took[before] = Date.now() - last;
  state = await stateOf(url);
});

test("both steps of a migration take measurable time", () => {
  expect(Object.keys(took)).toEqual(steps);
  for (const step of steps) expect(took[step]).toBeGreaterThan(10);
});

describe.each(steps)('a migration killed during "%s"', (step) => {
  test.each([0, 0.25, 0.5, 0.75])(
    "after about %d of the step is completed by the next",
    async (way) => {
      const url = await empty();
      const child = migrateApart(url);
      const ended = once(child, "exit");
      await begun(child, step);
      // Kills hit different moments of the step.
      await sleep((way + Math.random() * 0.25) * (took[step] ?? 0));
      child.kill("SIGKILL");
      ends.push(await ended);
      await migrate({ adminUrl: url, key: server.key });
      expect(await stateOf(url)).toEqual(state);
    },
    60_000,
  );
});

test("migrate waits for the child of a killed migration that is still creating tables", async () => {
  const url = await empty();
  const blocker = new Client({ connectionString: url });
  blocker.on("error", () => {}); // ended with the database when the test fails
  await blocker.connect();
  await blocker.query("begin; create schema app"); // blocks any other creation of this schema until the rollback
  const child = migrateApart(url);
  const ended = once(child, "exit");
  const waiting = (kind: string) =>
    query(
      url,
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1 and usename = 'owner'`,
      [kind],
    );
  await eventually(async () => (await waiting("transactionid")).length > 0);
  child.kill("SIGKILL");
  await ended;
  const next = migrate({ adminUrl: url, key: server.key });
  const early = await Promise.race([
    next.then(() => "done"),
    eventually(async () => (await waiting("advisory")).length > 0),
  ]);
  expect(early).toBeUndefined();
  await blocker.query("rollback");
  await blocker.end();
  await next;
  expect(await stateOf(url)).toEqual(state);
}, 60_000);

test("at least half of the kills interrupted a migration", () => {
  expect(ends).toHaveLength(8);
  expect(ends.filter((end) => JSON.stringify(end) === '[null,"SIGKILL"]').length).toBeGreaterThanOrEqual(4);
});
