/** Performs steps with the Python client: one process, one line of JSON for each step and for each outcome. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { pythonProject } from "../../tools/client/python/project.ts";
import type { ClientSettings, Driver, Outcome, Step } from "./case.ts";
import { addressOf } from "./operations.ts";

/** Debian's Python, which finds Debian's httpx. */
export const python = "/usr/bin/python3";
const program = fileURLToPath(new URL("driver.py", import.meta.url));

/** The folder of the package botstead. */
export const pythonSources = (): string => join(pythonProject(), "src");

/** @param path the folder, or the wheel, that has the package */
export function pythonDriver(path = pythonSources()): Driver {
  const child = spawn(python, ["-B", program], {
    env: { PYTHONPATH: path, PYTHONUTF8: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async perform(settings: ClientSettings, step: Step): Promise<Outcome> {
      const address = step.call ? addressOf(step.call) : {};
      child.stdin.write(`${JSON.stringify({ settings, step, address })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("The Python driver ended.");
      return JSON.parse(value);
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
