/** The API as a process of its own (`botstead api`), which a test may kill, and clients with organisations of their own. */
import { callerOf, type TestApi } from "../support/api.ts";
import { makeKey, makeLastingExecutor, makeOrganisation, seemSwept, type TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { type Program, runProgram } from "../support/program.ts";
import { tell } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import type { Made } from "./calls.ts";
import { countFaults, gatherFound, type Journal, judge, replayAll } from "./journal.ts";
import type { Client } from "./mixed-load.ts";

export type ApiAlone = {
  /** Stays the same however often it is started. */
  url: string;
  call: TestApi["call"];
  /** Status of `/healthz` or `/readyz`; undefined when nobody answers. */
  health(path: "/healthz" | "/readyz"): Promise<number | undefined>;
  /** Resolves when it answers. */
  start(): Promise<Program>;
  /** Organisations of their own, each with so many clients, which have room for any load but for the buckets'. */
  clients(organisations: number, each?: number): Promise<Client[]>;
  /**
   * The end of each fault: asks every POST once more, holds all against all, and tells the counts.
   *
   * @param replays those that were made before, by a test whose POSTs are more than can be asked within a minute
   */
  expectNothingLost(fault: string, made: Made[], replays?: Journal["replays"]): Promise<Journal>;
};

type Where = Pick<TestDatabase, "sql" | "masterKey">;

/** @param databaseUrl the administrator's address of the database, as the API is to reach it */
export async function apiAlone(db: Where, databaseUrl: string, dataDir: string): Promise<ApiAlone> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), DATABASE_URL: databaseUrl, MASTER_KEY: db.masterKey, DATA_DIR: dataDir };
  const call = callerOf(url);
  const health: ApiAlone["health"] = (path) =>
    fetch(url + path, { signal: AbortSignal.timeout(6_000) }).then(
      ({ status }) => status,
      () => undefined,
    );
  return {
    url,
    call,
    health,
    async start() {
      const program = runProgram(["api"], { env });
      await eventually(async () => (await health("/healthz")) === 200, 20_000);
      return program;
    },
    async clients(organisations, each = 1) {
      await makeLastingExecutor(db);
      await seemSwept(db);
      const made: Client[] = [];
      for (let organisation = 0; organisation < organisations; organisation += 1) {
        const { id, ownerId } = await makeOrganisation(db);
        await db.sql(
          "update app.organisations set hourly_run_ceiling = 1000000, live_key_ceiling = 1000000 where id = $1",
          [id],
        );
        for (let number = 0; number < each; number += 1) {
          const key = (await makeKey(db, id, ownerId, "admin")).text;
          const bot = (await call("POST", "/bots", { key, body: { name: `Bot ${number}` } })).body.id;
          made.push({ key, bot, organisation: id });
        }
      }
      return made;
    },
    async expectNothingLost(fault, made, replays) {
      const journal: Journal = {
        made,
        replays: replays ?? (await replayAll(url, made)),
        found: await gatherFound(db.sql, made),
      };
      const findings = judge(journal);
      tell(fault, countFaults(journal, findings));
      expect(journal.found.size).toBeGreaterThan(0);
      expect(findings).toEqual([]);
      return journal;
    },
  };
}
