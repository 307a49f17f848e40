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
import { long } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";

const server = sharedServer();
const masterKey = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
let state: string[];
/** Duration of each step without a kill, in ms. */
const took: Record<string, number> = {};
/** Exit code or signal of each killed process. */
const ends: unknown[] = [];

const empty = emptyDatabasesOfFile(server);

/** @param age "new" for a database that is compared with itself, which takes half as long */
function migrateApart(url: string, age: "new" | "old" = "new"): ChildProcess {
  const script = fileURLToPath(new URL("../support/migrate-child.ts", import.meta.url));
  return spawn(process.execPath, [script, url, masterKey, age], { stdio: ["ignore", "pipe", "inherit"] });
}

const complete = (adminUrl: string) => migrate({ adminUrl, key: server.key, isNew: true });

/** Resolves when the child announces this step, or ends because an earlier one completed it. */
function begun(child: ChildProcess, step: string): Promise<void> {
  return new Promise((resolve) => {
    child.stdout?.on("data", (said) => String(said).includes(step) && resolve());
    child.once("exit", () => resolve());
  });
}

const steps = ["Applying migrations", "Applying definitions"] as const;

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

/** Starts a migration, and kills it after about this part of the step. */
async function migrateUntilKilled(url: string, step: (typeof steps)[number], part: number): Promise<void> {
  const child = migrateApart(url);
  const ended = once(child, "exit");
  await begun(child, step);
  // Kills hit different moments of the step.
  await sleep((part + Math.random() * 0.25) * (took[step] ?? 0));
  child.kill("SIGKILL");
  ends.push(await ended);
}

const parts = [0, 0.25, 0.5, 0.75];

test.each(long ? parts : [0, 0.5])(
  'a migration killed during "Applying migrations" after about %d of it is completed by the next',
  async (part) => {
    const url = await empty();
    await migrateUntilKilled(url, "Applying migrations", part);
    await complete(url);
    expect(await stateOf(url)).toEqual(state);
  },
);

test('migrations killed one after the other during "Applying definitions" are completed by the next', async () => {
  const url = await empty();
  for (const part of parts) await migrateUntilKilled(url, "Applying definitions", part);
  await complete(url);
  expect(await stateOf(url)).toEqual(state);
});

test("a migration killed beside the database that it compares with is completed by the next, which drops that one", async () => {
  const url = await empty();
  const reference = () => query(url, "select from pg_database where datname = current_database() || '_reference'");
  const child = migrateApart(url, "old");
  const ended = once(child, "exit");
  await eventually(async () => (await reference()).length === 1);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  await migrate({ adminUrl: url, key: server.key });
  expect(await reference()).toEqual([]);
  expect(await stateOf(url)).toEqual(state);
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
  const next = complete(url);
  const early = await Promise.race([
    next.then(() => "done"),
    eventually(async () => (await waiting("advisory")).length > 0),
  ]);
  expect(early).toBeUndefined();
  await blocker.query("rollback");
  await blocker.end();
  await next;
  expect(await stateOf(url)).toEqual(state);
});

test("at least half of the kills interrupted a migration", () => {
  expect(ends.length).toBeGreaterThanOrEqual(6);
  const killed = ends.filter((end) => JSON.stringify(end) === '[null,"SIGKILL"]');
  expect(killed.length).toBeGreaterThanOrEqual(ends.length / 2);
});
