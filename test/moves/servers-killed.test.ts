/** A move whose databases or directory are killed at each step. (docs/moves.md) */
import { urlOfDatabase } from "../../src/database/urls.ts";
import {
  administerDirectory,
  migrateDirectory,
  placeOrganisations,
  registerCell,
} from "../../src/directory/administration.ts";
import { nameOf } from "../../src/moves/guards.ts";
import { abortMove, type Options, resumeMove, type Step, startMove, steps } from "../../src/moves/move.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { type Cluster, clusterVariable, startCluster } from "../support/cluster.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { type KillableServer, killable } from "../support/killed-server.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { type TwoCells, twoCells } from "../support/two-cells.ts";
import { eventually } from "../support/worker.ts";
import { memory } from "./load.ts";

/** A commit that was acknowledged survives the kill. */
const settings = { fsync: "off", synchronous_commit: "on", max_connections: "200" };

/** In the long form each step is killed this often. */
const rounds = howMany(1, 20);
const maxMs = howMany(300_000, 3_600_000);

async function repeated(
  name: string,
  once: () => Promise<{ kept: number; wanted: number; kills: number }>,
): Promise<void> {
  const counts = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { kept, wanted, ...killed } = await once();
    counts.acknowledged += wanted;
    counts.lost += Math.max(0, wanted - kept);
    counts.doubled += Math.max(0, kept - wanted);
    kills += killed.kills;
  }
  reportCounts(name, { ...counts, note: `${kills} kills, one owner after each` });
  expect(counts).toMatchObject({ lost: 0, doubled: 0 });
}

let cells: TwoCells;
let directoryUrl: string;
let servers: Record<"source" | "target" | "directory", KillableServer>;
/** API processes of each cell without a directory, and one with it. */
let from: TestApi;
let to: TestApi;
let both: TestApi;

beforeAll(async () => {
  cells = await twoCells(settings);
  const { source, target } = cells;
  const shared = process.env[clusterVariable];
  await startCluster(settings);
  const third = JSON.parse(process.env[clusterVariable] ?? "") as Cluster;
  process.env[clusterVariable] = shared;
  directoryUrl = urlOfDatabase("directory", third.url);
  await migrateDirectory(directoryUrl, source.key);
  const directory = await administerDirectory(directoryUrl);
  await registerCell(directory, { name: "one", url: source.adminUrl });
  await registerCell(directory, { name: "two", url: target.adminUrl });
  await directory.end();
  servers = {
    source: killable(source, { ...settings, wal_level: "logical" }),
    target: killable(target, settings),
    directory: killable({ ...source, dataDir: third.dataDir, adminUrl: third.url }, settings),
  };
  from = await testApi(source, {}, unlimitedBuckets());
  to = await testApi(target, {}, unlimitedBuckets());
  both = await testApi(source, { DIRECTORY_URL: directoryUrl, CELL: "one" }, unlimitedBuckets());
});
afterAll(async () => {
  await Promise.all([from, to, both].map((api) => api?.stop()));
  await cells?.end();
  await Promise.all(Object.values(servers ?? {}).map((server) => server.end()));
});

async function anOrganisation() {
  const { id, ownerId } = await makeOrganisation(cells.source);
  const { text: key } = await makeKey(cells.source, id, ownerId);
  const options: Options = {
    ...{ organisation: id, from: "one", to: "two", sourceUrl: cells.source.adminUrl, targetUrl: cells.target.adminUrl },
    async route() {
      const directory = await administerDirectory(directoryUrl);
      await placeOrganisations(directory, [id], "two").finally(() => directory.end());
    },
  };
  expect((await from.call("POST", "/memories", { key, body: memory("Deep.") })).status).toBe(201);
  return { id, key, options };
}

const isAfter = (step: Step, other: Step) => steps.indexOf(step) > steps.indexOf(other);

/** What each cell answers once its pools have connected again. At most one answers with the rows. */
async function expectOwner(step: Step, key: string): Promise<void> {
  const isDeparted = isAfter(step, "switch");
  const expected = isDeparted ? [503, isAfter(step, "activate") ? 200 : 503] : [200, 401];
  const answers: number[][] = [];
  await eventually(async () => {
    const now = await Promise.all([from, to].map(async ({ call }) => (await call("GET", "/memories", { key })).status));
    answers.push(now);
    return now.every((status, cell) => status === expected[cell]);
  }, 30_000);
  expect(answers.filter((now) => now.every((status) => status === 200))).toEqual([]);
}

test.each(["source", "target"] as const)(
  "a move whose %s database is killed at each step in turn has one owner and is ended by --resume",
  (name) =>
    repeated(`moves whose ${name} database is killed`, async () => {
      const { id, key, options } = await anOrganisation();
      const killed: Step[] = [];
      for (const step of steps) {
        const onStep = async (now: Step) => {
          if (now !== step) return;
          await servers[name].kill();
          await servers[name].start();
          killed.push(step);
        };
        const isBegun = (
          await cells.source.sql("select from app.organisation_moves where organisation_id = $1", [id])
        )[0];
        await expect((isBegun ? resumeMove : startMove)({ ...options, onStep })).rejects.toThrow();
        expect(killed.at(-1)).toBe(step);
        await expectOwner(step, key);
      }
      await resumeMove(options);
      const rows = await cells.target.sql("select from app.memories where organisation_id = $1", [id]);
      expect(await cells.source.sql("select from app.memories where organisation_id = $1", [id])).toEqual([]);
      expect(await cells.target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
      return { kept: rows.length, wanted: 1, kills: killed.length };
    }),
  maxMs,
);

/** What a move leaves in a cell, besides rows of the organisation. */
const traces = `
  select 'move' from app.organisation_moves where organisation_id = $1
  union all select 'subscription' from pg_subscription where subname = $2
  union all select 'publication' from pg_publication where pubname = $2
  union all select 'slot' from pg_replication_slots
  union all select 'login' from pg_roles where rolname = $2
  union all select 'policy' from pg_policy where polname = 'botstead_move'
  union all select 'trigger' from pg_trigger where starts_with(tgname, $2)`;

test(
  "a move whose two databases are killed is ended by --abort at each step before the switch, and leaves nothing",
  () =>
    repeated("moves whose databases are killed, then aborted", async () => {
      const { id, key, options } = await anOrganisation();
      for (const step of steps.slice(0, steps.indexOf("switch") + 1)) {
        const onStep = async (now: Step) => {
          if (now !== step) return;
          for (const server of [servers.source, servers.target]) {
            await server.kill();
            await server.start();
          }
        };
        await expect(startMove({ ...options, onStep })).rejects.toThrow();
        if (step !== "begin") await abortMove(options); // nothing is begun before the first step
        for (const cell of [cells.source, cells.target]) expect(await cell.sql(traces, [id, nameOf(id)])).toEqual([]);
        for (const { quoted, key: column } of await cells.target.sql<{ quoted: string; key: string }>(
          "select quoted, key from service.moved_tables",
        ))
          expect(await cells.target.sql(`select from app.${quoted} where ${column} = $1`, [id])).toEqual([]);
      }
      await expectOwner("begin", key);
      expect((await from.call("POST", "/memories", { key, body: memory("Shallow.") })).status).toBe(201);
      const { body } = await from.call("GET", "/memories", { key });
      return { kept: body.data.length, wanted: 2, kills: 2 * (steps.indexOf("switch") + 1) };
    }),
  maxMs,
);

test(
  "a move whose directory is killed at each step stops only at its entry there, and known credentials work",
  () =>
    repeated("moves whose directory is killed", async () => {
      const { key, options } = await anOrganisation();
      const status = async () => (await both.call("GET", "/memories", { key })).status;
      expect(await status()).toBe(200);
      const seen: [Step, number][] = [];
      let killed = 0;
      const onStep = async (step: Step) => {
        await servers.directory.kill();
        killed += 1;
        if (!isAfter(step, "switch")) seen.push([step, await status()]);
        if (step !== "route") await servers.directory.start();
      };
      await expect(startMove({ ...options, onStep })).rejects.toThrow();
      expect(seen).toEqual(steps.slice(0, steps.indexOf("route")).map((step) => [step, 200]));
      expect(await status()).toBe(503);
      await servers.directory.start();
      await resumeMove({ ...options, onStep: (step) => (step === "route" ? undefined : onStep(step)) });
      await eventually(async () => (await status()) === 200);
      const { body } = await both.call("GET", "/memories", { key });
      return { kept: body.data.length, wanted: 1, kills: killed };
    }),
  maxMs,
);
