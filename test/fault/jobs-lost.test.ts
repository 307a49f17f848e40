/** Terminated connections, deleted jobs and concurrent maintenance, all under load. */
import { setTimeout as sleep } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { status } from "../support/hooks.ts";
import { type Program, runProgram } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { type Fixture, openFixture } from "./fixture.ts";
import { holdRows } from "./hold.ts";

let db: TestDatabase;
let fixture: Fixture;

beforeAll(async () => {
  db = await testDatabase();
  fixture = await openFixture({ DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey });
  await fixture.start();
});
afterAll(async () => {
  await fixture?.close();
  await db?.drop();
});

/** Calls the function `times` times: at once, then every second. */
async function everySecond(times: number, what: () => Promise<unknown>): Promise<void> {
  for (let each = 0; each < times; each += 1) {
    if (each > 0) await sleep(1_000); // the fault repeats every second
    await what();
  }
}

test("service loses nothing when all its connections are terminated every second for 15 s", async () => {
  const tenant = await fixture.tenant();
  const load = tenant.load();
  await load.untilMore(5);
  const { main, api, worker } = fixture.started().parts();
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
  expect(load.answers.filter(({ status }) => status === 0)).toEqual([]); // no request was cut off
  await tenant.expectNothingLost(`${ended} connections terminated in 15 s`, over);
  const after = fixture.started().parts();
  expect([after.main?.pid, after.api?.pid, after.worker?.pid]).toEqual([main?.pid, api?.pid, worker?.pid]);
});

test("worker continues after its session ends while it completes a job", async () => {
  const tenant = await fixture.tenant();
  const responses: (() => void)[] = [];
  const failing = await tenant.subscribe(
    fixture.hooks.hook((_request, response) => void responses.push(() => response.writeHead(200).end())),
  );
  const worker = await fixture.worker();
  for (const posts of [1, 2]) {
    await tenant.run(); // the second delivery has a job, because the first is under way
    await eventually(async () => failing.hook.posts().length === posts);
  }
  const jobs = await holdRows(
    fixture,
    "select from graphile_worker._private_jobs where locked_by is not null for update",
  );
  for (const answer of responses) answer();
  await jobs.untilBlocked();
  await jobs.endBlocked();
  await jobs.release();
  const over = performance.now();
  failing.hook.answer = status(200);
  // The same worker process continues to work: it neither idles nor was replaced.
  for (let each = 1; each <= 3; each += 1) {
    const taken = tenant.untilTaken();
    await tenant.run();
    await taken;
  }
  await tenant.expectNothingLost("session terminated while a job completes", over);
  expect(await fixture.worker()).toBe(worker);
});

test("service loses nothing when all jobs are deleted every second for 5 s", async () => {
  const tenant = await fixture.tenant();
  const load = tenant.load();
  await load.untilMore(5);
  await everySecond(5, () => db.sql("truncate graphile_worker._private_jobs"));
  const over = performance.now();
  await load.stop();
  await tenant.expectNothingLost("all jobs deleted 5 times", over);
});

test("nothing is lost when maintenance runs in two workers and eight sessions while a third worker dies and jobs vanish", async () => {
  const tenant = await fixture.tenant();
  const load = tenant.load();
  const bothWork = await watchForWorker(db.sql, 2);
  const [staying, dying] = [1, 2].map(() => runProgram(["worker"], { env: fixture.home.env })) as [Program, Program];
  await eventually(bothWork);
  await load.untilMore(10);
  let running = true;
  const sessions = 8;
  const pool = db.poolAs("worker", sessions);
  let passes = 0;
  const maintain = async () => {
    while (running) {
      const together = Array.from({ length: sessions }, () => pool.query("select * from jobs.run_maintenance()"));
      passes += (await Promise.all(together)).length;
      await sleep(howMany(200, 0)); // the short form shares its processors with other files
    }
  };
  const maintaining = maintain();
  let over = 0;
  try {
    await load.untilMore(5);
    await dying.kill("SIGKILL");
    await db.sql("truncate graphile_worker._private_jobs");
    over = performance.now();
    await load.untilMore(10);
  } finally {
    running = false;
    await maintaining;
  }
  await load.stop();
  await tenant.expectNothingLost(
    `three workers, one killed, ${passes} concurrent maintenance runs, all jobs deleted`,
    over,
  );
  expect((await staying.kill("SIGTERM")).code).toBe(0);
});
