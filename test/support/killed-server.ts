/** Kills a PostgreSQL server of a test, as a power cut of its machine would, and starts it again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { accountFor } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { end, launch, type Running } from "../../src/database/embedded/server.ts";
import { fixed, type Settings } from "../../src/database/embedded/settings.ts";
import type { MasterKey } from "../../src/secrets/master-key.ts";
import { signalProcess } from "./process-tree.ts";
import { eventually } from "./worker.ts";

export type KillableServer = {
  /** SIGKILL to the postmaster. Resolves when it has ended. */
  kill(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  end(): Promise<void>;
};

/** Whether the system knows the id. PostgreSQL does not start while it does, and a process that was not reaped counts. */
function isKnown(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @param of the data folder and a URL of a server that is running */
export function killable(
  of: { dataDir: string; adminUrl: string; key: MasterKey },
  settings: Settings,
): KillableServer {
  const cluster = join(of.dataDir, "postgres");
  const account = accountFor(cluster);
  let running: Running | undefined;
  return {
    async kill() {
      const pid = Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
      signalProcess(pid, "SIGKILL");
      await eventually(async () => !isKnown(pid));
    },
    async start() {
      running = await launch({
        ...{ binaries: findBinaries(account), account, cluster, log: join(of.dataDir, "postgres.log") },
        ...{ password: of.key.password("postgres"), settings: { ...fixed, ...settings } },
        port: Number(new URL(of.adminUrl).port),
        progress: () => {},
      });
    },
    end: async () => running && end(running.child),
  };
}
