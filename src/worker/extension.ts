/** What can be attached to the worker by one line where it starts (src/extensions/worker.ts), and left out. */
import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { MasterKey } from "../secrets/master-key.ts";

export type WorkerExtension = {
  start(worker: WorkerParts): { stop(): Promise<void> };
};

/** The pool logs in as `worker`. */
export type WorkerParts = { config: Config; pool: Pool; key: MasterKey; log: Log };
