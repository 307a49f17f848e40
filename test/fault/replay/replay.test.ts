/**
 * The journal of clients whose sessions were terminated is replayed call by call. In an empty database, answers and rows must be the
 * same up to ids and times. The version before gives the same answers, and its database is then upgraded.
 */
import { freePort } from "../../../src/database/embedded/port.ts";
import { testApi, unlimitedBuckets } from "../../support/api.ts";
import { startCluster, stopCluster } from "../../support/cluster.ts";
import { databaseOf, makeExecutor, type TestDatabase, testDatabase } from "../../support/database.ts";
import { emptyDatabase, sharedServer } from "../../support/migrated.ts";
import { commandOn, killPrograms, runApi } from "../../support/program.ts";
import { howMany, reportCounts } from "../../support/reliability.ts";
import { whenTestEnds } from "../../support/test-ends.ts";
import { isCutOff, type Made } from "../calls.ts";
import { clientsOf } from "../clients.ts";
import { type Client, startMixedLoad } from "../mixed-load.ts";
import type { State } from "../orders/state.ts";
import { inCommitOrder } from "./commit-order.ts";
import { lastRelease, makeReleasedVersion, type Release } from "./released.ts";
import { type Comparison, differencesOf, stateOf } from "./rows.ts";
import { type Names, replaySerially } from "./serial-replay.ts";

const databases: TestDatabase[] = [];
let recorded: { clients: Client[]; calls: Made[]; state: State };

beforeAll(async () => {
  await startCluster(); // an older version must not change the roles of other tests
  recorded = await record();
});
afterAll(async () => {
  await killPrograms();
  await Promise.all(databases.map((db) => db.drop()));
  await stopCluster();
});

async function database(): Promise<TestDatabase> {
  const db = await testDatabase();
  databases.push(db);
  return db;
}

/** An API in this process, with clients of one organisation. */
async function served(db: TestDatabase) {
  const api = await testApi(db, {}, unlimitedBuckets());
  await makeExecutor(db);
  return { api, clients: await clientsIn(db, api.url) };
}

/** Of an organisation that has the same name and owner each time. */
async function clientsIn({ sql }: Pick<TestDatabase, "sql">, url: string): Promise<Client[]> {
  const clients = await clientsOf({ sql, url }).clients(1, 4);
  await sql("update app.organisations set name = 'Harbour'");
  await sql("update app.people set email = 'owner@harbour.example'");
  return clients;
}

/** Clients at once, while the sessions of the API are terminated. */
async function record() {
  const db = await database();
  const { api, clients } = await served(db);
  const load = startMixedLoad(api.url, clients);
  for (let cut = 0; cut < howMany(5, 25); cut += 1) {
    await load.untilMore(40);
    await db.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'server' and datname = current_database()",
    );
  }
  await load.untilMore(40);
  await load.stop();
  await api.stop();
  const calls = await inCommitOrder(db.sql, clients[0]?.organisation ?? "", load.made);
  return { clients, calls, state: await stateOf(db) };
}

function namesOf(clients: Client[]): Names {
  const pairs = recorded.clients.map((was, index) => [was, clients[index] as Client] as const);
  return {
    keys: new Map(pairs.map(([was, is]) => [was.key, is.key])),
    ids: new Map([
      ...pairs.flatMap(([was, is]): [string, string][] => [
        [was.bot, is.bot],
        [was.organisation, is.organisation],
      ]),
      ...recorded.calls.flatMap(({ effects }) => effects.map(({ mark }): [string, string] => [mark, mark])),
    ]),
  };
}

const comparison = ({ ids }: Names): Comparison => ({ ids, organisation: recorded.clients[0]?.organisation ?? "" });

function report(name: string, answers: string[], rows: string[]): void {
  const tries = recorded.calls.flatMap((call) => call.tries);
  reportCounts(name, {
    acknowledged: recorded.calls.length - answers.length,
    lost: 0,
    doubled: 0,
    unexpected: answers.length + rows.length,
    note: `${tries.length} tries, ${tries.filter(isCutOff).length} interrupted and ${tries.filter(({ answer }) => answer?.status === 503).length} answered 503`,
  });
  expect(tries.some((each) => isCutOff(each) || each.answer?.status === 503)).toBe(true);
  expect(answers).toEqual([]);
  expect(rows).toEqual([]);
}

test("a journal replayed into an empty database has the same answers and rows", async () => {
  const db = await database();
  const { api, clients } = await served(db);
  const names = namesOf(clients);
  const answers = await replaySerially(api.url, recorded.calls, names);
  await api.stop();
  const replayed = await stateOf(db);
  report(
    "journal replayed into an empty database",
    answers,
    differencesOf(recorded.state, replayed, comparison(names)),
  );

  // The comparison finds a row that differs.
  const [memory = ""] = replayed.saved.get("app.memories") ?? [];
  replayed.saved.set("app.memories", [
    memory.replace("Harbour", "Quay"),
    ...(replayed.saved.get("app.memories") ?? []).slice(1),
  ]);
  expect(differencesOf(recorded.state, replayed, comparison(names))).toHaveLength(2);

  // And a row that is there twice.
  const [, ...others] = replayed.saved.get("app.memories") ?? [];
  replayed.saved.set("app.memories", [memory, memory, ...others]);
  expect(differencesOf(recorded.state, replayed, comparison(names))).not.toEqual([]);
});

const release = lastRelease();
const title = "a journal replayed by the version before has the same answers, and the same rows after the upgrade";
if (release) test(title, () => replayByRelease(release));
else console.info(`Left out: ${title}. The history lacks the last release: git fetch --unshallow`);

async function replayByRelease({ number, commit }: Release): Promise<void> {
  const released = makeReleasedVersion(commit);
  whenTestEnds(async () => released.remove());
  const adminUrl = await emptyDatabase(sharedServer());
  const db = databaseOf(new URL(adminUrl).pathname.slice(1));
  databases.push(db);
  expect(await commandOn(db, ["migrate"], released.script)).toMatchObject({ code: 0 });
  const port = String(await freePort());
  const env = { PORT: port, DATABASE_URL: adminUrl, MASTER_KEY: db.masterKey, DATA_DIR: db.dataDir };
  const program = await runApi(env, released.script);
  await makeExecutor(db);
  const url = `http://127.0.0.1:${port}`;
  const names = namesOf(await clientsIn(db, url));
  const answers = await replaySerially(url, recorded.calls, names, true);
  await program.kill("SIGTERM");
  expect(await commandOn(db, ["migrate"])).toMatchObject({ code: 0 });
  const rows = differencesOf(recorded.state, await stateOf(db), comparison(names));
  const isOfUpgrade = (row: string) => /^is +\+ graphile_worker\._private_jobs \{"key":"search_vectors:/.test(row); // it rebuilds them
  report(
    `journal replayed by version ${number}, then upgraded`,
    answers,
    rows.filter((row) => !isOfUpgrade(row)),
  );
}
