/**
 * Redundant installation on loopback with the files of ops/: HAProxy, two API processes, two workers, two PgBouncer
 * processes, a primary and its replica. The address of the primary can move to the replica.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool, type QueryResultRow } from "pg";
import { freePort } from "../../src/database/embedded/port.ts";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { parseRanges } from "../../src/delivery/address.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { makeTenant, type Place, type Tenant, untilWorkIsDone } from "../fault/fixture.ts";
import { closing } from "../support/closing.ts";
import { cleanUp, clusterOf, newDataFolder, start } from "../support/embedded.ts";
import { startHooks } from "../support/hooks.ts";
import { processTree, signalAll } from "../support/process-tree.ts";
import { answersAt, killPrograms } from "../support/program.ts";
import { query } from "../support/query.ts";
import { slowNetworkTo } from "../support/slow-network.ts";
import { eventually, watchForWorker } from "../support/worker.ts";
import { startBalancer } from "./balancer.ts";
import { type Part, startPart } from "./part.ts";
import { startPooler } from "./pooler.ts";
import { type Standby, startStandby } from "./standby.ts";

export type Fleet = {
  /** URL of HAProxy. */
  url: string;
  apis: Part[];
  workers: Part[];
  poolers: Part[];
  balancer: Part;
  primary: Part;
  standby: Standby & Part;
  /** Moves the address of the primary to the standby. */
  moveToStandby(): void;
  /** Environment of each Botstead process and command. */
  env: Record<string, string>;
  /** Creates a new tenant, so that its evidence covers this test only. */
  tenant(): Promise<Tenant>;
  /** Waits until a worker processes runs and deliveries. */
  untilWorkIsDone(): Promise<void>;
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
};

/** Closed after the tests of the file, even if the set-up fails. */
export async function openFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-fleet-"));
  closing(() => rmSync(folder, { recursive: true, force: true }));
  closing(cleanUp);
  const dataDir = newDataFolder();
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const server = { password: key.password("postgres"), settings: { max_connections: "200" } };
  const first = await start(dataDir, server);
  const primary: Part = {
    async kill() {
      signalAll(processTree(readPostmaster(clusterOf(dataDir))?.pid ?? 0), "SIGKILL");
      await eventually(async () => processTree(readPostmaster(clusterOf(dataDir))?.pid ?? 0).length === 0);
    },
    start: async () => void (await start(dataDir, { ...server, port: first.port })),
  };
  await query(first.url, "create database botstead");
  const address = await slowNetworkTo(first.port);
  closing(() => address.close());
  const moving = new URL(urlOfDatabase("botstead", first.url));
  moving.port = String(address.port);
  const adminUrl = moving.href;
  await migrate({ adminUrl, key, isNew: true, allowed: { ranges: parseRanges("127.0.0.0/8"), hosts: [] } });
  const standby = await startStandby(first.url, dataDir);

  const pool = new Pool({ connectionString: adminUrl, max: 4 });
  pool.on("error", () => {});
  closing(() => pool.end());
  const sql: Fleet["sql"] = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const pooler = await startPooler({ sql, adminUrl }, 2);

  const hooks = await startHooks();
  closing(() => hooks.close());
  const caFile = join(folder, "receiver-ca.pem");
  writeFileSync(caFile, hooks.receiver.ca);
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: pooler.urlOf(adminUrl),
    DATABASE_DIRECT_URL: adminUrl,
    DATABASE_READ_URL: standby.urlOf(adminUrl),
    MASTER_KEY: readFileSync(join(dataDir, "master.key"), "utf8").trim(),
    TRUSTED_PROXIES: "127.0.0.1",
    WEBHOOK_ALLOW_RANGES: "127.0.0.0/8",
    WEBHOOK_CA_FILE: caFile,
  };
  const startApi = async () => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const part = await startPart("api", { ...env, PORT: port }, async () => () => answersAt(url));
    return { ...part, url };
  };
  // Sequentially, so that a new live worker is the one just started.
  const startWorkers = async () => {
    const one = () => startPart("worker", env, () => watchForWorker(sql));
    return [await one(), await one()];
  };
  closing(killPrograms);
  const [apis, workers] = await Promise.all([Promise.all([startApi(), startApi()]), startWorkers()]);
  const balancer = await startBalancer([apis[0].url, apis[1].url]);
  await eventually(async () => (await fetch(`${balancer.url}/readyz`)).ok);

  const place: Place = { home: { api: `${balancer.url}/api/v1` }, hooks, sql };
  return {
    url: balancer.url,
    apis,
    workers,
    poolers: pooler.processes,
    balancer: balancer.process,
    primary,
    standby: { ...standby, ...standby.process },
    moveToStandby: () => address.lead(standby.process.port),
    env,
    tenant: () => makeTenant(place),
    untilWorkIsDone: () => untilWorkIsDone(place),
    sql,
  };
}
