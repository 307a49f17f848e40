#!/usr/bin/env node
// The command, started by any version of Node. Botstead needs the Node that `npm ci` installs as an optional package.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";

if (Number(process.versions.node.split(".")[0]) >= 24) {
  // The compile cache saves time and 25 MB per process, since Node need not strip types again.
  const compiled = fileURLToPath(new URL("../node_modules/.cache/botstead", import.meta.url));
  if (process.argv[2] === "start" && !existsSync(compiled)) {
    (await import("./processes/compile-cache.ts")).fillCompileCache(compiled);
  }
  module.enableCompileCache(compiled);
  const { isTenantCommand } = await import("./tenant/commands.ts");
  if (isTenantCommand(process.argv.slice(2))) await import("./tenant/bin.ts");
  else await (await import("./cli.ts")).run();
} else {
  const { installedNode } = await import("./installed-node.js");
  if (installedNode) launch(installedNode);
  else {
    process.stderr.write(
      `Botstead needs Node 24 or later, this is ${process.version}. npm ci installs it on Linux and macOS (x64, arm64), unless it leaves out optional packages. Otherwise install Node 24 yourself.\n`,
    );
    process.exitCode = 1;
  }
}

/** @param {string} node path of the program */
function launch(node) {
  // src/config.ts recognises by this name that the process was launched.
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit", argv0: "botstead" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
