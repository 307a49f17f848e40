/** The first line of every generated section: the day, and the machine of the measurement. */
import { cpus, loadavg, totalmem } from "node:os";
import { accountFor } from "../src/database/embedded/account.ts";
import { findBinaries } from "../src/database/embedded/binaries.ts";

const loadAtStart = loadavg()[0] ?? Number.NaN;

/** @param folder of the data, whose owner runs PostgreSQL */
export function machine(folder: string): string {
  const processors = cpus();
  return (
    `${new Date().toISOString().slice(0, 10)}; ${processors.length} cores (${processors[0]?.model.trim()}), ` +
    `${Math.round(totalmem() / 2 ** 30)} GB of memory; Node ${process.versions.node}, ` +
    `PostgreSQL ${findBinaries(accountFor(folder)).version}; load average at the start ${loadAtStart.toFixed(1)}.`
  );
}
