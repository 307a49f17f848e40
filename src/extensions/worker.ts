/** The extensions of the worker. Each can be left out: runs, deliveries and mails do not need it. */
import { transparency } from "../transparency/transparency.ts";
import type { WorkerExtension } from "../worker/extension.ts";

export const workerExtensions: WorkerExtension[] = [transparency];
