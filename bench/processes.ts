/** `npm run bench -- processes`: start-up time and memory of the processes of `npm start`. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../src/config.ts";
import { freePort } from "../src/database/embedded/port.ts";

type Start = {
  /** Milliseconds until the first authenticated call succeeds. */
  servedMs: number;
  /** Milliseconds until the output says that all parts are ready, including worker and console. */
  readyMs: number;
};
type Processes = {
  first: Start;
  later: Start;
  /** Resident memory of the API and of the worker in bytes; undefined without /proc. */
  api: number | undefined;
  worker: number | undefined;
};

const root = fileURLToPath(new URL("../", import.meta.url));

/** The arguments of node in `npm start`: flags of V8, then the program and its command. */
const startCommand = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  return scripts.start.split(" ").slice(1);
};

/** The flags of V8. The API under load runs with the same ones. */
export const nodeFlags = (): string[] => startCommand().filter((word) => word.startsWith("--"));

/** Starts twice: in an empty folder, which creates the database, and again with that database. Returns a Markdown table. */
export async function measureProcesses(folder: string): Promise<string> {
  const dataDir = join(folder, "start");
  rmSync(dataDir, { recursive: true, force: true });
  const first = await start(dataDir);
  await first.stop();
  const later = await start(dataDir, first.key);
  await sleep(3_000); // time for garbage collection after the start
  const { pid } = later;
  const measured: Processes = {
    first: first.times,
    later: later.times,
    api: partOf(pid, "api"),
    worker: partOf(pid, "worker"),
  };
  await later.stop();
  return table(measured);
}

function table({ first, later, api, worker }: Processes): string {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const s = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const lines = [
    "The processes of `npm start`.\n",
    "| Start | measured | target |",
    "|---|--:|--:|",
    `| in an empty folder: first served call | ${s(first.servedMs)} | 2.5 s |`,
    `| the same: all parts ready | ${s(first.readyMs)} | 15 s |`,
    `| with a database: first served call | ${s(later.servedMs)} | 0.8 s |`,
    `| the same: all parts ready | ${s(later.readyMs)} | 5 s |`,
  ];
  if (api && worker) lines.push(`| memory of API process + worker process | ${mb(api)} + ${mb(worker)} | 250 MB |`);
  return lines.join("\n");
}

async function start(dataDir: string, knownKey?: string) {
  const [port, consolePort] = [await freePort(), await freePort()];
  const began = performance.now();
  const child = spawn(process.execPath, startCommand(), {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: environmentWith({
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
    }),
  });
  let output = "";
  let readyMs = 0;
  child.stdout.on("data", (part) => {
    output += part;
    if (readyMs === 0 && output.includes("is ready")) readyMs = performance.now() - began;
  });
  let servedMs = 0;
  let key = knownKey;
  for (; servedMs === 0 || readyMs === 0; await sleep(5)) {
    if (child.exitCode !== null) throw new Error(`npm start exited early. Its output:\n${output}`);
    key ??= /bsk_[0-9A-Za-z]{49}/.exec(output)?.[0];
    if (key && servedMs === 0 && (await isServed(port, key))) servedMs = performance.now() - began;
  }
  return { times: { servedMs, readyMs }, key, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function isServed(port: number, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/memories`, { headers }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  await ended;
}

function resident(pid: number): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(status, "utf8"))?.[1]) * 1024;
}

function partOf(parent: number, part: "api" | "worker"): number | undefined {
  if (!existsSync("/proc")) return undefined;
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  const child = pids.find((pid) => {
    try {
      const isChild = readFileSync(`/proc/${pid}/status`, "utf8").includes(`PPid:\t${parent}\n`);
      return isChild && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(part);
    } catch {
      return false; // the process exited meanwhile
    }
  });
  return child ? resident(Number(child)) : undefined;
}
