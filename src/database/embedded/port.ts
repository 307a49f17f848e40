/** The embedded server's port, stored in `<dataDir>/postgres.port`, since addresses of executors contain it. */
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const fileIn = (folder: string) => join(folder, "postgres.port");

/** The port of the last start; undefined on the first, or if another program has it now, which `progress` reports. */
export async function storedPort(folder: string, progress: (sentence: string) => void): Promise<number | undefined> {
  const stored = read(folder);
  if (stored === undefined || (await isFree(stored))) return stored;
  progress(
    `Another program uses port ${stored}, the database's last port, so the database gets a new one. Addresses printed earlier by "database-url" and "executor mint" are no longer valid`,
  );
  return undefined;
}

export function storePort(folder: string, port: number): void {
  if (read(folder) !== port) writeFileSync(fileIn(folder), `${port}\n`);
}

/**
 * A free port. If another program takes it first, `launch` tries another. Ports above 32767 are avoided: systems use
 * them for outgoing connections, and the next start could find the port taken.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error("No free port was found between 20000 and 32767 on 127.0.0.1.");
}

function read(folder: string): number | undefined {
  try {
    const port = Number(readFileSync(fileIn(folder), "utf8"));
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
