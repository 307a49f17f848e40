/** PostgreSQL under load: stopped at once, suspended, restarted repeatedly, and without free sessions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import type { EmbeddedServer } from "../../src/database/embedded.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { expectRefusal } from "../support/answers.ts";
import { cleanUp, clusterOf, newDataFolder, start } from "../support/embedded.ts";
import { copyMigratedFolder } from "../support/installation.ts";
import { processTree, signalAll, signalProcess } from "../support/process-tree.ts";
import { runProgram } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { type Fixture, openFixture, seconds } from "./fixture.ts";
import { withinMs } from "./journal.ts";
import type { Load } from "./load.ts";

let dataDir: string;
let password: string;
let server: EmbeddedServer;
let fixture: Fixture;

/** The test itself starts the database, so that no other process restarts it. */
beforeAll(async () => {
  dataDir = newDataFolder();
  await copyMigratedFolder(dataDir);
  password = loadMasterKey({ dataDir, masterKey: undefined }).password("postgres");
  server = await start(dataDir, { password });
  const masterKey = readFileSync(join(dataDir, "master.key"), "utf8").trim();
  fixture = await openFixture({ DATABASE_URL: urlOfDatabase("botstead", server.url), MASTER_KEY: masterKey });
  await fixture.start();
});
afterAll(async () => {
  await fixture?.close();
  await cleanUp();
});

/** @throws Error when PostgreSQL does not run */
function postmaster(): number {
  const found = readPostmaster(clusterOf(dataDir));
  if (!found) throw new Error("PostgreSQL does not run.");
  return found.pid;
}

/** Stops PostgreSQL as `pg_ctl stop` does, runs `work`, then starts PostgreSQL again, even if `work` fails. */
async function whileGone<T>(mode: "fast" | "immediate", work: () => Promise<T>): Promise<T> {
  signalProcess(postmaster(), mode === "fast" ? "SIGINT" : "SIGQUIT");
  await server.lost;
  try {
    return await work();
  } finally {
    server = await start(dataDir, { password, port: server.port });
  }
}

/** Expects 503 in time for every request that began and ended between `from` and `to`. Returns their number. */
function expectRefused(load: Load, from: number, to: number): number {
  const meanwhile = load.answers.filter(({ at, tookMs }) => at >= from && at + tookMs <= to);
  expect(new Set(meanwhile.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(["503 unavailable"]));
  expect(Math.max(...meanwhile.map(({ tookMs }) => tookMs))).toBeLessThan(withinMs);
  return meanwhile.length;
}

/** Expects a response in time for every request, including the requests that ran when the fault began. */
function expectAllInTime(load: Load): void {
  expect(load.answers.filter(({ status, tookMs }) => status === 0 || tookMs >= withinMs)).toEqual([]);
}

test.each([6, 60])(
  "API returns 503 in time while PostgreSQL is stopped for %i s, and service resumes automatically",
  async (outage) => {
    const tenant = await fixture.tenant();
    const [load, beside] = [tenant.load(), await fixture.beside()];
    await Promise.all([load.untilMore(10), beside.untilMore(40)]);
    const { main, api, worker } = fixture.started().parts();

    const [gone, returned] = await whileGone("immediate", async () => {
      const since = performance.now();
      for (const path of ["/me", "/bots"]) {
        expectRefusal(await tenant.who.ask("GET", path, undefined, "mayFail"), "unavailable");
      }
      // The length of the outage.
      await sleep(since + outage * 1_000 - performance.now());
      return [since, performance.now()] as const;
    });
    const meanwhile = expectRefused(load, gone, returned);
    expect(meanwhile).toBeGreaterThan(outage);

    await load.untilMore(1);
    const taken = performance.now();
    await tenant.untilTaken();
    console.info(
      `PostgreSQL away for ${outage} s: runs are taken ${seconds(taken - returned)} after its return was begun, ` +
        `deliveries continue after ${seconds(performance.now() - returned)}; ${meanwhile} refused meanwhile`,
    );
    await load.untilMore(10);
    await load.stop();
    expectAllInTime(load);
    await beside.expectNothingLost(`PostgreSQL stopped for ${outage} s: calls`);
    await tenant.expectNothingLost(`PostgreSQL stopped for ${outage} s`, returned);
    const after = fixture.started().parts();
    expect([after.main?.pid, after.api?.pid, after.worker?.pid]).toEqual([main?.pid, api?.pid, worker?.pid]); // no restart
  },
);

test("worker that gets SIGTERM while PostgreSQL is stopped exits without waiting for it", async () => {
  const tenant = await fixture.tenant();
  const taken = tenant.untilTaken();
  await tenant.run();
  await taken;
  const works = await watchForWorker(fixture.sql);
  const worker = runProgram(["worker"], { env: fixture.home.env });
  await eventually(works);
  await whileGone("immediate", async () => {
    await sleep(6_000); // by now its periodic maintenance waits for the database
    const ended = worker.kill("SIGTERM").then(() => "ended");
    // 30 s is longer than a supervisor waits before it kills the process.
    expect(await Promise.race([ended, sleep(30_000, "still there", { ref: false })])).toBe("ended");
  });
  await tenant.expectNothingLost("worker stopped by SIGTERM while PostgreSQL is stopped", performance.now());
});

test("API returns 503 while all PostgreSQL processes are suspended, and service resumes with them", async () => {
  const tenant = await fixture.tenant();
  const [load, beside] = [tenant.load(), await fixture.beside()];
  await Promise.all([load.untilMore(5), beside.untilMore(40)]);
  const first = postmaster();
  signalProcess(first, "SIGSTOP"); // so that it starts no more processes
  const all = processTree(first);
  const stood = performance.now();
  signalAll(all, "SIGSTOP");
  try {
    const url = fixture.home.api.replace("/api/v1", "");
    const [me, bots, alive, ready] = await Promise.all([
      tenant.who.ask("GET", "/me", undefined, "mayFail"),
      tenant.who.ask("GET", "/bots", undefined, "mayFail"),
      fetch(`${url}/healthz`),
      fetch(`${url}/readyz`),
    ]);
    for (const answer of [me, bots]) expectRefusal(answer, "unavailable");
    expect([alive.status, ready.status]).toEqual([200, 503]);
    // The length of the outage.
    await sleep(howMany(6_000, 20_000) - (performance.now() - stood));
    await eventually(async () => load.answers.filter(({ at }) => at > stood).length > 2);
    expectRefused(load, stood, performance.now());
  } finally {
    signalAll(all, "SIGCONT");
  }
  const over = performance.now();
  await load.untilMore(5);
  await load.stop();
  expectAllInTime(load);
  await beside.expectNothingLost(`PostgreSQL suspended for ${howMany(6, 20)} s: calls`);
  await tenant.expectNothingLost(`PostgreSQL suspended for ${howMany(6, 20)} s`, over);
});

test("service loses nothing when PostgreSQL restarts repeatedly after fast and immediate shutdowns", async () => {
  const tenant = await fixture.tenant();
  const [load, beside] = [tenant.load(), await fixture.beside()];
  await Promise.all([load.untilMore(5), beside.untilMore(18)]);
  const times = howMany(2, 10);
  for (let each = 0; each < times; each += 1) {
    await whileGone(each % 2 === 0 ? "fast" : "immediate", async () => {});
    await Promise.all([load.untilMore(3), beside.untilMore(18)]);
  }
  const over = performance.now();
  await load.stop();
  expectAllInTime(load);
  await beside.expectNothingLost(`PostgreSQL restarted ${times} times: calls`);
  await tenant.expectNothingLost(`PostgreSQL restarted ${times} times`, over);
});

test("API returns 503 while foreign sessions occupy all connections, and service resumes when they end", async () => {
  const tenant = await fixture.tenant();
  const [load, beside] = [tenant.load(), await fixture.beside()];
  await Promise.all([load.untilMore(5), beside.untilMore(18)]);
  const others: Client[] = [];
  const admitted = async () => {
    const client = new Client({ connectionString: fixture.databaseUrl(), application_name: "others" });
    client.on("error", () => {});
    return client.connect().then(
      () => others.push(client) > 0,
      (error: { code?: string }) => {
        expect(error.code).toBe("53300");
        return false;
      },
    );
  };
  const ours = `select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and application_name <> 'others'`;
  try {
    // Ends the service's sessions and occupies their slots until none is left: the API could use any free slot.
    for (;;) {
      while (await admitted());
      if ((await others[0]?.query(ours))?.rowCount === 0) break;
    }
    const full = performance.now();
    expectRefusal(await tenant.who.ask("GET", "/me", undefined, "mayFail"), "unavailable");
    await eventually(async () => load.answers.filter(({ at }) => at > full).length > howMany(9, 90));
    expectRefused(load, full, performance.now());
  } finally {
    await Promise.all(others.map((client) => client.end()));
  }
  const over = performance.now();
  await load.untilMore(5);
  await load.stop();
  expectAllInTime(load);
  await beside.expectNothingLost("PostgreSQL without free connections: calls");
  await tenant.expectNothingLost("PostgreSQL without free connections", over);
});
