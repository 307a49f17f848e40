/** An extension of the API: one process serves the databases that a directory lists. (docs/directory.md) */

import type { Extension } from "../api/extension.ts";
import type { Databases, DatabaseUrls, SharedParts } from "../api/one-database.ts";
import type { Config } from "../config.ts";
import { urlAs } from "../database/urls.ts";
import { faultOf } from "../log.ts";
import { forgetDeleted } from "./deleted.ts";
import { openDirectory } from "./directory/directory.ts";
import { openCells } from "./open-cells.ts";
import { identifyPeople } from "./people.ts";
import { platformOperations } from "./platform-operations.ts";
import { answerFromCells } from "./routed.ts";
import { makeRoutes } from "./routes.ts";
import { makeUnknownCredentials } from "./unknown-credentials.ts";

const deleteOldMs = 3_600_000;

export const cells: Extension = {
  databases: (urls, parts) => (parts.config.directory ? serveCells(urls, parts, parts.config.directory) : undefined),
};

function serveCells(urls: DatabaseUrls, parts: SharedParts, settings: NonNullable<Config["directory"]>): Databases {
  const { key, log } = parts;
  const directory = openDirectory(urlAs("server", settings.url, key), "botstead api");
  const { cell: name, maxConnections } = settings;
  const opened = openCells({ name, urls }, maxConnections, directory, {
    ...parts,
    identifyPeople: (pools) => identifyPeople(directory, pools),
  });
  const routes = makeRoutes(opened, directory, log);
  const platform = platformOperations({ cells: opened, directory, routes });
  const deleting = setInterval(() => {
    Promise.all([directory.deleteOld(), forgetDeleted(opened, directory)]).catch((error: unknown) => {
      log.warn({ error: faultOf(error) }, "old entries of the directory were not deleted, the next hour repeats it");
    });
  }, deleteOldMs).unref();
  return {
    answering: answerFromCells({ cells: opened, routes, platform, unknown: makeUnknownCredentials(parts.rateLimiter) }),
    own: opened.own,
    ownName: name,
    all: opened.all,
    opened: opened.opened,
    checkDirectory: directory.cells,
    stop() {
      for (const cell of opened.opened().values()) cell.stop();
    },
    async close() {
      clearInterval(deleting);
      await opened.close();
      await directory.close();
    },
  };
}
