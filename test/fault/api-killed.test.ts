/** The API is killed at random moments under mixed load. The clients retry until they get a response. */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { killPrograms } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import { isCutOff, type Made } from "./calls.ts";
import { type Journal, replayAll } from "./journal.ts";
import { startMixedLoad } from "./mixed-load.ts";

let db: TestDatabase;
let api: ApiAlone;

beforeAll(async () => {
  db = await testDatabase();
  api = await apiAlone(db, db.adminUrl, db.dataDir);
});
afterAll(async () => {
  await killPrograms();
  await db?.drop();
});

const kills = howMany(5, 200);

test("after repeated kills under mixed load, each effect exists once and each replay returns the first response", async () => {
  let program = await api.start();
  const load = startMixedLoad(api.url, await api.clients(2, 3));
  const replays: Journal["replays"] = [];
  const replayed = new Set<Made>();
  for (let kill = 0; kill < kills; kill += 1) {
    await load.untilMore(12 + Math.floor(Math.random() * 12));
    // Within the next one or two calls, which take a few milliseconds each.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    await program.kill("SIGKILL");
    // The next process replays the responses of the killed processes. Its new rate limits admit as many requests.
    const answered = load.made.filter((call) => call.answer && !replayed.has(call));
    for (const call of answered) replayed.add(call);
    program = await api.start();
    replays.push(...(await replayAll(api.url, answered)));
  }
  await load.untilMore(12);
  await load.stop();
  replays.push(
    ...(await replayAll(
      api.url,
      load.made.filter((call) => !replayed.has(call)),
    )),
  );
  // The kills interrupted calls. Some of these had committed: the next process replayed their responses.
  const cutOff = load.made.filter(({ tries }) => tries.some(isCutOff));
  expect(cutOff.length).toBeGreaterThanOrEqual(howMany(1, kills));
  const doneUnheard = cutOff.filter(({ answer }) => answer?.replayed);
  console.info(`${cutOff.length} calls cut off by ${kills} kills; ${doneUnheard.length} had committed`);
  expect(doneUnheard.length).toBeGreaterThanOrEqual(howMany(1, kills));
  await api.expectNothingLost(`API killed ${kills} times under mixed load`, load.made, replays);
}, 1_200_000);
