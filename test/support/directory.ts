/** Two cells with a directory, which is a database beside the first. */
import { randomUUID } from "node:crypto";
import {
  administerDirectory,
  type DirectoryAdministration,
  migrateDirectory,
  registerCell,
} from "../../src/cells/directory/administration.ts";
import type { Settings } from "../../src/database/embedded/settings.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import type { RateLimiter } from "../../src/web/rate-limiter.ts";
import { type TestApi, testApi } from "./api.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "./database.ts";
import { type SlowNetwork, slowNetworkTo } from "./slow-network.ts";
import { type TwoCells, twoCells } from "./two-cells.ts";

export type DirectedCells = TwoCells & {
  directory: DirectoryAdministration;
  directoryUrl: string;
  /** A network between all API processes that start later and cell two. */
  slowTwo(): Promise<SlowNetwork>;
  /** After a test that ended the connections to the directory. */
  reconnect(): Promise<void>;
  /** An API process of cell one or two that serves both. */
  api(cell: "one" | "two", settings?: Record<string, string>, buckets?: RateLimiter): Promise<TestApi>;
};

/** @param settings of both servers, besides the settings of tests */
export async function directedCells(settings: Settings = {}): Promise<DirectedCells> {
  const cells = await twoCells(settings);
  const name = `directory_${randomUUID().slice(0, 8)}`;
  const directoryUrl = urlOfDatabase(name, cells.source.adminUrl);
  await migrateDirectory(directoryUrl, cells.source.key);
  let directory = await administerDirectory(directoryUrl);
  await registerCell(directory, { name: "one", url: cells.source.adminUrl });
  await registerCell(directory, { name: "two", url: cells.target.adminUrl });
  return {
    ...cells,
    directory: { rows: (text, values) => directory.rows(text, values), end: () => directory.end() },
    directoryUrl,
    async slowTwo() {
      const url = new URL(cells.target.adminUrl);
      const network = await slowNetworkTo(Number(url.port));
      url.port = String(network.port);
      await registerCell(directory, { name: "two", url: url.href });
      return network;
    },
    async reconnect() {
      directory = await administerDirectory(directoryUrl);
    },
    api(cell, settings = {}, buckets) {
      const own = cell === "one" ? cells.source : cells.target;
      return testApi(own, { DIRECTORY_URL: directoryUrl, CELL: cell, ...settings }, buckets);
    },
    async end() {
      await directory.end();
      await cells.end();
    },
  };
}

/** A key of a new organisation in a cell. */
export async function keyIn(cell: TestDatabase): Promise<string> {
  const organisation = await makeOrganisation(cell);
  return (await makeKey(cell, organisation.id, organisation.ownerId)).text;
}
