/** `.ci/run`: npm test, the fault suites, types, lint, the contract and the client. Exits with 1 if anything failed. */
import { type Check, runCi, type Suite } from "./run.ts";

const npm = (script: string, ...options: string[]) => ["npm", "run", "--silent", script, "--", ...options];

const suites: Suite[] = [
  {
    name: "npm test",
    command: (report, file) =>
      // --forceExit: a single file runs in jest's own process, where an open handle would keep jest running.
      npm("test", "--json", `--outputFile=${report}`, ...(file ? ["--forceExit", file] : [])),
  },
  {
    name: "npm run test:fault",
    command: (report, file) => npm("test:fault", `--json=${report}`, ...(file ? [file] : [])),
  },
];

const checks: Check[] = ["typecheck", "lint", "contract", "client:check"].map((script) => ({
  name: `npm run ${script}`,
  command: npm(script),
}));

if (!runCi(suites, checks)) process.exitCode = 1;
