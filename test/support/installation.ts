/** An installation: `botstead start` with its own data folder and ports. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { clearPostmaster } from "../../src/database/embedded/postmaster.ts";
import { callerOf, type Json } from "./api.ts";
import { type Cluster, clusterVariable } from "./cluster.ts";
import { type Process, processTree, signalAll } from "./process-tree.ts";
import { command, type Program, runProgram, type Settings } from "./program.ts";
import { eventually } from "./worker.ts";

export type Installation = {
  dataDir: string;
  env: Record<string, string>;
  api: string;
  /** Starts Botstead and waits until it has printed the panel of addresses. The first start finds a migrated database. */
  start(settings?: Settings): Promise<Started>;
  call(method: string, path: string, key: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** Ends all processes that run on the folder, and removes it. */
  remove(): Promise<void>;
};

export type Started = {
  program: Program;
  /** From the command to the panel, in ms. */
  readyMs: number;
  panel: string;
  /** The running processes, by part. */
  parts(): Record<"main" | "api" | "worker" | "console" | "postgres", Process | undefined>;
};

/**
 * @param receiverCa the CA certificate of the test's receiver on loopback
 * @param more additional settings, such as DATA_DIR for a first start without a database, or DATABASE_URL and MASTER_KEY of
 *   an external database
 */
export async function makeInstallation(receiverCa?: string, more: Record<string, string> = {}): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-installation-"));
  const dataDir = more.DATA_DIR ?? join(folder, "data");
  const [port, consolePort] = [await freePort(), await freePort()];
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: String(port),
    CONSOLE_PORT: String(consolePort),
    ...more,
  };
  if (receiverCa) {
    env.WEBHOOK_ALLOW_RANGES = "127.0.0.0/8,::1/128";
    env.WEBHOOK_CA_FILE = join(folder, "receiver-ca.pem");
    writeFileSync(env.WEBHOOK_CA_FILE, receiverCa);
  }
  const programs: Program[] = [];
  const url = `http://127.0.0.1:${port}`;
  const ask = callerOf(url);
  return {
    dataDir,
    env,
    api: `${url}/api/v1`,
    async start(settings = {}) {
      if (!more.DATA_DIR && !more.DATABASE_URL && !existsSync(dataDir)) {
        await copyMigratedFolder(dataDir);
      }
      const began = performance.now();
      const program = runProgram(["start"], { cwd: folder, ...settings, env: { ...env, ...settings.env } });
      programs.push(program);
      await program.says(/Botstead is ready\.[\s\S]*Console .*\n(.+\n)*\n/);
      return {
        program,
        readyMs: performance.now() - began,
        panel: program.stdout(),
        parts() {
          const tree = processTree(program.child.pid ?? 0);
          const find = (pattern: RegExp) => tree.find(({ command }) => pattern.test(command));
          const [main] = tree;
          return {
            main,
            api: find(/ api $/),
            worker: find(/ worker $/),
            console: find(/ console $/),
            postgres: find(/postgres .*-D /),
          };
        },
      };
    },
    call: (method, path, key, body) => ask(method, path, { key, body }),
    async remove() {
      for (const { child, kill } of programs) {
        signalAll(processTree(child.pid ?? 0), "SIGKILL");
        await kill();
      }
      await clearPostmaster(join(dataDir, "postgres"), () => {}).catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes `dataDir`, with a migrated database and no organisation. Files keep their owner. */
export async function copyMigratedFolder(dataDir: string): Promise<void> {
  execFileSync("cp", ["-a", await migratedFolder(), dataDir]);
}

/**
 * A data folder with a migrated database and no organisation. The first jest worker that needs it makes it, because that
 * takes 6 s of processor time and a copy 1 s. The others wait.
 */
async function migratedFolder(): Promise<string> {
  const { dataDir } = JSON.parse(process.env[clusterVariable] ?? "{}") as Cluster;
  const folder = join(dataDir, "installation");
  const lock = `${folder}.lock`;
  await eventually(async () => existsSync(folder) || takes(lock));
  if (existsSync(folder)) return folder;
  try {
    const unfinished = mkdtempSync(`${folder}-`);
    const { code, stderr } = await command(["migrate"], { env: { DATA_DIR: unfinished } });
    if (code !== 0) throw new Error(stderr);
    rmSync(join(unfinished, "postgres.port")); // each copy gets a port of its own
    renameSync(unfinished, folder);
  } finally {
    rmdirSync(lock);
  }
  return folder;
}

/** Only one process can create a folder. */
function takes(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** The admin key that the first start prints. */
export const keyIn = (panel: string): string => panel.match(/^ +(bsk_\w+)$/m)?.[1] ?? "";
