import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { clearPostmaster } from "../../src/database/embedded/postmaster.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/database/embedded.ts";

/** Contains every character that needs escaping in a URL. */
export const password = "a p@ss/w:rd?#%";

const folders: string[] = [];
const children: ChildProcess[] = [];
const servers: EmbeddedServer[] = [];

/** An empty data folder. As root, only root may enter its parent, as in a home directory. */
export function newDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "botstead-embedded-"));
  folders.push(folder);
  return join(folder, "data");
}

export const clusterOf = (dataDir: string) => join(dataDir, "postgres");
export const logOf = (dataDir: string) => join(dataDir, "postgres.log");

/** Starts in this process. `cleanUp` stops it after the test. */
export async function start(dataDir: string, more: Partial<Parameters<typeof startEmbedded>[0]> = {}) {
  const server = await startEmbedded({ dataDir, password, ...more });
  servers.push(server);
  return server;
}

/** Starts in a child process and returns the result. */
export async function startApart(dataDir: string): Promise<{ child: ChildProcess; url?: string; refusal?: string }> {
  const script = fileURLToPath(new URL("embedded-child.ts", import.meta.url));
  const child = adopt(spawn(process.execPath, [script, dataDir, password], { stdio: ["ignore", "pipe", "inherit"] }));
  if (!child.stdout) throw new Error("no pipe");
  for await (const line of createInterface(child.stdout)) return { child, ...JSON.parse(line) };
  throw new Error("the child ended without a word");
}

/** Registers a child to be killed after the test. */
export function adopt(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

export async function killChildren(): Promise<void> {
  await Promise.all(children.splice(0).map((child) => kill(child)));
}

/** After each test: stops all processes and removes all files. */
export async function cleanUp(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await killChildren();
  for (const folder of folders.splice(0)) {
    const cluster = clusterOf(join(folder, "data"));
    await clearPostmaster(cluster, () => {}); // an orphan that the test left
    rmSync(folder, { recursive: true, force: true });
  }
}
