/** Thread that strips types. A thread, because Node needs 25 MB for it, which are released when the thread ends. */
import { stripTypeScriptTypes } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

const sources = workerData as Record<string, string>;
parentPort?.postMessage(
  Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, stripTypeScriptTypes(source)])),
);
