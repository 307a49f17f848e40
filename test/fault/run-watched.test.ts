/** A run is watched, and waited for, while the API is killed, its connections are ended, and it is asked to stop. */
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
}, 60_000);
afterAll(async () => {
  await killPrograms();
  await db?.drop();
});

/** Three who watch a run and three who wait for it, while this happens to it and to whom they ask. */
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
  await watchers.untilTold(events);
  await happen(watchers, async () => {
    await run.executor.renew(assignment);
    await run.executor.step(assignment);
    events += 1;
    return events;
  });
  await run.executor.finish(assignment);
  await watchers.expectNothingLost(fault, db.sql);
}

// Within the fifty steps that a run may take, of which each kill takes two.
const kills = howMany(1, 24);

test(
  "the API is killed: who watches is told each event once, who waits is answered, by the next process",
  () =>
    whileWatched(`a run watched and waited for, the API killed ${kills} times`, async (watchers, step) => {
      for (let kill = 0; kill < kills; kill += 1) {
        await program.kill("SIGKILL");
        const away = await step();
        program = await api.start();
        await watchers.untilTold(away);
        await watchers.untilTold(await step());
      }
      expect(watchers.answers.map(({ status }) => status)).toContain(0);
    }),
  180_000,
);

const ends = howMany(6, 48);

test(
  "connections are ended, one or all: streams stay open and go on",
  () =>
    whileWatched(`a run watched and waited for, connections ended ${ends} times`, async (watchers, step) => {
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
        await watchers.untilTold(await step());
      }
      expect(ended).toBeGreaterThan(ends);
      expect(watchers.streams()).toBe(streams);
      expect(watchers.answers.filter(({ status }) => status === 0)).toEqual([]);
    }),
  180_000,
);

test(
  "the API is asked to stop: who waits is told the run as it stands, and streams end and are gone on with",
  () =>
    whileWatched("a run watched and waited for, the API asked to stop", async (watchers, step) => {
      expect(watchers.states).toEqual([[], [], []]);
      const stopping = program.kill("SIGTERM");
      await eventually(async () => watchers.states.every(([state]) => state === "running"), 5_000);
      expect((await stopping).code).toBe(0);
      const away = await step();
      program = await api.start();
      await watchers.untilTold(away);
    }),
  60_000,
);
