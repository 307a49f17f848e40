/** The cells that this process serves. Its own is open from the start, others from the first call that needs them. */

import { type DatabaseApi, type DatabaseUrls, openDatabaseApi, type SharedParts } from "../api/one-database.ts";
import { shareOfCell } from "../database/connections/shares.ts";
import type { Directory } from "./directory/directory.ts";

export type OpenCells = {
  /** The cell of this process's DATABASE_URL. */
  own: DatabaseApi;
  /** Reads the directory if it does not know the name. @throws Error if the directory is needed and away */
  get(name: string): Promise<DatabaseApi>;
  /** All cells, by name, as the directory last named them. @throws Error if it was never read and is away */
  all(): Promise<Map<string, DatabaseApi>>;
  /** The cells with connections, by name. */
  opened(): Map<string, DatabaseApi>;
  close(): Promise<void>;
};

/** A new cell gets organisations after this time at the latest. */
const freshMs = 10_000;
/** Connections that were not used for this time are closed, and at the latest after twice as long. */
const unusedMs = 10_000;

/** @param maxConnections to all cells together. Each cell may open an equal share, so one that hangs takes none from others */
export function openCells(
  own: { name: string; urls: DatabaseUrls },
  maxConnections: number,
  directory: Directory,
  shared: SharedParts,
): OpenCells {
  const ownApi = openDatabaseApi(own.urls, shared);
  const opened = new Map<string, DatabaseApi>([[own.name, ownApi]]);
  let known: { urls: Map<string, DatabaseUrls>; at: number } | undefined;
  let reading: Promise<Map<string, DatabaseUrls>> | undefined;
  let share = 0;
  void divide(1);
  const closingUnused = setInterval(() => {
    for (const cell of opened.values()) cell.closeUnused();
  }, unusedMs).unref();

  async function divide(cells: number): Promise<void> {
    const before = share;
    share = shareOfCell(maxConnections, cells);
    if (share === before) return;
    if (share * cells > maxConnections) {
      shared.log.error(
        { cells, maxConnections },
        "CELL_CONNECTIONS is too low for this number of cells, it is exceeded",
      );
    }
    await Promise.all([...opened.values()].map((cell) => cell.resize(share)));
  }

  /** A new cell is opened once the others have closed what is beyond their shares. */
  async function readAgain(): Promise<Map<string, DatabaseUrls>> {
    try {
      const cells = await directory.cells();
      const named = cells.map(({ name, ...rest }): [string, DatabaseUrls] => [
        name,
        name === own.name ? own.urls : rest,
      ]);
      const urls = new Map(named).set(own.name, own.urls);
      await divide(urls.size);
      known = { urls, at: performance.now() };
    } catch (error) {
      if (!known) throw error;
      known.at = performance.now(); // the next reading is as late as after a success
    } finally {
      reading = undefined;
    }
    return known.urls;
  }

  async function read(): Promise<Map<string, DatabaseUrls>> {
    if (known && performance.now() - known.at < freshMs) return known.urls;
    reading ??= readAgain();
    return reading;
  }

  function open(name: string, urls: DatabaseUrls): DatabaseApi {
    const before = opened.get(name);
    if (before) return before;
    const api = openDatabaseApi(urls, shared);
    void api.resize(share);
    opened.set(name, api);
    return api;
  }

  return {
    own: ownApi,
    async get(name) {
      const api = opened.get(name);
      if (api) return api;
      const urls = (await read()).get(name);
      if (!urls) throw new Error(`The directory names a cell that it does not have: ${name}`);
      return open(name, urls);
    },
    async all() {
      return new Map([...(await read())].map(([name, urls]) => [name, open(name, urls)]));
    },
    opened: () => opened,
    async close() {
      clearInterval(closingUnused);
      await Promise.all([...opened.values()].map((cell) => cell.close()));
    },
  };
}
