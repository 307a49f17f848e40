/** Clients stream and await a run while the API is killed, loses its connections, or stops. */
import type { Pool } from "pg";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { killPrograms, type Program } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { watchedRun } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import { type Watchers, watchRun } from "./watchers.ts";

let db: TestDatabase;
let pool: Pool;
let api: ApiAlone;
let program: Program;

beforeAll(async () => {
  db = await testDatabase();
  pool = db.poolAs("runner");
  api = await apiAlone(db, db.adminUrl, db.dataDir);
  program = await api.start();
});
afterAll(async () => {
  await killPrograms();
  await db?.drop();
});

/** Three watchers and three waiting clients of a run, while `happen` disturbs the run or the API. */
async function whileWatched(
  fault: string,
  happen: (watchers: Watchers, step: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const [client] = await api.clients(1);
  const key = client?.key ?? "";
  const run = await watchedRun({ db }, pool, { post: (path, body) => api.call("POST", path, { key, body }) });
  const assignment = await run.begin();
  const watchers = watchRun({ url: api.url, key, id: run.id, each: 3 });
  let events = 2; // queued and running
  await watchers.untilNotified(events);
  await happen(watchers, async () => {
    await run.executor.renew(assignment);
    await run.executor.step(assignment);
    events += 1;
    return events;
  });
  await run.executor.finish(assignment);
  await watchers.expectNothingLost(fault, db.sql);
}

// A run has at most 50 steps, and each kill uses two.
const kills = howMany(1, 24);

test("after a kill of the API, watchers get each event once, and waiting clients the end, from the next process", () =>
  whileWatched(`run with watchers and waiting clients, the API killed ${kills} times`, async (watchers, step) => {
    for (let kill = 0; kill < kills; kill += 1) {
      await program.kill("SIGKILL");
      const away = await step();
      program = await api.start();
      await watchers.untilNotified(away);
      await watchers.untilNotified(await step());
    }
    expect(watchers.answers.map(({ status }) => status)).toContain(0);
  }));

const ends = howMany(6, 48);

test("streams stay open and continue when one or all database connections end", () =>
  whileWatched(`run with watchers and waiting clients, connections ended ${ends} times`, async (watchers, step) => {
    const streams = watchers.streams();
    let ended = 0;
    for (let end = 0; end < ends; end += 1) {
      const sessions = await db.sql(
        `select pg_terminate_backend(pid, 5000) from (
           select pid from pg_stat_activity
           where datname = current_database() and application_name like 'botstead api%'
           order by random()
           limit $1
         ) session`,
        [end % 2 === 0 ? null : 1],
      );
      ended += sessions.length;
      await watchers.untilNotified(await step());
    }
    expect(ended).toBeGreaterThan(ends);
    expect(watchers.streams()).toBe(streams);
    expect(watchers.answers.filter(({ status }) => status === 0)).toEqual([]);
  }));

test("when the API stops, waiting clients get the current run, and streams end and resume elsewhere", () =>
  whileWatched("run with watchers and waiting clients, the API stopped by SIGTERM", async (watchers, step) => {
    expect(watchers.states).toEqual([[], [], []]);
    const stopping = program.kill("SIGTERM");
    await eventually(async () => watchers.states.every(([state]) => state === "running"));
    expect((await stopping).code).toBe(0);
    const away = await step();
    program = await api.start();
    await watchers.untilNotified(away);
  }));
