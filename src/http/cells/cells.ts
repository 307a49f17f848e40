/** Serves the cells of a directory, or one cell without a directory. */

import { urlAs } from "../../database/urls.ts";
import { openDirectory } from "../../directory/directory.ts";
import { faultOf } from "../../log.ts";
import { makeUnknownCredentials } from "../limits/unknown-credentials.ts";
import { type Answering, type CellApi, type CellUrls, openCellApi, type SharedParts } from "./cell-api.ts";
import { openCells } from "./open-cells.ts";
import { platformOperations } from "./platform-operations.ts";
import { answerFromCells } from "./routed.ts";
import { makeRoutes } from "./routes.ts";

export type Cells = {
  answering: Answering;
  /** The cell of DATABASE_URL. */
  own: CellApi;
  /** Its name. Empty without a directory. */
  ownName: string;
  /** All cells by name. @throws Error if the directory was never read and is away */
  all(): Promise<Map<string, CellApi>>;
  /** The cells with connections, by name. */
  opened(): Map<string, CellApi>;
  /** Reads the directory; undefined if there is none. @throws Error if it is away */
  checkDirectory: (() => Promise<unknown>) | undefined;
  /** Answers waiting requests and ends streams. */
  stop(): void;
  close(): Promise<void>;
};

const deleteOldMs = 3_600_000;

export function serveCells(urls: CellUrls, parts: Omit<SharedParts, "directory">): Cells {
  const { config, key, log } = parts;
  if (!config.directory) {
    const own = openCellApi(urls, { ...parts, directory: undefined });
    const one = new Map([["", own]]);
    const { stop, close } = own;
    const named = { ownName: "", all: async () => one, opened: () => one };
    return { answering: own, own, ...named, checkDirectory: undefined, stop, close };
  }
  const directory = openDirectory(urlAs("server", config.directory.url, key), "botstead api");
  const { cell: name, maxConnections } = config.directory;
  const cells = openCells({ name, urls }, maxConnections, directory, { ...parts, directory });
  const routes = makeRoutes(cells, directory, log);
  const platform = platformOperations({ cells, directory, routes });
  const deleting = setInterval(() => {
    directory.deleteOld().catch((error: unknown) => {
      log.warn({ error: faultOf(error) }, "old entries of the directory were not deleted, the next hour repeats it");
    });
  }, deleteOldMs).unref();
  return {
    answering: answerFromCells({ cells, routes, platform, unknown: makeUnknownCredentials(parts.rateLimiter) }),
    own: cells.own,
    ownName: name,
    all: cells.all,
    opened: cells.opened,
    checkDirectory: directory.cells,
    stop() {
      for (const cell of cells.opened().values()) cell.stop();
    },
    async close() {
      clearInterval(deleting);
      await cells.close();
      await directory.close();
    },
  };
}
