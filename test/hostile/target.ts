/**
 * What is attacked: the API as `botstead api` runs it, a process of its own over a test's database, behind a proxy that names its
 * callers; and what an oracle needs to see of that process from outside.
 */
import {
  makeKey,
  makeLastingExecutor,
  makeOrganisation,
  seemSwept,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { scrape } from "../support/metrics.ts";
import { processTree } from "../support/process-tree.ts";
import { answersAt, killPrograms, type Program, runApi } from "../support/program.ts";

export type Target = {
  db: TestDatabase;
  program: Program;
  url: string;
  port: number;
  metricsPort: number;
  /** A caller of an organisation of its own, whose allowances nobody has used. */
  caller(): Promise<HostileCaller>;
  weight(): Promise<Weight>;
  /** Answers as before, whoever asks. */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
};

export type HostileCaller = {
  organisationId: string;
  /** The key. */
  text: string;
  /** The header with the key, and its line's end. */
  authorization: string;
  /** Names of the bots that are there, in order. */
  bots(): Promise<string[]>;
};

/** Of the process: resident memory in MB; open descriptors, where the system tells (Linux). */
export type Weight = { megabytes: number; descriptors: number | undefined };

/** As `npm start` and the unit of systemd run Node. */
const asForUse = { NODE_OPTIONS: "--max-semi-space-size=4" };

export async function openTarget(settings: Record<string, string> = {}): Promise<Target> {
  const db = await testDatabase();
  await makeLastingExecutor(db);
  await seemSwept(db);
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
  return {
    db,
    program,
    url,
    port,
    metricsPort,
    isWell: () => answersAt(url),
    async caller() {
      const { id, ownerId } = await makeOrganisation(db);
      const { text } = await makeKey(db, id, ownerId);
      return {
        organisationId: id,
        text,
        authorization: `authorization: Bearer ${text}\r\n`,
        async bots() {
          const found = "select name from app.bots where organisation_id = $1 order by id";
          return (await db.sql<{ name: string }>(found, [id])).map(({ name }) => name);
        },
      };
    },
    async weight() {
      const [found] = processTree(program.child.pid ?? 0);
      const told = await scrape(`http://127.0.0.1:${metricsPort}/metrics`);
      return { megabytes: found?.megabytes ?? 0, descriptors: told.value("process_open_fds") };
    },
    async close() {
      await killPrograms();
      await db.drop();
    },
  };
}
