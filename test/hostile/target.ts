/**
 * Target of the attacks: a process of `botstead api` over a test database, behind a proxy that names its callers. Also
 * the measurements of that process that an oracle needs.
 */

import { freePort } from "../../src/database/embedded/port.ts";
import {
  makeExecutor,
  makeKey,
  makeOrganisation,
  recordMaintenance,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { scrape } from "../support/metrics.ts";
import { ofFile } from "../support/of-file.ts";
import { processTree, watchPeak } from "../support/process-tree.ts";
import { answersAt, asForUse, killPrograms, type Program, runApi } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

export type Target = {
  db: TestDatabase;
  program: Program;
  url: string;
  port: number;
  metricsPort: number;
  /** A caller of an organisation of its own, with unused rate limits. */
  caller(): Promise<HostileCaller>;
  weight(): Promise<Weight>;
  /** Resets the peak. Returns a function for the maximum resident memory since then, in MB; only on Linux. */
  watchPeak(): () => number | undefined;
  close(): Promise<void>;
};

export type HostileCaller = {
  organisationId: string;
  /** The key. */
  text: string;
  /** The header with the key, including the line end. */
  authorization: string;
  /** Names of the existing bots, in order, after all requests have ended. */
  bots(): Promise<string[]>;
};

/** Resident memory in MB; open descriptors (only on Linux). */
export type Weight = { megabytes: number; descriptors: number | undefined };

export async function openTarget(settings: Record<string, string> = {}): Promise<Target> {
  const db = await testDatabase();
  await makeExecutor(db);
  await recordMaintenance(db);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const program = await runApi({
    ...asForUse,
    DATABASE_URL: db.adminUrl,
    MASTER_KEY: db.masterKey,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    TRUSTED_PROXIES: "127.0.0.0/8",
    LOG_LEVEL: "warn",
    ...settings,
  });
  const url = `http://127.0.0.1:${port}`;
  const metrics = () => scrape(`http://127.0.0.1:${metricsPort}/metrics`);
  /**
   * A peer may disconnect before its requests have ended. Requests that arrived before this call have begun when it
   * gets a response.
   */
  async function atRest(): Promise<void> {
    await answersAt(url);
    await eventually(async () => (await metrics()).value("botstead_http_requests_in_flight") === 0);
  }
  return {
    db,
    program,
    url,
    port,
    metricsPort,
    async caller() {
      const { id, ownerId } = await makeOrganisation(db);
      const { text } = await makeKey(db, id, ownerId);
      return {
        organisationId: id,
        text,
        authorization: `authorization: Bearer ${text}\r\n`,
        async bots() {
          await atRest();
          const found = "select name from app.bots where organisation_id = $1 order by id";
          return (await db.sql<{ name: string }>(found, [id])).map(({ name }) => name);
        },
      };
    },
    async weight() {
      const [found] = processTree(program.child.pid ?? 0);
      return { megabytes: found?.megabytes ?? 0, descriptors: (await metrics()).value("process_open_fds") };
    },
    watchPeak: () => watchPeak(program.child.pid ?? 0),
    async close() {
      await killPrograms();
      await db.drop();
    },
  };
}

/** Opened before the file's tests and closed after them, with a new caller for each test. */
export function targetOfFile(): { target: Target; caller: HostileCaller } {
  const at = ofFile<{ target: Target; caller: HostileCaller }>(
    async (at) => {
      at.target = await openTarget();
    },
    ({ target }) => target?.close(),
  );
  beforeEach(async () => {
    at.caller = await at.target.caller();
  });
  return at;
}
