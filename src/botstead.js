#!/usr/bin/env node
// The command, for whichever Node runs it: Botstead itself needs the Node 24 that it brings along as a package.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import * as module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

if (Number(process.versions.node.split(".")[0]) >= 24) {
  // What was compiled once is read back later: types need not be stripped again, which saves time and 25 MB a process.
  const compiled = fileURLToPath(new URL("../node_modules/.cache/botstead", import.meta.url));
  if (process.argv[2] === "start" && !existsSync(compiled)) {
    // The first time it is done by a process that ends, and gives back the memory that it took.
    spawnSync(process.execPath, [fileURLToPath(new URL("./compile.js", import.meta.url)), compiled]);
  }
  module.enableCompileCache(compiled);
  const { run } = await import("./cli.ts");
  await run();
} else {
  const node = join(dirname(module.createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
