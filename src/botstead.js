#!/usr/bin/env node
// The command, for whichever Node runs it: Botstead itself needs the Node 24 that it brings along as a package.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("./cli.ts", import.meta.url));
const own = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
const node = Number(process.versions.node.split(".")[0]) >= 24 || !existsSync(own) ? process.execPath : own;

const child = spawn(node, [cli, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
