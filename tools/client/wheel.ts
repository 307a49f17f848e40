/** `npm run client:build:python [-- --directory FOLDER]`: builds the wheel, by default in clients/python/dist, or says what that needs. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pythonProject } from "./python/project.ts";

const dist = fileURLToPath(new URL("../../clients/python/dist", import.meta.url));
const { directory } = parseArgs({ options: { directory: { type: "string", default: dist } } }).values;
const check = "import sys, hatchling; sys.exit(sys.version_info < (3, 11))";

if (spawnSync("python3", ["-c", check]).status === 0) {
  const args = ["-m", "hatchling", "build", "--target", "wheel", "--directory", resolve(directory)];
  process.exitCode = spawnSync("python3", args, { cwd: pythonProject(), stdio: "inherit" }).status ?? 1;
} else {
  console.error("client:build:python needs Python 3.11 or later as python3, with hatchling.");
  console.error("Install it by `pip install hatchling`, or on Debian by `apt install python3-hatchling`.");
  process.exitCode = 1;
}
