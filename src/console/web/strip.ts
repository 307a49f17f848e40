/**
 * TypeScript in, JavaScript out, as a thread that ends: what Node needs for it takes 25 MB, which are given back, and a
 * warning that it is new, which whoever starts the thread turns off.
 */
import { stripTypeScriptTypes } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

const sources = workerData as Record<string, string>;
parentPort?.postMessage(
  Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, stripTypeScriptTypes(source)])),
);
