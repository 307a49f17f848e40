/** PostgreSQL stopped at once, for 6 s and for 60 s, under load. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import type { EmbeddedServer } from "../../src/database/embedded.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { expectRefusal } from "../support/answers.ts";
import { cleanUp, clusterOf, newDataFolder, start } from "../support/embedded.ts";
import { runProgram } from "../support/program.ts";
import { eventually } from "../support/worker.ts";
import { openScene, type Scene, seconds } from "./scene.ts";

let dataDir: string;
let password: string;
let server: EmbeddedServer;
let scene: Scene;

/** The database is nobody's child here but the test's, so that nobody but the test brings it back. */
beforeAll(async () => {
  dataDir = newDataFolder();
  password = loadMasterKey({ dataDir, masterKey: undefined }).password("postgres");
  server = await start(dataDir, { password });
  const masterKey = readFileSync(join(dataDir, "master.key"), "utf8").trim();
  scene = await openScene({ DATABASE_URL: server.url, MASTER_KEY: masterKey });
  await scene.start();
}, 90_000);
afterAll(async () => {
  await scene?.close();
  await cleanUp();
});

test.each([6, 60])(
  "for %i s: callers get 503 in time, and service resumes by itself",
  async (outage) => {
    const tenant = await scene.tenant();
    const load = tenant.load();
    await load.untilMore(10);
    const { main, worker } = scene.started().parts();

    // SIGQUIT is what `pg_ctl stop -m immediate` sends.
    process.kill(readPostmaster(clusterOf(dataDir))?.pid ?? 0, "SIGQUIT");
    await server.lost;
    const gone = performance.now();
    const back = gone + outage * 1_000;
    for (const path of ["/me", "/bots"]) {
      expectRefusal(await tenant.who.ask("GET", path, undefined, "mayFail"), "unavailable");
    }
    await sleep(back - performance.now());
    const returned = performance.now();
    server = await start(dataDir, { password, port: server.port });

    const meanwhile = load.answers.filter(({ at, tookMs }) => at >= gone && at + tookMs <= returned);
    expect(meanwhile.length).toBeGreaterThan(outage);
    expect(new Set(meanwhile.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(["503 unavailable"]));
    expect(Math.max(...meanwhile.map(({ tookMs }) => tookMs))).toBeLessThan(5_000);

    await load.untilMore(1);
    const taken = performance.now();
    await tenant.untilTaken();
    console.info(
      `PostgreSQL away for ${outage} s: runs are taken ${seconds(taken - returned)} after its return was begun, ` +
        `deliveries go on after ${seconds(performance.now() - returned)}; ${meanwhile.length} refused meanwhile`,
    );
    await load.untilMore(10);
    await load.stop();
    await tenant.expectNothingLost(`PostgreSQL stopped at once for ${outage} s`, returned);
    const after = scene.started().parts();
    expect([after.main?.pid, after.worker?.pid]).toEqual([main?.pid, worker?.pid]); // an outage costs no process
  },
  240_000,
);

test("a worker that is asked to stop while PostgreSQL is away waits for it no longer, and ends", async () => {
  const executors = async () => (await scene.sql("select from app.executors")).length;
  const before = await executors();
  const worker = runProgram(["worker"], { env: scene.home.env });
  await eventually(async () => (await executors()) > before, 20_000);
  process.kill(readPostmaster(clusterOf(dataDir))?.pid ?? 0, "SIGQUIT");
  await server.lost;
  await sleep(6_000); // what it does every few seconds, as sweeping, waits for the database by now
  // Its ending, or word that it did not come: whoever supervises it would long have lost patience.
  const ended = worker.kill("SIGTERM").then(() => "ended");
  expect(await Promise.race([ended, sleep(30_000, "still there", { ref: false })])).toBe("ended");
  server = await start(dataDir, { password, port: server.port });
}, 90_000);
