/** An installation in which faults occur, one without faults, and a Prometheus that scrapes both. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { readConfig } from "../../src/config.ts";
import { startConsole } from "../../src/console/server.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { type SmallDisk, smallDisk } from "../fault/small-disk.ts";
import { type Standby, startStandby } from "../machines/standby.ts";
import { makeExecutor, testDatabase } from "../support/database.ts";
import { type Hooks, startHooks } from "../support/hooks.ts";
import { copyMigratedFolder, type Installation, makeInstallation, type Started } from "../support/installation.ts";
import { log } from "../support/logged.ts";
import { command, killPrograms, type Program, runProgram } from "../support/program.ts";
import { type Prometheus, startPrometheus, type Target } from "../support/prometheus.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";
import { preventAudit } from "./faults.ts";

/** Of each process of the installation with the faults. */
export const maxDescriptors = 300;

export type Observed = {
  /** With the data directory of the installation with the faults. */
  disk: SmallDisk;
  hooks: Hooks;
  home: Installation;
  started: Started;
  standby: Standby;
  prometheus: Prometheus;
  /** Starts the process that nothing has answered for. */
  startMissing(): Program;
  /** Gives each of two installations with one label its own. */
  labelMixed(): void;
  /** As superuser, in a session of its own. */
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  openClient(): Promise<Client>;
  /** Waits until the alerts have fired for the installation with the faults. Repeats the step meanwhile. */
  untilFired(alerts: string[], step?: () => Promise<unknown>): Promise<void>;
  /** Waits until these alerts no longer fire. Repeats the step meanwhile. */
  untilCleared(alerts: string[], step: () => Promise<unknown>): Promise<void>;
  remove(): Promise<void>;
};

/**
 * A scrape resets the histogram of the event loop. If each scrape of `mixed` came just before one of `faulty`, then
 * BotsteadEventLoopBlocked would never fire.
 */
const mixedSeconds = 20;

/** No test remedies it, so without it the metrics were missing. */
const lasting = "faulty BotsteadOtherDefinitions";

export async function observe(): Promise<Observed> {
  const endings: (() => unknown)[] = [];
  async function remove() {
    for (const end of endings.splice(0).toReversed()) await end();
  }
  try {
    return { ...(await start(endings)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function start(endings: (() => unknown)[]): Promise<Omit<Observed, "remove">> {
  const disk = smallDisk(900);
  endings.push(disk.remove);
  const hooks = await startHooks();
  endings.push(hooks.close, killPrograms);
  const dataDir = join(disk.folder, "data");
  await copyMigratedFolder(dataDir);
  appendFileSync(
    join(dataDir, "postgres/postgresql.auto.conf"),
    "archive_mode = on\narchive_command = 'true'\nmax_wal_size = '32MB'\nmin_wal_size = '32MB'\n",
  );
  const home = await makeInstallation(hooks.receiver.ca, { DATA_DIR: dataDir });
  endings.push(home.remove);
  const started = await home.start({ through: ["prlimit", `--nofile=${maxDescriptors}:${maxDescriptors}`] });
  const masterKey = readFileSync(join(dataDir, "master.key"), "utf8").trim();
  const adminUrl = (await command(["database-url", "--role", "administrator"], { env: home.env })).stdout.trim();
  const sql = <Row extends object>(text: string, values?: unknown[]) =>
    query<Row & Record<string, unknown>>(adminUrl, text, values) as Promise<Row[]>;
  const standby = await startStandby(adminUrl, dataDir);
  endings.push(standby.remove);
  await standby.sql("select pg_wal_replay_pause()");
  await sql("alter system set archive_command = 'false'"); // not before: the end of the standby's backup waits for the archive
  await sql("select pg_reload_conf()");

  await preventAudit(sql);
  const healthyPort = await startHealthy(endings);
  const port = Number(home.env.CONSOLE_PORT);
  const missingPort = await freePort();
  const targets = (second: string): Target[] => [
    { job: "botstead", installation: "faulty", port },
    { job: "botstead", installation: "healthy", port: healthyPort },
    { job: "botstead-parts", installation: "faulty", port: missingPort }, // nothing listens there
    { job: "botstead", installation: "mixed", port, everySeconds: mixedSeconds },
    { job: "botstead", installation: second, port: healthyPort, everySeconds: mixedSeconds },
  ];
  const prometheus = await startPrometheus(targets("mixed"));
  endings.push(prometheus.stop);
  const labelMixed = () => prometheus.configure(targets("unmixed"));
  const startMissing = () =>
    runProgram(["console"], {
      env: { ...home.env, DATABASE_URL: adminUrl, MASTER_KEY: masterKey, CONSOLE_PORT: String(missingPort) },
    });

  async function openClient() {
    const client = new Client({ connectionString: adminUrl });
    client.on("error", () => {});
    await client.connect();
    endings.push(() => client.end().catch(() => {}));
    return client;
  }

  async function untilFired(alerts: string[], step: () => Promise<unknown> = async () => {}) {
    const missing = async () => {
      const fired = await prometheus.fired();
      return alerts.filter((alert) => !fired.has(`faulty ${alert}`));
    };
    await eventually(async () => {
      await step();
      return (await missing()).length === 0;
    }, 90_000).catch(() => {});
    expect(await missing()).toEqual([]);
  }

  async function untilCleared(alerts: string[], step: () => Promise<unknown>) {
    const remaining = async () => {
      const firing = await prometheus.firing();
      return [...alerts.filter((alert) => firing.has(`faulty ${alert}`)), ...(firing.has(lasting) ? [] : [lasting])];
    };
    await eventually(async () => {
      await step();
      return (await remaining()).length === 0;
    }, 90_000).catch(() => {});
    expect(await remaining()).toEqual([]);
  }
  const state = { disk, hooks, home, started, standby, prometheus };
  return { ...state, startMissing, labelMixed, sql, openClient, untilFired, untilCleared };
}

/** @returns the port of its console */
async function startHealthy(endings: (() => unknown)[]): Promise<number> {
  const db = await testDatabase();
  endings.push(db.drop);
  await makeExecutor(db);
  await db.sql("update app.audit_tree set checked_at = now() + interval '1 hour'"); // it has no worker
  const config = readConfig({ DATA_DIR: db.dataDir, CONSOLE_PORT: String(await freePort()) });
  const running = await startConsole(config, db.adminUrl, db.key, log, makeRegistry("console"));
  endings.push(running.stop);
  return config.consolePort;
}
