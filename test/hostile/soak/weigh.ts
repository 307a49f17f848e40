/**
 * Loaded into the processes of a soak by `node --import`. On SIGUSR2 the process forces garbage collections and writes
 * its memory use in MB to a file in its working directory.
 */
import { writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (how: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

process.on("SIGUSR2", () => {
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  writeFileSync(`weight.${process.pid}`, String(process.memoryUsage.rss() / 1e6));
});
