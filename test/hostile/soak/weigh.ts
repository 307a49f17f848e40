/**
 * Loaded into the processes that a soak looks at, by `node --import`. At SIGUSR2 one of them collects all that it can,
 * and writes what it weighs then, in MB, to a file of its own in the folder in which it runs.
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
