/** The API as a separate process (`botstead api`) that a test can kill. */

import { freePort } from "../../src/database/embedded/port.ts";
import { callerOf, type TestApi } from "../support/api.ts";
import { makeExecutor, recordMaintenance, type TestDatabase } from "../support/database.ts";
import { type Program, runApi } from "../support/program.ts";
import { type Clients, clientsOf } from "./clients.ts";
import { hurried, withinMs } from "./journal.ts";

export type ApiAlone = Clients & {
  /** Stays the same after a restart. */
  url: string;
  call: TestApi["call"];
  /** Status of `/healthz` or `/readyz`; undefined without a response. */
  health(path: "/healthz" | "/readyz"): Promise<number | undefined>;
  /** Resolves when the API answers requests. */
  start(): Promise<Program>;
};

type Where = Pick<TestDatabase, "sql" | "masterKey">;

/** @param databaseUrl administrator URL of the database, as the API reaches it */
export async function apiAlone(db: Where, databaseUrl: string, dataDir: string): Promise<ApiAlone> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    MASTER_KEY: db.masterKey,
    DATA_DIR: dataDir,
    ...hurried,
  };
  const load = clientsOf({ sql: db.sql, url });
  return {
    ...load,
    url,
    call: callerOf(url),
    health: (path) =>
      fetch(url + path, { signal: AbortSignal.timeout(withinMs) }).then(
        ({ status }) => status,
        () => undefined,
      ),
    start: () => runApi(env),
    async clients(organisations, each) {
      await makeExecutor(db); // a registered executor, without which no run can start
      await recordMaintenance(db);
      return load.clients(organisations, each);
    },
  };
}
