/** `npm run client:build:python`: builds the wheel of clients/python, or says what that needs. Options are hatchling's. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../../clients/python", import.meta.url));
const check = "import sys, hatchling; sys.exit(sys.version_info < (3, 11))";

if (spawnSync("python3", ["-c", check]).status === 0) {
  const args = ["-m", "hatchling", "build", "--target", "wheel", ...process.argv.slice(2)];
  process.exitCode = spawnSync("python3", args, { cwd, stdio: "inherit" }).status ?? 1;
} else {
  console.error("client:build:python needs Python 3.11 or later as python3, with hatchling.");
  console.error("Install it by `pip install hatchling`, or on Debian by `apt install python3-hatchling`.");
  process.exitCode = 1;
}
