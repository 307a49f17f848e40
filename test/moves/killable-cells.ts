/** Two cells and a directory, each a server that a test can kill, with API processes. For killed.test.ts. */

import {
  administerDirectory,
  migrateDirectory,
  placeOrganisations,
  registerCell,
} from "../../src/cells/directory/administration.ts";
import { type Options, type Step, steps } from "../../src/cells/moves/move.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { type Cluster, clusterVariable, startCluster } from "../support/cluster.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { type KillableServer, killable } from "../support/killed-server.ts";
import { type TwoCells, twoCells } from "../support/two-cells.ts";
import { eventually } from "../support/worker.ts";
import { between } from "./cells-of-file.ts";
import { memory } from "./load.ts";

/** A commit that was acknowledged survives the kill. */
const settings = { fsync: "off", synchronous_commit: "on", max_connections: "200" };

export type KillableCells = {
  cells: TwoCells;
  servers: Record<"source" | "target" | "directory", KillableServer>;
  directoryUrl: string;
  /** API processes of each cell without a directory, and one with it. */
  from: TestApi;
  to: TestApi;
  both: TestApi;
  end(): Promise<void>;
};

export async function startKillableCells(): Promise<KillableCells> {
  const cells = await twoCells(settings);
  const { source, target } = cells;
  const shared = process.env[clusterVariable];
  await startCluster(settings);
  const third = JSON.parse(process.env[clusterVariable] ?? "") as Cluster;
  process.env[clusterVariable] = shared;
  const directoryUrl = urlOfDatabase("directory", third.url);
  await migrateDirectory(directoryUrl, source.key);
  const directory = await administerDirectory(directoryUrl);
  await registerCell(directory, { name: "one", url: source.adminUrl });
  await registerCell(directory, { name: "two", url: target.adminUrl });
  await directory.end();
  const servers = {
    source: killable(source, { ...settings, wal_level: "logical" }),
    target: killable(target, settings),
    directory: killable({ ...source, dataDir: third.dataDir, adminUrl: third.url }, settings),
  };
  const from = await testApi(source, {}, unlimitedBuckets());
  const to = await testApi(target, {}, unlimitedBuckets());
  const both = await testApi(source, { DIRECTORY_URL: directoryUrl, CELL: "one" }, unlimitedBuckets());
  return {
    ...{ cells, servers, directoryUrl, from, to, both },
    async end() {
      await Promise.all([from, to, both].map((api) => api.stop()));
      await cells.end();
      await Promise.all(Object.values(servers).map((server) => server.end()));
    },
  };
}

/** An organisation at the source with one memory, and the options of its move to the target. */
export async function organisationAtSource({ cells, directoryUrl, from }: KillableCells) {
  const { id, ownerId } = await makeOrganisation(cells.source);
  const { text: key } = await makeKey(cells.source, id, ownerId);
  const options: Options = {
    ...between(cells.source, cells.target, id),
    async route() {
      const directory = await administerDirectory(directoryUrl);
      await placeOrganisations(directory, [id], "two").finally(() => directory.end());
    },
  };
  expect((await from.call("POST", "/memories", { key, body: memory("Deep.") })).status).toBe(201);
  return { id, key, options };
}

/** The state of a move at the source. */
export async function stateOf({ cells }: KillableCells, id: string): Promise<string | undefined> {
  const text = "select state from app.organisation_moves where organisation_id = $1";
  return (await cells.source.sql<{ state: string }>(text, [id]))[0]?.state;
}

/** @returns how many memories the organisation has at the target */
export async function expectMoved(started: KillableCells, id: string): Promise<number> {
  const { source, target } = started.cells;
  expect(await stateOf(started, id)).toBe("moved");
  expect(await source.sql("select from app.memories where organisation_id = $1", [id])).toEqual([]);
  expect(await target.sql("select * from audit.verify_chain($1)", [id])).toEqual([]);
  return (await target.sql("select from app.memories where organisation_id = $1", [id])).length;
}

export const isAfter = (step: Step, other: Step) => steps.indexOf(step) > steps.indexOf(other);

/** Statuses of a read by source and target: the source has the organisation, the switch is made, the target has it. */
export const statuses = { before: "200,401", between: "503,503", after: "503,200" };
export const statusesAt = (step: Step) =>
  isAfter(step, "activate") ? statuses.after : isAfter(step, "switch") ? statuses.between : statuses.before;

/** Waits until both cells answer so, once their pools have connected again. At no time do both answer with the rows. */
export async function expectOwner({ from, to }: KillableCells, key: string, ...wanted: string[]): Promise<void> {
  const seen: string[] = [];
  await eventually(async () => {
    const now = await Promise.all([from, to].map(async ({ call }) => (await call("GET", "/memories", { key })).status));
    seen.push(now.join());
    return wanted.includes(now.join());
  });
  expect(seen).not.toContain("200,200");
}
