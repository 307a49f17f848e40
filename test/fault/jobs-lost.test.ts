/** Connections ended every second, the table of jobs emptied, and sweepers that race, all under load. */
import { setTimeout as sleep } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { status } from "../support/hooks.ts";
import { type Program, runProgram } from "../support/program.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { holdRows } from "./hold.ts";
import { openScene, type Scene } from "./scene.ts";

let db: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  db = await testDatabase();
  scene = await openScene({ DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey });
  await scene.start();
}, 90_000);
afterAll(async () => {
  await scene?.close();
  await db?.drop();
});

/** Does it at once and then every second, so often. */
async function everySecond(times: number, what: () => Promise<unknown>): Promise<void> {
  for (let each = 0; each < times; each += 1) {
    if (each > 0) await sleep(1_000);
    await what();
  }
}

test("all connections of the service ended every second, for 15 s", async () => {
  const tenant = await scene.tenant();
  const load = tenant.load();
  await load.untilMore(5);
  const { main, worker } = scene.started().parts();
  let ended = 0;
  await everySecond(15, async () => {
    const sessions = await db.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'botstead %'`,
    );
    ended += sessions.length;
  });
  const over = performance.now();
  expect(ended).toBeGreaterThan(15 * 3);
  await load.untilMore(10);
  await load.stop();
  expect(load.answers.filter(({ status }) => status === 0)).toEqual([]); // who was being served got the envelope
  await tenant.expectNothingLost(`${ended} connections ended in 15 s`, over);
  const after = scene.started().parts();
  expect([after.main?.pid, after.worker?.pid]).toEqual([main?.pid, worker?.pid]);
}, 180_000);

test("a session that ends while a job is being completed costs no worker", async () => {
  const tenant = await scene.tenant();
  let answer = () => {};
  const held = await tenant.subscribe(
    scene.hooks.hook((_request, response) => {
      answer = () => response.writeHead(200).end();
    }),
  );
  const worker = await scene.worker();
  await tenant.run();
  await eventually(async () => held.hook.posts().length === 1, 20_000);
  const jobs = await holdRows(
    scene,
    "select from graphile_worker._private_jobs where locked_by is not null for update",
  );
  answer();
  await jobs.untilBlocked();
  await jobs.endBlocked();
  await jobs.release();
  const over = performance.now();
  held.hook.answer = status(200);
  // It goes on working, and is not one that lives and does nothing, nor another that came in its place.
  for (let each = 1; each <= 3; each += 1) {
    const taken = tenant.untilTaken();
    await tenant.run();
    await taken;
  }
  await tenant.expectNothingLost("session ended while a job was completed", over);
  expect(await scene.worker()).toBe(worker);
}, 60_000);

test("the table of jobs emptied every second, for 5 s", async () => {
  const tenant = await scene.tenant();
  const load = tenant.load();
  await load.untilMore(5);
  await everySecond(5, () => db.sql("truncate graphile_worker._private_jobs"));
  const over = performance.now();
  await load.stop();
  await tenant.expectNothingLost("jobs emptied 5 times", over);
}, 180_000);

test("two workers sweep, and eight more at once, while a third worker dies and jobs are lost", async () => {
  const tenant = await scene.tenant();
  const load = tenant.load();
  const bothWork = await watchForWorker(db.sql, 2);
  const [staying, dying] = [1, 2].map(() => runProgram(["worker"], { env: scene.home.env })) as [Program, Program];
  await eventually(bothWork, 20_000);
  await load.untilMore(10);
  let sweeping = true;
  const pool = db.poolAs("worker", 8);
  let sweeps = 0;
  const sweepers = Array.from({ length: 8 }, async () => {
    while (sweeping) {
      await pool.query("select * from jobs.sweep()");
      sweeps += 1;
    }
  });
  let over = 0;
  try {
    await load.untilMore(5);
    await dying.kill("SIGKILL");
    await db.sql("truncate graphile_worker._private_jobs");
    over = performance.now();
    await load.untilMore(10);
  } finally {
    sweeping = false;
    await Promise.all(sweepers);
  }
  await load.stop();
  await tenant.expectNothingLost(`three workers, one killed, ${sweeps} sweeps at once, jobs emptied`, over);
  expect((await staying.kill("SIGTERM")).code).toBe(0);
}, 180_000);
