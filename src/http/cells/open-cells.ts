/** The cells that this process serves. Its own is open from the start, others from the first call that needs them. */
import type { Directory } from "../../directory/directory.ts";
import { type CellApi, type CellUrls, openCellApi, type SharedParts } from "./cell-api.ts";

export type OpenCells = {
  /** The cell of this process's DATABASE_URL. */
  own: CellApi;
  /** Reads the directory if it does not know the name. @throws Error if the directory is needed and away */
  get(name: string): Promise<CellApi>;
  /** All cells, by name, as the directory last named them. @throws Error if it was never read and is away */
  all(): Promise<Map<string, CellApi>>;
  /** The cells with connections, by name. */
  opened(): Map<string, CellApi>;
};

/** A new cell gets organisations after this time at the latest. */
const freshMs = 10_000;

export function openCells(own: { name: string; urls: CellUrls }, directory: Directory, shared: SharedParts): OpenCells {
  const ownApi = openCellApi(own.urls, shared);
  const opened = new Map<string, CellApi>([[own.name, ownApi]]);
  let known: { urls: Map<string, CellUrls>; at: number } | undefined;

  async function read(): Promise<Map<string, CellUrls>> {
    if (known && performance.now() - known.at < freshMs) return known.urls;
    try {
      const cells = await directory.cells();
      const urls = cells.map(({ name, ...rest }): [string, CellUrls] => [name, name === own.name ? own.urls : rest]);
      known = { urls: new Map(urls).set(own.name, own.urls), at: performance.now() };
    } catch (error) {
      if (!known) throw error;
      known.at = performance.now(); // the next reading is as late as after a success
    }
    return known.urls;
  }

  function open(name: string, urls: CellUrls): CellApi {
    const api = opened.get(name) ?? openCellApi(urls, shared);
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
  };
}
